// Merkle trees against the values that certificate transparency publishes, and proofs against every
// tree of some size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MerkleStream, merklePath, merkleRoot, rootOfPath } from './merkle.ts'

const entries = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'))
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test('roots of zero to eight entries are those that the RFC 6962 test data has', () => {
  assert.deepEqual(
    roots.map((_root, size) => merkleRoot(entries.slice(0, size)).toString('hex')),
    roots,
  )
})

test('a stream has the root of each tree as it grows', () => {
  const stream = new MerkleStream()
  const many = Array.from({ length: 130 }, (_one, i) => Buffer.of(i))
  for (let size = 0; size <= many.length; size += 1) {
    assert.deepEqual(stream.root(), merkleRoot(many.slice(0, size)))
    stream.push(many[size] ?? Buffer.alloc(0))
  }
})

test('every entry of every tree up to 70 has a path to the root, and to no other place', () => {
  const many = Array.from({ length: 70 }, (_one, i) => Buffer.of(i))
  for (let size = 1; size <= many.length; size += 1) {
    const tree = many.slice(0, size)
    const root = merkleRoot(tree)
    for (const [index, entry] of tree.entries()) {
      const path = merklePath(tree, index)
      assert.deepEqual(rootOfPath(entry, { index, size, path }), root)
      assert.notDeepEqual(rootOfPath(Buffer.of(index + 1), { index, size, path }), root)
      if (size > 1) {
        const other = (index + 1) % size
        assert.notDeepEqual(rootOfPath(entry, { index: other, size, path }), root)
      }
    }
  }
})

test('a path that is too long, too short or changed leads nowhere', () => {
  const tree = entries.slice(0, 7)
  const root = merkleRoot(tree)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (index, noise) => {
        const path = merklePath(tree, index)
        const entry = tree[index] ?? Buffer.alloc(0)
        const wrong = [
          path.slice(1),
          [...path, Buffer.from(noise)],
          [Buffer.from(noise), ...path.slice(1)],
        ]
        for (const one of wrong)
          assert.notDeepEqual(rootOfPath(entry, { index, size: 7, path: one }), root)
      },
    ),
  )
})

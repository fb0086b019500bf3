// Password hashes: their stored form, and which characters of a password count (all of them).
import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PasswordHasher, readHash, writeHash } from './hashing.ts'

const hasher = new PasswordHasher()
// Cheap ones: the rules do not depend on the costs.
const cheap = { memory_kib: 32, passes: 1, parallelism: 1 }
const octets = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array))

describe('the stored form', () => {
  it('reads back as it was written', () =>
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 2 ** 20 }), octets(16), octets(32), (m, salt, tag) => {
        const hash = { costs: { memory_kib: m, passes: 3, parallelism: 2 }, salt, tag }
        assert.deepEqual(readHash(writeHash(hash)), hash)
      }),
    ))

  it('is standard Argon2id, 19 MiB and two passes, with its own salt', async () => {
    const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')]
    assert.notEqual(one, two)
    assert.ok(one.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'), one)
    const { salt, tag } = readHash(one)
    const again = argon2Sync('argon2id', {
      message: 'correct horse',
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory: 19_456,
      passes: 2,
    })
    assert.deepEqual([salt.length, tag], [16, again])
  })

  it('is outdated when its costs are not those of today', async () => {
    assert.equal(hasher.isOutdated(await hasher.hash('correct horse')), false)
    assert.equal(hasher.isOutdated(await hasher.hash('correct horse', cheap)), true)
  })
})

describe('a password', () => {
  it('differs from every other, whatever its characters and its length', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 256 }),
        fc.nat(),
        async (password, where) => {
          const stored = await hasher.hash(password, cheap)
          assert.equal(await hasher.verify(password, stored), true)
          const characters = [...password]
          const i = where % characters.length
          characters[i] = characters[i] === '#' ? '+' : '#'
          const other = characters.join('')
          if (other.normalize('NFC') !== password.normalize('NFC'))
            assert.equal(await hasher.verify(other, stored), false)
          assert.equal(await hasher.verify(`${password}\u0000`, stored), false)
        },
      ),
      { numRuns: 50 },
    ))

  it('counts beyond its 72nd octet', async () => {
    const stored = await hasher.hash(`${'x'.repeat(72)}a`, cheap)
    assert.equal(await hasher.verify(`${'x'.repeat(72)}b`, stored), false)
  })

  it('is the same from keyboards that compose characters and those that do not', async () => {
    const stored = await hasher.hash('caf\u00e9 au lait', cheap)
    assert.equal(await hasher.verify('cafe\u0301 au lait', stored), true)
  })

  it('never matches a missing hash', async () => {
    assert.equal(await hasher.verify('', null), false)
    assert.equal(await hasher.verify('correct horse', null), false)
  })
})

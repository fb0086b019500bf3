// Encryption with the current key, and decryption with previous keys.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Encryption } from './encryption.ts'

const keyOf = (fill: string) => Buffer.alloc(32, fill).toString('base64')
const encryption = (current: string, ...previous: string[]) =>
  new Encryption({
    encryption_key: keyOf(current),
    encryption_keys_previous: previous.map(keyOf),
    data_dir: '/nowhere',
  })

describe('a value of a previous key', () => {
  const sealed = encryption('a').seal('secret')

  test('is opened, whichever of them it is', () => {
    assert.equal(encryption('b').unseal(sealed), undefined)
    assert.equal(encryption('b', 'a').unseal(sealed), 'secret')
    assert.equal(encryption('c', 'b', 'a').unseal(sealed), 'secret')
  })

  test('is re-encrypted with the current key alone', () => {
    const again = encryption('b', 'a').reseal(sealed)
    assert.ok(again.state === 'resealed')
    assert.equal(encryption('b').unseal(again.sealed), 'secret')
    assert.equal(encryption('a').unseal(again.sealed), undefined)
    assert.deepEqual(encryption('b', 'a').reseal(again.sealed), { state: 'current' })
  })

  test('is not re-encrypted where no key opens it, where it was cut or is no sealed value', () => {
    const both = encryption('b', 'a')
    const cut = Buffer.from(sealed, 'base64').subarray(0, 20).toString('base64')
    const other = encryption('c').seal('secret')
    for (const one of [other, cut, '', 'plain text', `A${sealed.slice(1)}`])
      if (one !== sealed) assert.deepEqual(both.reseal(one), { state: 'unreadable' }, one)
  })
})

test('new values are of the current key', () => {
  const sealed = encryption('b', 'a').seal('secret')
  assert.equal(encryption('b').unseal(sealed), 'secret')
  assert.equal(encryption('a').unseal(sealed), undefined)
})

test('a keyed digest is compared by every key, and made by the current one', () => {
  const both = encryption('b', 'a')
  const of = (fill: string) => encryption(fill).hmac('code')
  assert.equal(both.hmac('code'), of('b'))
  assert.deepEqual(both.hmacs('code'), [of('b'), of('a')])
})

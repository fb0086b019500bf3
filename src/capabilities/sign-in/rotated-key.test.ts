// Mailed codes and cookies that were made under a former ENCRYPTION_KEY: valid while it is a
// previous key, and rejected without it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { readSettings } from '../../config/config.ts'
import { Encryption } from '../../kit/encryption.ts'
import { macOf, requestOfCode } from './mailed-codes.ts'
import { requestsOfBrowser } from './sessions/mailbox-cookie.ts'
import { hostCookieName } from './sessions/session-cookie.ts'

const { database: db } = await testDatabase()
const keyOf = (fill: string) => Buffer.alloc(32, fill).toString('base64')

function nodeWith(current: string, previous = '') {
  const settings = readSettings({
    ENCRYPTION_KEY: keyOf(current),
    ENCRYPTION_KEYS_PREVIOUS: previous && keyOf(previous),
  })
  return { db, settings, encryption: new Encryption(settings) }
}

const before = nodeWith('a')
const [during, after] = [nodeWith('b', 'a'), nodeWith('b')]

test('a mailed code', async () => {
  const shown = { id: 'pwl_1', code: '123456' }
  const code_mac = macOf(before, shown)
  const given = { count: async () => ({ code_mac }), uncount: async () => 1, bucketsOf: () => [] }
  assert.deepEqual(await requestOfCode(during, shown, given), { code_mac })
  assert.equal(await requestOfCode(during, { ...shown, code: '123457' }, given), undefined)
  assert.equal(await requestOfCode(after, shown, given), undefined)
  const none = { ...given, count: async () => ({ code_mac: null }) }
  assert.equal(await requestOfCode(during, shown, none), undefined)
})

test('the cookie of a mailbox', () => {
  const mac = before.encryption.hmac('requests of a browser pwl_1')
  const value = `pwl_1.${Buffer.from(mac, 'base64').toString('base64url')}`
  const cookies = new Map([[hostCookieName(before.settings, 'mailbox'), value]])
  assert.deepEqual(requestsOfBrowser(during, { cookies }), ['pwl_1'])
  assert.deepEqual(requestsOfBrowser(after, { cookies }), [])
})

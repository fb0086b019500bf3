// Keys: made once for all nodes, encrypted, and rotated so that no client meets a signature that it
// cannot check.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newDatabase, testDatabase } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'
import { Encryption } from '../../kit/encryption.ts'
import { type KeyParts, openKeys, rotateKeys } from './keys.ts'

const ENCRYPTION_KEY = randomBytes(32).toString('base64')

function encryptionWith(encryption_key: string): Encryption {
  return new Encryption({ encryption_key, encryption_keys_previous: [], data_dir: '/nowhere' })
}

async function opened() {
  const { database, query } = await testDatabase()
  const parts: KeyParts = { db: database, encryption: encryptionWith(ENCRYPTION_KEY) }
  return { parts, query }
}

const kids = (keys: { sign: { kid?: string | undefined; alg?: string | undefined }[] }) =>
  keys.sign.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid)

test('five nodes that start at once have one set of keys', async () => {
  const { parts, query } = await opened()
  const all = await Promise.all(Array.from({ length: 5 }, () => openKeys(parts)))
  assert.equal((await query('select kid from oauth_signing_keys')).length, 3)
  for (const one of all) assert.deepEqual(one, all[0])
  assert.deepEqual(all[0]?.sign.map(({ alg }) => alg).sort(), ['EdDSA', 'RS256'])
  assert.equal(all[0]?.cookie.length, 1)
  assert.equal(all[0]?.changes_in_ms, null)
})

test('no private key can be read in the database', async () => {
  const { parts, query } = await opened()
  const { sign, cookie } = await openKeys(parts)
  const [row] = await query('select string_agg(k::text, chr(10)) as text from oauth_signing_keys k')
  for (const secret of [...sign.map(({ d }) => d), ...cookie])
    assert.ok(secret && !String(row?.text).includes(secret))
})

test('a new key is published first, signs later, and the old one stays valid for a day', async () => {
  const { parts, query } = await opened()
  const [old] = kids(await openKeys(parts))
  await rotateKeys(parts, { at_once: false })
  const before = await openKeys(parts)
  const [front, next, ...none] = kids(before)
  assert.equal(front, old)
  assert.ok(next !== undefined && next !== old)
  assert.deepEqual(none, [])
  const minutes = (before.changes_in_ms ?? 0) / 60_000
  assert.ok(minutes > 9 && minutes <= 10, `${minutes}`)

  await query(`update oauth_signing_keys set signs_from = signs_from - interval '10 minutes',
                 ends_at = ends_at - interval '10 minutes'`)
  const after = await openKeys(parts)
  assert.deepEqual(kids(after), [next, old])
  assert.equal(after.cookie.length, 2)
  await query(`update oauth_signing_keys set ends_at = ends_at - interval '1 day'`)
  assert.deepEqual(kids(await openKeys(parts)), [next])
})

test('after a theft no old signature is valid, and the rotation is in the audit log', async () => {
  const { parts, query } = await opened()
  const [old] = kids(await openKeys(parts))
  // Two rotations that were under way do not keep anything.
  await rotateKeys(parts, { at_once: false })
  await rotateKeys(parts, { at_once: true })
  const [now, ...others] = kids(await openKeys(parts))
  assert.ok(now !== undefined && now !== old)
  assert.deepEqual(others, [])
  const rows = await query(
    `select metadata ->> 'at_once' as at_once from audit_logs
      where action = 'rotate_oauth_keys' order by id`,
  )
  assert.deepEqual(rows, [{ at_once: 'false' }, { at_once: 'true' }])
})

test('a node with another ENCRYPTION_KEY makes keys of its own, and says how many it cannot read', async () => {
  const { parts } = await opened()
  const first = await openKeys(parts)
  const otherNode = await openKeys({ ...parts, encryption: encryptionWith('b'.repeat(43)) })
  assert.equal(first.unreadable, 0)
  assert.equal(otherNode.unreadable, 3)
  assert.equal(otherNode.sign.length, 2)
})

test('running nodes are notified of a rotation, and need no restart', async () => {
  const database_url = await newDatabase('template_of_tests')
  const registrar = await startService({
    database_url,
    settings: { ENCRYPTION_KEY },
    worker: false,
  })
  const published = async (): Promise<string[]> => {
    const { body } = await registrar.request('GET', '/oauth/jwks')
    return body.keys.map(({ kid }: { kid: string }) => kid).sort()
  }
  const before = await published()
  const { db, encryption } = registrar.service.app
  const notified = Promise.withResolvers<void>()
  const listener = { notified: () => notified.resolve(), reconnected: () => undefined }
  await db.listen('oauth_keys', listener)
  await rotateKeys({ db, encryption }, { at_once: true })
  await notified.promise
  for (let tries = 0; tries < 400; tries += 1) {
    const now = await published()
    if (now.length === 2 && !now.some((kid) => before.includes(kid))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('The new keys were not published')
})

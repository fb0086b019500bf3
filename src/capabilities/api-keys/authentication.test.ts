// Token authentication on two nodes: the checksum, the cache, and its invalidation.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { app_role } from '../../../test/support/database.ts'
import { testPipeline } from '../../../test/support/test-pipeline.ts'
import { openDatabase } from '../../db/database.ts'
import { hashSecret, newSecret } from '../../kit/random.ts'
import { AuthenticationCache, authenticateApiKeys, explainApiKeys } from './index.ts'

const pipeline = await testPipeline()
const { db, app } = pipeline
const other = await openDatabase({ url: db.url, app_role })
after(() => other.close())
// Its time stands still: what leaves its cache was purged by a notification.
const authentications = new AuthenticationCache({ db: other, monotonic_ms: () => 1 })
await other.listen('access_revoked', { notified: () => undefined, reconnected: () => undefined })
const otherNode = authenticateApiKeys({ ...app, db: other, authentications })

/** Waits until a notification has cleared the other node's cache. */
async function untilUndefined(token: string): Promise<void> {
  while (await otherNode(token)) await new Promise((done) => setTimeout(done, 5))
}

describe('an API key', () => {
  it('is refused by its checksum without a query', async () => {
    const closed = await openDatabase({ url: db.url, app_role })
    const uncached = new AuthenticationCache({ ...app, db: closed })
    const read = authenticateApiKeys({ ...app, db: closed, authentications: uncached })
    await closed.close()
    const { value } = newSecret('ar_test_')
    const wrong = value.slice(0, -1) + (value.endsWith('a') ? 'b' : 'a')
    for (const token of [wrong, 'ar_test_', 'ar_test_x', newSecret('ar_live_').value, `${value}0`])
      assert.equal(await read(token), undefined)
    await assert.rejects(read(value))
  })

  it('gets the same result when it is unknown, revoked, expired or of a closed account', async () => {
    const read = authenticateApiKeys(app)
    const { id } = await pipeline.customer()
    const key = () => pipeline.key(id, ['account:read'])
    const [good, revoked, expired] = [await key(), await key(), await key()]
    for (const one of [good, revoked, expired]) assert.equal((await read(one))?.kind, 'api_key')
    await db.query(
      `update api_keys set revoked_at = now() where id = (select max(id) - 1 from api_keys)`,
    )
    await db.query(
      `update api_keys set expires_at = now() where id = (select max(id) from api_keys)`,
    )
    app.authentications.invalidate()
    assert.equal((await read(good))?.kind, 'api_key')
    for (const one of [revoked, expired, newSecret('ar_test_').value])
      assert.equal(await read(one), undefined)
    await db.query(`update customers set status = 'closed' where id = $1`, [id])
    assert.equal(await read(good), undefined)
  })

  it('expires also while it is cached', async () => {
    const { id } = await pipeline.customer()
    const token = await pipeline.key(id, ['account:read'])
    await db.query(
      `update api_keys set expires_at = now() + interval '1 hour'
        where id = (select max(id) from api_keys)`,
    )
    const clock = { now: () => new Date(Date.now() + jump_ms) }
    let jump_ms = 0
    const read = authenticateApiKeys({ ...app, clock })
    assert.equal((await read(token))?.kind, 'api_key')
    jump_ms = 3_600_001
    assert.equal(await read(token), undefined)
  })

  it('carries customer, scopes, label and suspension', async () => {
    const { id, key, key_id } = await pipeline.customer(['account:read', 'audit:read'])
    await db.query(`update customers set status = 'suspended' where id = $1`, [id])
    assert.deepEqual(await otherNode(key), {
      ...{ kind: 'api_key', limits: null },
      customer_id: id,
      suspended: true,
      ...{ key_id: BigInt(key_id), key_hash: hashSecret(key) },
      label: null,
      scopes: new Set(['account:read', 'audit:read']),
    })
  })

  it('is purged from the cache of another node as soon as it is revoked or rotated', async () => {
    const { id, key, key_id } = await pipeline.customer()
    assert.ok(await otherNode(key))
    const path = `POST /v1/customers/${id}/api-keys/${key_id}`
    const rotated = await pipeline.call(`${path}/rotate`, { token: key })
    await untilUndefined(key)
    const next = String(rotated.body.api_key)
    assert.ok(await otherNode(next))
    await pipeline.call(`${path}/revoke`, { token: next })
    await untilUndefined(next)
  })

  it('is looked up once for concurrent calls, and cached', async () => {
    const { key } = await pipeline.customer()
    const callers = await Promise.all(Array.from({ length: 50 }, () => otherNode(key)))
    assert.ok(callers.every((caller) => caller !== undefined && caller === callers[0]))
    assert.equal(await otherNode(key), callers[0])
  })
})

it('refuses a key with its own reason', async () => {
  const why = explainApiKeys(app)
  const { id } = await pipeline.customer()
  const key = () => pipeline.key(id, ['account:read'])
  const [revoked, expired, good] = [await key(), await key(), await key()]
  const set = (what: string, token: string) =>
    db.query(`update api_keys set ${what} where key_hash = sha256($1::bytea)`, [token])
  await set('revoked_at = now()', revoked)
  await set(`expires_at = '2026-01-01Z'`, expired)
  assert.match((await why(revoked))?.detail ?? '', /is revoked/)
  assert.match((await why(expired))?.detail ?? '', /expired at 2026-01-01T00:00:00.000Z/)
  assert.match((await why(newSecret('ar_test_').value))?.detail ?? '', /^The API key is unknown/)
  assert.match((await why(`${good}0`))?.detail ?? '', /checksum/)
  assert.equal(await why(good), undefined)
  await db.query(`update customers set status = 'closed' where id = $1`, [id])
  assert.match((await why(good))?.detail ?? '', /account.*closed/)
})

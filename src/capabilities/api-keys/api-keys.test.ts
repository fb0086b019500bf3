// API key operations through the pipeline, on a real database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { queuedForRows } from '../../../test/support/database.ts'
import { type Body, testPipeline } from '../../../test/support/test-pipeline.ts'
import { holdsScope, scopes } from '../../app.ts'
import { hashSecret } from '../../kit/random.ts'
import { usualScopes } from './api-key.ts'

const pipeline = await testPipeline()
const { call, operator } = pipeline
const owner = await pipeline.customer()
const other = await pipeline.customer()
const at = `/v1/customers/${owner.id}/api-keys`

async function make(token: string, body: object = {}) {
  const answer = await call(`POST ${at}`, { token, body })
  const key: Body = Object(answer.body.key)
  return { ...answer, secret: String(answer.body.api_key), key, id: Number(key.id) }
}
const revoke = (token: string, id: number) => call(`POST ${at}/${id}/revoke`, { token })
const rotate = (token: string, id: number, body?: object) =>
  call(`POST ${at}/${id}/rotate`, { token, body })
const works = async (token: string) => (await call('GET /v1/account', { token })).status === 200

describe('access', () => {
  it("answers 404 for another customer's keys, by the path and by the key's id", async () => {
    for (const route of [`GET ${at}`, `POST ${at}`, `POST ${at}/${owner.key_id}/revoke`]) {
      const answer = await call(route, { token: other.key })
      assert.deepEqual([answer.status, answer.body.code], [404, 'customer_not_found'])
    }
    for (const answer of [
      await revoke(owner.key, other.key_id),
      await rotate(owner.key, other.key_id),
      await revoke(operator, other.key_id),
      await revoke(owner.key, 9_007_199_254_740_991),
    ])
      assert.deepEqual([answer.status, answer.body.code], [404, 'api_key_not_found'])
    assert.ok(await works(other.key))
  })

  it('names the scope that is missing', async () => {
    const none = await pipeline.key(owner.id, [])
    const list = await call(`GET ${at}`, { token: none })
    assert.deepEqual([list.status, list.body.required_scope], [403, 'keys:read'])
    for (const answer of [await make(none), await revoke(none, 1), await rotate(none, 1)])
      assert.deepEqual([answer.status, answer.body.required_scope], [403, 'keys:write'])
  })

  it('lets an operator list, make and revoke, but not rotate', async () => {
    const made = await make(operator, { scopes: ['account:write'] })
    assert.equal(made.status, 201)
    const list = await call(`GET ${at}`, { token: operator })
    assert.equal(list.list[0]?.id, made.id)
    const rotated = await rotate(operator, made.id)
    assert.deepEqual([rotated.status, rotated.body.code], [403, 'customer_required'])
    assert.equal((await revoke(operator, made.id)).status, 200)
  })

  it('answers 404 to an operator for an unknown customer', async () => {
    for (const route of [
      'GET /v1/customers/cus_unknown/api-keys',
      'POST /v1/customers/cus_unknown/api-keys',
    ]) {
      const answer = await call(route, { token: operator })
      assert.deepEqual([answer.status, answer.body.code], [404, 'customer_not_found'])
    }
  })
})

describe('create_api_key', () => {
  it('answers 201 with the key once and every field of the contract', async () => {
    const made = await make(owner.key, { name: ' agent ' })
    assert.equal(made.status, 201)
    assert.match(made.secret, /^ar_test_[0-9A-Za-z]{40}$/)
    const { id, created_at, ...rest } = made.key
    assert.equal(typeof id, 'number')
    assert.ok(Date.parse(String(created_at)))
    assert.deepEqual(rest, {
      customer_id: owner.id,
      parent_key_id: owner.key_id,
      key_prefix: made.secret.slice(0, 14),
      name: 'agent',
      scopes: usualScopes,
      oauth_grant_id: null,
      made_by: 'api_key',
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      ...{ spend_limit: null, max_price: null, allowed_tlds: null },
      ...{ allowed_domains: null, allowed_ips: null },
      ...{ approval_above: null, outside_allowed: 'refuse', dns: null },
    })
    assert.ok(await works(made.secret))
  })

  it('gives no writing, billing and transfer scopes that were not requested', () => {
    const asked = ['account:write', 'domains:transfer', 'billing:write', 'keys:write']
    assert.deepEqual(
      scopes.filter((scope) => !holdsScope(new Set(usualScopes), scope)),
      asked,
    )
  })

  it('stores a hash and nothing else of the secret', async () => {
    const { secret } = await make(owner.key)
    const [row] = await pipeline.db.query(
      'select k::text as row from api_keys k order by id desc limit 1',
    )
    assert.ok(!String(row?.row).includes(secret.slice(14)))
    assert.ok(String(row?.row).includes(hashSecret(secret).toString('hex')))
    const logged = await pipeline.db.query(
      'select count(*)::int as rows from audit_logs a where a::text like $1',
      [`%${secret.slice(14)}%`],
    )
    assert.deepEqual(logged, [{ rows: 0 }])
  })

  it('deduplicates scopes, and accepts none at all', async () => {
    const twice = await make(owner.key, { scopes: ['keys:read', 'account:read', 'keys:read'] })
    assert.deepEqual(twice.key.scopes, ['account:read', 'keys:read'])
    assert.deepEqual((await make(owner.key, { scopes: [] })).key.scopes, [])
  })
})

describe('create_api_key refuses', () => {
  it('with 403 a key wider than the one that makes it, naming what is missing', async () => {
    const narrow = await pipeline.key(owner.id, ['keys:write', 'domains:read'])
    const wider = await make(narrow, { scopes: ['domains:read', 'billing:write', 'account:read'] })
    assert.deepEqual(
      [wider.status, wider.body.code, wider.body.scopes_not_held],
      [403, 'scope_not_held', ['account:read', 'billing:write']],
    )
    assert.equal((await make(narrow)).body.code, 'scope_not_held')
    assert.equal((await make(narrow, { scopes: ['domains:read'] })).status, 201)
  })

  it('with 403 a later expiry than that of its creator, which is the default', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const later = new Date(Date.now() + 7_200_000).toISOString()
    const short = await make(owner.key, { scopes, expires_at: soon })
    assert.equal(short.key.expires_at, soon)
    assert.equal((await make(short.secret)).key.expires_at, soon)
    const wider = await make(short.secret, { expires_at: later })
    assert.deepEqual([wider.status, wider.body.code], [403, 'limit_not_held'])
    const rotated = await rotate(short.secret, owner.key_id)
    assert.deepEqual([rotated.status, rotated.body.code], [403, 'limit_not_held'])
  })

  it('with 422 unknown scopes, long or unsafe names and read-only fields', async () => {
    const wrong: [object, (string | number)[], string][] = [
      [{ scopes: ['account:read', 'root'] }, ['body', 'scopes', 1], 'literal_error'],
      [{ scopes: 'account:read' }, ['body', 'scopes'], 'list_type'],
      [{ name: 'x'.repeat(101) }, ['body', 'name'], 'string_too_long'],
      [{ name: 'a\r\nb' }, ['body', 'name'], 'string_control_character'],
      [{ name: 5 }, ['body', 'name'], 'string_type'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at'], 'value_error'],
      [{ expires_at: '2030-12-31T23:59:60Z' }, ['body', 'expires_at'], 'value_error'],
      [{ expires_at: 'tomorrow' }, ['body', 'expires_at'], 'format'],
      [{ customer_id: other.id }, ['body', 'customer_id'], 'extra_forbidden'],
      [{ parent_key_id: 1 }, ['body', 'parent_key_id'], 'extra_forbidden'],
      [{ revoked_at: null }, ['body', 'revoked_at'], 'extra_forbidden'],
    ]
    for (const [body, loc, type] of wrong) {
      const answer = await make(owner.key, body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      const [detail] = [answer.body.detail].flat()
      assert.deepEqual([Object(detail).loc, Object(detail).type], [loc, type])
    }
  })
})

describe('list_api_keys', () => {
  it('answers all keys, newest first, and no secret', async () => {
    const { list, status } = await call(`GET ${at}`, { token: owner.key })
    assert.equal(status, 200)
    const ids = list.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    )
    assert.ok(ids.includes(owner.key_id))
    assert.ok(list.every((key) => !('api_key' in key) && !('key_hash' in key)))
  })
})

describe('revoke_api_key', () => {
  it('revokes the key at once, and answers the same again', async () => {
    const { secret, id } = await make(owner.key)
    assert.ok(await works(secret))
    const first = await revoke(owner.key, id)
    assert.equal(first.status, 200)
    assert.ok(Date.parse(String(first.body.revoked_at)))
    assert.equal(await works(secret), false)
    assert.deepEqual((await revoke(owner.key, id)).body, first.body)
  })

  it('revokes its descendants, but not its parent', async () => {
    const child = await make(owner.key, { scopes })
    const grandchild = await make(child.secret, { scopes })
    const cousin = await make(owner.key, { scopes })
    await revoke(owner.key, child.id)
    const alive = await Promise.all([child, grandchild, cousin].map(({ secret }) => works(secret)))
    assert.deepEqual(alive, [false, false, true])
    assert.ok(await works(owner.key))
  })

  it('leaves no child behind that is created concurrently', async () => {
    const parent = await make(owner.key, { scopes })
    const children: Awaited<ReturnType<typeof make>>[] = []
    const mint = async () => {
      const child = await make(parent.secret, { scopes: ['account:read'] })
      children.push(child)
      return child.status
    }
    const end = async () => (await revoke(owner.key, parent.id)).status
    const lock = 'select from customers where id = $1 for update'
    const statuses = await queuedForRows(
      { url: pipeline.db.url, query: lock, params: [owner.id] },
      [mint, mint, end, mint, mint],
    )
    assert.deepEqual(statuses, [201, 201, 200, 409, 409])
    for (const { secret } of children.filter(({ status }) => status === 201))
      assert.equal(await works(secret), false)
  })
})

describe('rotate_api_key', () => {
  it('replaces the secret; the old one is rejected at once', async () => {
    const old = await make(owner.key, { name: 'agent', scopes: ['account:read'] })
    assert.ok(await works(old.secret))
    const answer = await rotate(owner.key, old.id)
    assert.equal(answer.status, 200)
    const secret = String(answer.body.api_key)
    assert.equal(await works(old.secret), false)
    assert.ok(await works(secret))
    const { key_prefix, ...rest } = Object(answer.body.key)
    assert.equal(key_prefix, secret.slice(0, 14))
    const { key_prefix: _, ...before } = old.key
    assert.deepEqual({ ...rest, last_used_at: null }, before)
  })

  it('sets name and scopes where they are given, and keeps them where they are null', async () => {
    const { id } = await make(owner.key, { name: 'one', scopes: ['account:read', 'keys:read'] })
    const kept: Body = Object((await rotate(owner.key, id, { name: null, scopes: null })).body.key)
    assert.deepEqual([kept.name, kept.scopes], ['one', ['account:read', 'keys:read']])
    const set: Body = Object(
      (await rotate(owner.key, id, { name: 'two', scopes: ['audit:read'] })).body.key,
    )
    assert.deepEqual([set.name, set.scopes], ['two', ['audit:read']])
  })

  it('removes from its descendants the scopes that it loses', async () => {
    const parent = await make(owner.key, { scopes })
    const child = await make(parent.secret, { scopes: ['account:read', 'keys:read'] })
    await rotate(owner.key, parent.id, { scopes: ['account:read', 'keys:write'] })
    const { list } = await call(`GET ${at}`, { token: owner.key })
    const narrowed = list.find(({ id }) => id === child.id)
    assert.deepEqual(narrowed?.scopes, ['account:read'])
    assert.equal(narrowed.parent_key_id, parent.id)
    assert.equal((await call(`GET ${at}`, { token: child.secret })).status, 403)
  })

  it('answers 403 for a key that is, or would be, wider than the one that rotates it', async () => {
    const narrow = await make(owner.key, { scopes: ['keys:write', 'account:read'] })
    const wide = await rotate(narrow.secret, owner.key_id, { scopes: ['account:read'] })
    assert.deepEqual([wide.status, wide.body.code], [403, 'scope_not_held'])
    const wider = await rotate(narrow.secret, narrow.id, {
      scopes: ['keys:write', 'billing:write'],
    })
    assert.deepEqual([wider.status, wider.body.scopes_not_held], [403, ['billing:write']])
    assert.ok(await works(owner.key))
  })

  it('answers 409 for a revoked key', async () => {
    const { id } = await make(owner.key)
    await revoke(owner.key, id)
    const answer = await rotate(owner.key, id)
    assert.deepEqual([answer.status, answer.body.code], [409, 'api_key_revoked'])
  })

  it('lets one of twenty concurrent rotations win each round, and leaves one valid secret', async () => {
    const { id } = await make(owner.key)
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(owner.key, id)))
    assert.ok(answers.every(({ status }) => status === 200))
    const alive = await Promise.all(answers.map(({ body }) => works(String(body.api_key))))
    assert.equal(alive.filter((one) => one).length, 1)
  })
})

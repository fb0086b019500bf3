// Connected programs: their list for the owner, and the end of all their access on every node.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startSandbox } from '../../../sandbox/registry/index.ts'
import { newDatabase } from '../../../test/support/database.ts'
import { newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { startService } from '../../../test/support/service.ts'
import { scopes as everything } from '../../app.ts'
import { byText, encodeCursor } from '../../lists/cursor.ts'
import { connected, newClient, newVisitor } from '../consent/consent.fixture.ts'

// Two nodes behind one address.
const ENCRYPTION_KEY = randomBytes(32).toString('base64')
const database_url = await newDatabase('template_of_tests')
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
after(() => sandbox.close())
const registrar = await startService({ sandbox, database_url, settings: { ENCRYPTION_KEY } })
const other = await startService({
  sandbox,
  database_url,
  settings: { ENCRYPTION_KEY, PUBLIC_URL: registrar.url, MCP_URL: registrar.url },
  mailbox: registrar.mailbox,
  worker: false,
})
const otherUrl = other.service.server.listeningOrigin
const rows = rowsIn(registrar)
const client = await newClient(registrar, { client_name: 'Lister' })

const atRest = { resource: registrar.url }
const all = ['keys:read', 'keys:write', 'domains:read', 'account:read']

async function newConnection(scopes: readonly string[] = all) {
  const owner = await newOwner(registrar, { scopes: [...everything] })
  const { token, body } = await connected(
    { client, owner, visitor: newVisitor(registrar), scopes },
    atRest,
  )
  return { owner, token, refresh: String(body.refresh_token) }
}
const list = async (token: string) =>
  (await registrar.request('GET', '/v1/account/oauth-grants', { token })).body
const revoke = (token: string, id: string) =>
  registrar.request('DELETE', `/v1/account/oauth-grants/${id}`, { token })
const onOther = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${otherUrl}/v1/account`, { headers })).status
}
const onThis = async (token: string) =>
  (await registrar.request('GET', '/v1/account', { token })).status

/** How long it takes until the other node refuses; an Error after the promised 5 s. */
async function refusedElsewhere(token: string): Promise<number> {
  const start = performance.now()
  while ((await onOther(token)) !== 401) {
    const waited_ms = performance.now() - start
    if (waited_ms > 5_000) throw new Error('The other node still serves after 5 s')
    await new Promise((done) => setTimeout(done, 20))
  }
  return performance.now() - start
}

async function refresh(token: string): Promise<number> {
  const { client_id } = client
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id })
  return (await fetch(`${registrar.url}/oauth/token`, { method: 'POST', body })).status
}

async function makeKey(token: string, customer: string, body: object = {}) {
  const at = `/v1/customers/${customer}/api-keys`
  return registrar.request('POST', at, { token, body })
}

describe('the list of connected apps', () => {
  it('shows what was consented to, newest first, a page at a time', async () => {
    const { owner, token } = await newConnection()
    const later = await newClient(registrar, { client_name: 'Later' })
    const visitor = newVisitor(registrar)
    await connected({ client: later, owner, visitor, scopes: ['domains:read'] })
    const { oauth_grants, next_cursor } = await list(owner.key)
    assert.equal(next_cursor, null)
    assert.equal(oauth_grants.length, 2)
    const [newer, older] = oauth_grants
    assert.deepEqual(newer, {
      id: newer.id,
      client_id: later.client_id,
      client_name: 'Later',
      redirect_host: '127.0.0.1',
      scopes: ['domains:read'],
      resource: `${registrar.url}/mcp`,
      created_at: newer.created_at,
      last_used_at: null,
      revoked_at: null,
      ...{ spend_limit: null, max_price: null, allowed_tlds: null },
      ...{ allowed_domains: null, allowed_ips: null },
      ...{ approval_above: null, outside_allowed: 'refuse', dns: null },
    })
    assert.deepEqual(older.scopes.toSorted(), all.toSorted())
    assert.equal(older.resource, registrar.url)
    const page = '/v1/account/oauth-grants?limit=1'
    const first = await registrar.request('GET', page, { token })
    const cursor = encodeCursor('list_oauth_grants', byText, newer.id)
    assert.deepEqual([first.body.oauth_grants[0].id, first.body.next_cursor], [newer.id, cursor])
    const next = await registrar.request('GET', `${page}&cursor=${cursor}`, { token })
    assert.deepEqual([next.body.oauth_grants[0].id, next.body.next_cursor], [older.id, null])
  })

  it('shows an app once, with the permissions of all its consents', async () => {
    const { owner } = await newConnection(['keys:read', 'domains:read'])
    const visitor = newVisitor(registrar)
    await connected({ client, owner, visitor, scopes: ['domains:read', 'domains:write'] })
    const { oauth_grants } = await list(owner.key)
    assert.equal(oauth_grants.length, 1)
    const scopes = ['domains:read', 'domains:write', 'keys:read']
    assert.deepEqual(oauth_grants[0].scopes.toSorted(), scopes)
  })

  it('shows its last use, and leaves out grants without access', async () => {
    const { owner, token } = await newConnection()
    await onThis(token)
    const used = async () => (await list(owner.key)).oauth_grants[0].last_used_at
    const end = Date.now() + 40_000
    while ((await used()) === null && Date.now() < end)
      await new Promise((done) => setTimeout(done, 100))
    assert.ok(Date.parse(await used()) > Date.now() - 60_000)
    await rows(
      `update oauth_models set expires_at = now() where account_id = $1 and model <> 'Grant'`,
      [owner.id],
    )
    assert.deepEqual((await list(owner.key)).oauth_grants, [])
  })
})

describe('disconnecting an app with several consents', () => {
  it('ends every consent of the app, whichever of them is named', async () => {
    const { owner, token } = await newConnection()
    const [older] = (await list(owner.key)).oauth_grants
    const visitor = newVisitor(registrar)
    const { token: second } = await connected({ client, owner, visitor, scopes: all }, atRest)
    assert.deepEqual([await onThis(second), await onThis(token)], [200, 200])
    assert.equal((await revoke(owner.key, older.id)).status, 200)
    assert.deepEqual([await onThis(second), await onThis(token)], [401, 401])
    assert.deepEqual((await list(owner.key)).oauth_grants, [])
    // The name of a consent that has ended ends no later one.
    const again = await connected({ client, owner, visitor, scopes: all }, atRest)
    assert.equal((await revoke(owner.key, older.id)).status, 200)
    assert.equal(await onThis(again.token), 200)
  })
})

describe('disconnecting', () => {
  it('ends tokens, refresh tokens and keys at once, here and on the other node', async () => {
    const { owner, token, refresh: again } = await newConnection()
    const made = await makeKey(token, owner.id, { scopes: ['account:read', 'keys:write'] })
    assert.equal(made.status, 201, made.text)
    const child = await makeKey(made.body.api_key, owner.id, { scopes: ['account:read'] })
    const tokens = [token, made.body.api_key, child.body.api_key]
    for (const one of tokens) assert.deepEqual([await onThis(one), await onOther(one)], [200, 200])
    const [grant] = (await list(owner.key)).oauth_grants
    const revoked = await revoke(owner.key, grant.id)
    assert.equal(revoked.status, 200, revoked.text)
    assert.ok(Date.parse(revoked.body.revoked_at))
    for (const one of tokens) {
      assert.equal(await onThis(one), 401)
      assert.ok((await refusedElsewhere(one)) < 5_000)
    }
    assert.equal(await refresh(again), 400)
    assert.deepEqual((await revoke(owner.key, grant.id)).body, revoked.body)
    assert.deepEqual((await list(owner.key)).oauth_grants, [])
    const keys = await registrar.request('GET', `/v1/customers/${owner.id}/api-keys`, {
      token: owner.key,
    })
    const states = Array.from([keys.body].flat(), (key) => [
      key.oauth_grant_id === grant.id,
      key.revoked_at !== null,
    ])
    assert.deepEqual(states, [
      [true, true],
      [true, true],
      [false, false],
    ])
  })

  it('leaves other connections as they are, and is in the audit log', async () => {
    const { owner, token } = await newConnection()
    const visitor = newVisitor(registrar)
    const later = await newClient(registrar, { client_name: 'Later' })
    const { token: second } = await connected(
      { client: later, owner, visitor, scopes: all },
      atRest,
    )
    const [newer] = (await list(token)).oauth_grants
    assert.equal((await revoke(token, newer.id)).status, 200)
    assert.deepEqual([await onThis(second), await onThis(token)], [401, 200])
    const [row] = await rows(
      `select * from audit_logs where action = 'revoke_oauth_grant' and target = $1`,
      [newer.id],
    )
    assert.deepEqual([row.actor_type, row.result], ['oauth_client', 'success'])
  })

  it('may be done by the program itself, if it may change keys', async () => {
    const { token } = await newConnection()
    const [own] = (await list(token)).oauth_grants
    assert.equal((await revoke(token, own.id)).status, 200)
    assert.equal(await onThis(token), 401)
    const reader = await newConnection(['keys:read'])
    const [theirs] = (await list(reader.token)).oauth_grants
    const refused = await revoke(reader.token, theirs.id)
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'keys:write'])
  })

  it("is 404 for another customer's, and for an unknown id", async () => {
    const [{ owner }, otherCustomer] = [await newConnection(), await registrar.customer()]
    const wide = await makeKey(registrar.operatorKey, otherCustomer.id, { scopes: ['keys:write'] })
    const [grant] = (await list(owner.key)).oauth_grants
    for (const id of [grant.id, 'nothing', 'x'.repeat(200)]) {
      const answer = await revoke(wide.body.api_key, id)
      assert.deepEqual([answer.status, answer.body.code], [404, 'oauth_grant_not_found'])
    }
    assert.equal((await list(owner.key)).oauth_grants.length, 1)
  })

  it('follows from a changed password, too', async () => {
    const { owner, token } = await newConnection()
    await rows('update passwords set changed_at = now() where customer_id = $1', [owner.id])
    assert.ok((await refusedElsewhere(token)) < 5_000)
  })
})

describe('keys made by a program', () => {
  it('are no wider than its token, end no later than its consent, and say whose they are', async () => {
    const { owner, token } = await newConnection(['keys:write', 'keys:read', 'domains:read'])
    const wider = await makeKey(token, owner.id, { scopes: ['domains:read', 'domains:write'] })
    assert.deepEqual(
      [wider.status, wider.body.code, wider.body.scopes_not_held],
      [403, 'scope_not_held', ['domains:write']],
    )
    const forever = await makeKey(token, owner.id, {
      scopes: ['domains:read'],
      expires_at: '2999-01-01T00:00:00Z',
    })
    assert.deepEqual([forever.status, forever.body.code], [403, 'limit_not_held'])
    const { body } = await makeKey(token, owner.id, { scopes: ['domains:read'] })
    const [grant] = (await list(token)).oauth_grants
    assert.equal(body.key.oauth_grant_id, grant.id)
    const days = (Date.parse(body.key.expires_at) - Date.now()) / 86_400_000
    assert.ok(days > 364 && days < 366, `${days} days`)
  })

  it('are the only ones that it may rotate: the secret of another would outlive it', async () => {
    const { owner, token } = await newConnection()
    const rotate = (one: string, id: number) =>
      registrar.request('POST', `/v1/customers/${owner.id}/api-keys/${id}/rotate`, { token: one })
    const scopes = ['keys:write', 'account:read']
    const [own, owners] = await Promise.all(
      [token, registrar.operatorKey].map((one) => makeKey(one, owner.id, { scopes })),
    )
    const taken = await rotate(token, owners?.body.key.id)
    assert.deepEqual([taken.status, taken.body.code], [403, 'limit_not_held'])
    const child = await rotate(own?.body.api_key, owners?.body.key.id)
    assert.deepEqual([child.status, child.body.code], [403, 'limit_not_held'])
    const siblings = await makeKey(token, owner.id, { scopes: ['account:read'] })
    const sibling = await rotate(own?.body.api_key, siblings.body.key.id)
    assert.deepEqual([sibling.status, sibling.body.code], [403, 'api_key_not_own'])
    const rotated = await rotate(token, own?.body.key.id)
    assert.equal(rotated.status, 200, rotated.text)
    assert.equal(rotated.body.key.oauth_grant_id, own?.body.key.oauth_grant_id)
    await revoke(owner.key, rotated.body.key.oauth_grant_id)
    assert.equal(await onThis(rotated.body.api_key), 401)
    assert.equal(await onThis(owners?.body.api_key), 200)
  })

  it('that are created while it is disconnected are revoked, or never created', async () => {
    const { owner, token } = await newConnection()
    const [grant] = (await list(token)).oauth_grants
    const making = Array.from({ length: 8 }, () =>
      makeKey(token, owner.id, { scopes: ['account:read'] }),
    )
    const ending = rows('update oauth_grants set revoked_at = now() where id = $1', [grant.id])
    const [made] = await Promise.all([Promise.all(making), ending])
    for (const { status, body } of made)
      if (status === 201) assert.ok((await refusedElsewhere(body.api_key)) < 5_000)
      else assert.ok([401, 409].includes(status), String(status))
    const [alive] = await rows(
      'select count(*)::int as keys from api_keys where oauth_grant_id = $1 and revoked_at is null',
      [grant.id],
    )
    assert.equal(alive.keys, 0)
  })
})

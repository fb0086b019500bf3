// A later consent of a connected app: scopes that its owner does not allow there are withdrawn from
// the tokens and keys of the consents before; scopes that were not requested stay.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOwner, type Owner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import { scopes as everything } from '../../app.ts'
import { connected, newClient, newVisitor, type TestClient } from './consent.fixture.ts'

const registrar = await sharedService()
const rows = rowsIn(registrar)
const client = await newClient(registrar, { client_name: 'Narrowed' })

const wide = ['account:read', 'domains:read', 'domains:purchase', 'keys:write']
const newAccount = () => newOwner(registrar, { scopes: [...everything] })

type Asked = { requested?: readonly string[]; by?: TestClient }

/** A consent with these scopes, in a browser of its own: another installation of the app. */
async function connect(owner: Owner, scopes: readonly string[], { requested, by }: Asked = {}) {
  const visitor = newVisitor(registrar)
  const asked = { resource: registrar.url, scope: (requested ?? scopes).join(' ') }
  const { token, body } = await connected({ client: by ?? client, owner, visitor, scopes }, asked)
  return { token, refresh: String(body.refresh_token) }
}

const statusOf = async (token: string, path: string, body?: object) => {
  const method = body === undefined ? 'GET' : 'POST'
  const options = body === undefined ? { token } : { token, body }
  return (await registrar.request(method, path, options)).status
}
const buy = (token: string) =>
  statusOf(token, '/v1/domains', { domain: `${crypto.randomUUID().slice(0, 8)}.com` })
const read = (token: string) => statusOf(token, '/v1/domains')
const newKey = (token: string, owner: Owner, scopes: readonly string[]) =>
  registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, { token, body: { scopes } })

async function refreshed(refresh_token: string) {
  const { client_id } = client
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id })
  const answer = await fetch(`${registrar.url}/oauth/token`, { method: 'POST', body })
  const { access_token, scope, error }: Record<string, unknown> = Object(await answer.json())
  return { status: answer.status, token: String(access_token), scope: String(scope), error }
}

describe('a narrower consent', () => {
  it('narrows the access and refresh tokens of the one before', async () => {
    const owner = await newAccount()
    const before = await connect(owner, wide)
    assert.notEqual(await buy(before.token), 403)
    await connect(owner, ['account:read', 'domains:read'], { requested: wide })
    assert.deepEqual([await read(before.token), await buy(before.token)], [200, 403])
    const again = await refreshed(before.refresh)
    assert.deepEqual([again.status, again.scope], [200, 'account:read domains:read'])
    assert.deepEqual([await read(again.token), await buy(again.token)], [200, 403])
  })

  it('narrows the keys that the app made, and those that these made', async () => {
    const owner = await newAccount()
    const { token } = await connect(owner, wide)
    const key = (await newKey(token, owner, wide)).body.api_key
    const child = (await newKey(key, owner, ['domains:read', 'domains:purchase'])).body.api_key
    const own = (await newKey(owner.key, owner, wide)).body.api_key
    await connect(owner, ['domains:read'], { requested: wide })
    for (const narrowed of [key, child])
      assert.deepEqual([await read(narrowed), await buy(narrowed)], [200, 403])
    assert.notEqual(await buy(own), 403, 'a key of the owner stays as it is')
  })

  it('is shown by the list of connected apps, and the audit log names those it narrowed', async () => {
    const owner = await newAccount()
    await connect(owner, wide)
    await connect(owner, ['domains:read'], { requested: wide })
    const { body } = await registrar.request('GET', '/v1/account/oauth-grants', {
      token: owner.key,
    })
    assert.deepEqual(body.oauth_grants[0].scopes, ['domains:read'])
    const [first] = await rows(
      'select id from oauth_grants where customer_id = $1 order by created_at limit 1',
      [owner.id],
    )
    const logged = await rows(
      `select metadata -> 'narrowed_grants' as narrowed from audit_logs
        where customer_id = $1 and action = 'grant_oauth_client' order by id`,
      [owner.id],
    )
    assert.deepEqual(
      logged.map(({ narrowed }) => narrowed),
      [null, [first.id]],
    )
  })

  it('ends a consent that it leaves nothing of', async () => {
    const owner = await newAccount()
    const before = await connect(owner, ['domains:purchase'])
    const { token } = await connect(owner, ['domains:read'], { requested: wide })
    assert.equal(await read(before.token), 401)
    assert.deepEqual(
      [(await refreshed(before.refresh)).error, await read(token)],
      ['invalid_grant', 200],
    )
  })
})

describe('a later consent', () => {
  it('leaves what the app did not request, and widens nothing', async () => {
    const owner = await newAccount()
    const before = await connect(owner, ['domains:read', 'domains:purchase'])
    const { token } = await connect(owner, ['account:read'])
    assert.notEqual(await buy(before.token), 403)
    assert.equal(await statusOf(before.token, '/v1/account'), 403)
    assert.deepEqual([await statusOf(token, '/v1/account'), await read(token)], [200, 403])
  })

  it('leaves other apps, and the app of another owner', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()])
    const another = await newClient(registrar, { client_name: 'Narrowed' })
    const apart = await connect(owner, wide, { by: another })
    const theirs = await connect(other, wide)
    await connect(owner, wide)
    await connect(owner, ['domains:read'], { requested: wide })
    for (const { token } of [apart, theirs]) assert.notEqual(await buy(token), 403)
  })

  it('is shown on the page, with the scopes that it keeps', async () => {
    const owner = await newAccount()
    await connect(owner, ['domains:read', 'domains:purchase'])
    const visitor = newVisitor(registrar)
    const scope = 'domains:read contacts:read'
    const { text } = await visitor.consentPage(client.url({ scope }), owner)
    assert.match(
      text,
      /Permissions that you do not allow here are withdrawn from its earlier connections/,
    )
    assert.match(text, /keeps these permissions, which it does not request now:<\/p>\s*<ul><li>Buy/)
  })
})

describe('a key that is made while the consent is narrowed', () => {
  it('is not wider than the consent, though the caller was authenticated before', async () => {
    const owner = await newAccount()
    const { token } = await connect(owner, wide)
    assert.equal(await read(token), 200)
    // The authentication is cached with the earlier scopes.
    await rows(
      `update oauth_grants set scopes = '{domains:read,keys:write}' where customer_id = $1`,
      [owner.id],
    )
    const { status, body } = await newKey(token, owner, ['domains:purchase'])
    assert.deepEqual([status, body.code], [403, 'scope_not_held'])
    assert.equal((await newKey(token, owner, ['domains:read'])).status, 201)
  })
})

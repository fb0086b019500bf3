// dns:write on the consent page and in tokens: chosen in place of domains:write, never beside it,
// and what a later consent leaves of it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOwner, type Owner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import { scopes as everything } from '../../app.ts'
import { connected, newClient, newVisitor } from './consent.fixture.ts'

const registrar = await sharedService()
const rows = rowsIn(registrar)
const client = await newClient(registrar, { client_name: 'Records' })
const newAccount = () => newOwner(registrar, { scopes: [...everything] })
const both = ['domains:read', 'domains:write', 'dns:write']

async function connect(owner: Owner, scopes: readonly string[], requested: readonly string[]) {
  const visitor = newVisitor(registrar)
  const asked = { resource: registrar.url, scope: requested.join(' ') }
  const { token, body } = await connected({ client, owner, visitor, scopes }, asked)
  return { token, scope: String(body.scope), refresh_token: String(body.refresh_token) }
}

type Refreshing = { refresh_token: string }

async function refresh({ refresh_token }: Refreshing, scope?: string) {
  const { client_id } = client
  const given = { grant_type: 'refresh_token', refresh_token, client_id, ...(scope && { scope }) }
  const body = new URLSearchParams(given)
  const answer = await fetch(`${registrar.url}/oauth/token`, { method: 'POST', body })
  return { status: answer.status, body: Object(await answer.json()) }
}

const refreshed = async (given: Refreshing) => String((await refresh(given)).body.scope)

const grantsOf = async ({ id }: Owner) =>
  (
    await rows(
      `select scopes from oauth_grants where customer_id = $1 and revoked_at is null
        order by created_at`,
      [id],
    )
  ).map(({ scopes }) => scopes)

const listed = async (owner: Owner) => {
  const path = '/v1/account/oauth-grants'
  const { body } = await registrar.request('GET', path, { token: owner.key })
  return body.oauth_grants[0].scopes
}

describe('an app that asks for domains:write and dns:write', () => {
  it('has domains:write alone where the owner allows all, in its token and in the list', async () => {
    const owner = await newAccount()
    const made = await connect(owner, both, both)
    assert.equal(made.scope, 'domains:read domains:write')
    assert.deepEqual(await listed(owner), ['domains:read', 'domains:write'])
    const [row] = await rows(
      `select metadata -> 'scopes_not_given' as refused from audit_logs
        where customer_id = $1 and action = 'grant_oauth_client'`,
      [owner.id],
    )
    assert.deepEqual(row?.refused, [])
  })

  it('gets no token with dns:write of it by a refresh, which may only leave scopes out', async () => {
    const made = await connect(await newAccount(), both, both)
    const { status, body } = await refresh(made, 'dns:write')
    assert.deepEqual([status, body.error], [400, 'invalid_scope'])
    assert.equal((await refresh(made, 'domains:read')).body.scope, 'domains:read')
  })

  it('has dns:write alone where the owner chooses that', async () => {
    const owner = await newAccount()
    const { scope } = await connect(owner, ['domains:read', 'dns:write'], both)
    assert.equal(scope, 'domains:read dns:write')
  })

  it('is offered the records alone as a preset, which is not chosen at first', async () => {
    const owner = await newAccount()
    const visitor = newVisitor(registrar)
    const page = await visitor.consentPage(client.url({ scope: both.join(' ') }), owner)
    const radios = page.form.inputs.filter(({ name }) => name === 'preset')
    assert.deepEqual(
      radios.map(({ value }) => value),
      ['read', 'manage', 'dns', 'custom'],
    )
    assert.match(page.text, /value="manage" checked/)
    assert.match(page.text, /DNS records only/)
    const fields = page.form.inputs
      .filter(({ type, name }) => type === 'hidden' || name === 'spend_amount')
      .map(({ name, value }): [string, string] => [name, value])
    const sent = await visitor.submit([...fields, ['preset', 'dns'], ['decision', 'allow']])
    const { searchParams } = await visitor.leave(sent)
    const { body } = await client.redeem(searchParams.get('code'))
    assert.equal(body.scope, 'domains:read dns:write')
  })
})

describe('a later consent', () => {
  it('without domains:write leaves dns:write of the one before where it allows that', async () => {
    const owner = await newAccount()
    const before = await connect(owner, both, both)
    await connect(owner, ['domains:read', 'dns:write'], both)
    assert.deepEqual(await grantsOf(owner), [
      ['domains:read', 'dns:write'],
      ['domains:read', 'dns:write'],
    ])
    assert.equal(await refreshed(before), 'domains:read dns:write')
    assert.deepEqual(await listed(owner), ['domains:read', 'dns:write'])
  })

  it('that allows neither takes both, also where only domains:write was asked for', async () => {
    const owner = await newAccount()
    await connect(owner, ['domains:read', 'dns:write'], both)
    await connect(owner, ['domains:read'], ['domains:read', 'domains:write'])
    assert.deepEqual(await grantsOf(owner), [['domains:read'], ['domains:read']])
  })

  it('for dns:write is no news for an app that has domains:write', async () => {
    const owner = await newAccount()
    await connect(owner, ['domains:write'], ['domains:write'])
    const visitor = newVisitor(registrar)
    const page = await visitor.consentPage(client.url({ scope: 'dns:write' }), owner)
    assert.match(page.text, /It requests nothing new/)
    assert.match(page.text, /does not request now:<\/p>\s*<ul><li>Change your domains/)
    await connect(owner, ['dns:write'], ['dns:write'])
    assert.deepEqual(await listed(owner), ['domains:write'])
  })

  it('for domains:write is news for an app that has dns:write', async () => {
    const owner = await newAccount()
    await connect(owner, ['dns:write'], ['dns:write'])
    const visitor = newVisitor(registrar)
    const page = await visitor.consentPage(client.url({ scope: 'domains:write' }), owner)
    assert.match(page.text, /requests these new permissions:<\/p>\s*<ul><li>Change your domains/)
    assert.doesNotMatch(page.text, /does not request now:/)
  })
})

it('the keys that an app made keep dns:write of domains:write that it loses', async () => {
  const owner = await newAccount()
  const wide = ['keys:write', 'domains:write', 'dns:write']
  const { token } = await connect(owner, wide, wide)
  const path = `/v1/customers/${owner.id}/api-keys`
  const ids = []
  for (const scopes of [['domains:write'], ['dns:write']]) {
    const made = await registrar.request('POST', path, { token, body: { scopes } })
    assert.equal(made.status, 201, made.text)
    ids.push(made.body.key.id)
  }
  await connect(owner, ['keys:write', 'dns:write'], wide)
  const stored = await rows('select scopes from api_keys where id = any ($1) order by id', [ids])
  assert.deepEqual(
    stored.map(({ scopes }) => scopes),
    [['dns:write'], ['dns:write']],
  )
})

// TSIG keys: who may make them, how wide they are, and with what they end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentSessionOf, sessionOf } from '../../support/sign-in.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { registrar, sql } from './records.fixture.ts'

const { request, customer } = registrar
const all = ['domains:read', 'domains:write', 'domains:purchase', 'keys:read', 'keys:write']

async function held(scopes: readonly string[] = all) {
  const owner = await customer({ funds_cents: 10_000, scopes: [...scopes] })
  const domain = `${fresh()}.com`
  const at = `/v1/domains/${domain}/tsig-keys`
  await must(request('POST', '/v1/domains', { token: owner.key, body: { domain } }))
  const keyOf = async (given: object, token = owner.key) => {
    const path = `/v1/customers/${owner.id}/api-keys`
    const { body } = await must(request('POST', path, { token, body: given }), 201)
    return body
  }
  return {
    ...{ owner, domain, at, keyOf },
    make: (body: object = {}, token = owner.key) => request('POST', at, { token, body }),
    end: (id: string, token = owner.key) => request('DELETE', `${at}/${id}`, { token }),
    list: async () => (await must(request('GET', at, { token: owner.key }))).body.keys,
  }
}

test('a key is shown once, its secret is sealed, and the owner gets a mail without it', async () => {
  const { make, list, owner } = await held()
  const given = { hosts: ['_ACME-challenge*'], types: ['TXT', 'TYPE1'], algorithm: 'hmac-sha512' }
  const { body } = await must(make(given), 201)
  const { key, secret } = body
  assert.equal(Buffer.from(secret, 'base64').length, 64)
  assert.deepEqual([key.hosts, key.types], [['_acme-challenge*'], ['TXT', 'A']])
  assert.deepEqual(
    [key.state, key.made_by, key.name],
    ['active', 'api_key', key.id.replace('_', '-')],
  )
  assert.deepEqual(await list(), [key])
  const [row] = await sql('select sealed_secret from tsig_keys where id = $1', [key.id])
  assert.ok(!String(row?.sealed_secret).includes(secret))
  const mails = await sql('select body from mails where customer_id = $1 and kind = $2', [
    ...[owner.id, 'tsig_key_created'],
  ])
  assert.equal(mails.length, 1)
  assert.match(String(mails[0]?.body), new RegExp(key.name))
  assert.ok(!JSON.stringify(mails).includes(secret))
})

test('a key needs keys:write and dns:write, a session a log-in of the last ten minutes', async () => {
  const { make, owner, keyOf } = await held()
  const { api_key: without } = await keyOf({ scopes: ['keys:write', 'domains:read'] })
  assertProblem(await make({}, without), '403 insufficient_scope')
  const { api_key: with_dns } = await keyOf({ scopes: ['keys:write', 'dns:write'] })
  await must(make({}, with_dns), 201)
  const { api_key: no_keys } = await keyOf({ scopes: ['dns:write'] })
  assertProblem(await make({}, no_keys), '403 insufficient_scope')
  assertProblem(await make({}, await sessionOf(registrar, owner)), '403 fresh_log_in_needed')
  const { body } = await must(make({}, await recentSessionOf(registrar, owner)), 201)
  assert.deepEqual([body.key.made_by, body.key.made_by_id], ['owner', null])
})

test('a limited key makes no wider one, and malformed fields are named', async () => {
  const { make, keyOf } = await held()
  const dns = { hosts: ['_acme-challenge*'], types: ['TXT'] }
  const { api_key } = await keyOf({ scopes: ['keys:write', 'dns:write'], dns })
  assertProblem(await make({ hosts: ['www'] }, api_key), '403 limit_not_held')
  assertProblem(await make({ types: ['A'] }, api_key), '403 limit_not_held')
  await must(make({ hosts: ['_acme-challenge.www'], types: ['TXT'] }, api_key), 201)
  await must(make({}, api_key), 201)
  const wrong = await make({
    hosts: ['a b'],
    types: ['NONSENSE'],
    expires_at: '2001-01-01T00:00:00Z',
  })
  assert.equal(wrong.status, 422)
  assert.deepEqual(
    wrong.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.')),
    ['body.hosts.0', 'body.types.0', 'body.expires_at'],
  )
})

test('a key ends with its maker, and stays in the list', async () => {
  const { make, list, owner, keyOf } = await held()
  const { api_key, key } = await keyOf({ scopes: ['keys:write', 'dns:write'] })
  await must(make({}, api_key), 201)
  const revoke = `/v1/customers/${owner.id}/api-keys/${key.id}/revoke`
  await must(request('POST', revoke, { token: owner.key }))
  assert.deepEqual(
    (await list()).map((one: { state: string; made_by_id: string }) => [one.state, one.made_by_id]),
    [['maker_ended', String(key.id)]],
  )
})

test('on a protected domain only a session makes and deletes keys', async () => {
  const { make, end, owner, domain, list } = await held()
  const session = await recentSessionOf(registrar, owner)
  await must(request('POST', `/v1/domains/${domain}/protect`, { token: session }))
  assertProblem(await make(), '403 session_required')
  const { body } = await must(make({}, session), 201)
  assertProblem(await end(body.key.id), '403 session_required')
  await must(end(body.key.id, session), 204)
  assert.deepEqual(await list(), [])
})

test('a domain has at most 20, and one that has ended makes place for another', async () => {
  const { make, list, end } = await held()
  const { body } = await must(make(), 201)
  await sql(
    `insert into tsig_keys (id, domain_id, customer_id, algorithm, sealed_secret, made_by)
     select 'tsk_' || lpad(right(k.id, 20) || i, 26, '0'), domain_id, customer_id, algorithm,
            sealed_secret, 'owner' from tsig_keys k, generate_series(10, 28) i where k.id = $1`,
    [body.key.id],
  )
  assertProblem(await make(), '409 too_many_tsig_keys')
  const past = 'now() - interval $$1 minute$$'
  await sql(`update tsig_keys set expires_at = ${past} where id = $1`, [body.key.id])
  await must(make(), 201)
  assert.equal((await list()).length, 20)
  assertProblem(await end(body.key.id), '404 tsig_key_not_found')
})

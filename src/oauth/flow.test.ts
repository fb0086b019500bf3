// The whole OAuth flow, from registration to refresh and revocation, on two nodes of one
// database.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDatabase } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import {
  authorization,
  type Client,
  callTool,
  connect,
  decide,
  ownerOf,
  person,
  post,
  redeem,
  redirect_uri,
  refresh,
  register,
} from './flow.fixture.ts'

// One database, and so one ENCRYPTION_KEY.
const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64') }
const database_url = await newDatabase('template_of_tests')
const registrar = await startService({ settings, database_url })
const { sandbox, mailbox } = registrar
const other = await startService({
  sandbox,
  mailbox,
  database_url,
  worker: false,
  settings: { ...settings, PUBLIC_URL: registrar.url },
})
// Its settings say where the first one is; it listens elsewhere.
const address = other.service.server.server.address()
const node = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
const query = ownerOf(registrar)

/** Calls until it is refused, and returns after how many milliseconds that was. */
async function endsAt(root: string, token: string): Promise<number> {
  const start = performance.now()
  while ((await callTool(root, token)).status !== 401) {
    assert.ok(performance.now() - start < 5_000, 'the token still works after 5 s')
    await sleep(25)
  }
  return performance.now() - start
}

async function holder() {
  const owner = await person(registrar, query)
  return { owner, ...(await connect(registrar, owner)) }
}

test('a client that knows only the URL gets a token that works on every node', async () => {
  const { owner, tokens } = await holder()
  assert.equal(tokens.expires_in, 3_600)
  assert.match(tokens.access_token, /^[\w-]{43}$/)
  for (const root of [registrar.url, node]) {
    const { status, id } = await callTool(root, tokens.access_token)
    assert.deepEqual({ status, id }, { status: 200, id: owner.id })
  }
  const [row] = await query(
    `select actor_type, actor_label from audit_logs where customer_id = $1
      and action = 'grant_oauth_client'`,
    [owner.id],
  )
  assert.ok(row)
})

test('registration grants nothing', async () => {
  const count = async () => {
    const [row] = await query(
      `select (select count(*) from customers) as customers,
        (select count(*) from api_keys) as keys,
        (select count(*) from oauth_grants) as grants,
        (select count(*) from oauth_models where model <> 'Client') as others`,
    )
    return row
  }
  const before = await count()
  const { client_id } = await register(registrar)
  assert.deepEqual(await count(), before)
  assert.equal((await callTool(registrar.url, client_id)).status, 401)
})

test('an authorization response has state and iss, for success and error', async () => {
  const owner = await person(registrar, query)
  const client = await register(registrar)
  const right = authorization(registrar, client)
  const good = await decide(owner, right)
  assert.equal(good.get('state'), right.state)
  assert.equal(good.get('iss'), registrar.url)
  const wrong = authorization(registrar, client, { code_challenge_method: 'plain' })
  const bad = await decide(owner, wrong)
  assert.equal(bad.get('error'), 'invalid_request')
  assert.equal(bad.get('state'), wrong.state)
  assert.equal(bad.get('iss'), registrar.url)
})

test('of concurrent redemptions of one code one succeeds, and the replay revokes its tokens', async () => {
  const owner = await person(registrar, query)
  const client = await register(registrar)
  const asked = authorization(registrar, client)
  const code = (await decide(owner, asked)).get('code') ?? ''
  const { verifier } = asked
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => redeem(registrar, client, { code, verifier })),
  )
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const { status, body } of answers.filter((one) => one.status !== 200))
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  await endsAt(registrar.url, won[0]?.body.access_token)
})

test('a code is valid only for its client, redirect URI, verifier and resource', async () => {
  const owner = await person(registrar, query)
  const client = await register(registrar)
  const another = await register(registrar)
  const wrong = async (by: Client, change: Record<string, string>) => {
    const asked = authorization(registrar, client)
    const code = (await decide(owner, asked)).get('code') ?? ''
    const { status, body } = await redeem(registrar, by, {
      code,
      verifier: asked.verifier,
      ...change,
    })
    return `${status} ${body.error}`
  }
  assert.equal(await wrong(another, {}), '400 invalid_grant')
  const unknown = await redeem(registrar, client, {
    code: 'x'.repeat(43),
    verifier: 'x'.repeat(43),
  })
  assert.match(unknown.body.error_description, /^the code .* connect again/)
  assert.equal(await wrong(client, { redirect_uri: `${redirect_uri}/` }), '400 invalid_grant')
  assert.equal(await wrong(client, { verifier: 'x'.repeat(43) }), '400 invalid_grant')
  assert.equal(
    await wrong(client, { resource: 'https://elsewhere.example/mcp' }),
    '400 invalid_target',
  )
  assert.equal(await wrong(client, { resource: registrar.url }), '400 invalid_target')
})

test('a refresh token has one successor; a replay after its use revokes the grant on every node', async () => {
  const { client, tokens } = await holder()
  const first = await refresh(registrar, client, { refresh_token: tokens.refresh_token })
  assert.equal(first.status, 200, first.text)
  assert.notEqual(first.body.refresh_token, tokens.refresh_token)
  assert.equal(first.body.scope, tokens.scope)
  assert.equal((await callTool(node, first.body.access_token)).status, 200)
  const next = await refresh(registrar, client, { refresh_token: first.body.refresh_token })
  const again = await refresh(registrar, client, { refresh_token: tokens.refresh_token })
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  await endsAt(node, first.body.access_token)
  await endsAt(registrar.url, tokens.access_token)
  const last = await refresh(registrar, client, { refresh_token: next.body.refresh_token })
  assert.equal(last.body.error, 'invalid_grant')
})

test('a refresh can narrow the scope, and never widen it', async () => {
  const owner = await person(registrar, query)
  const { client, tokens } = await connect(registrar, owner, { scope: 'account:read domains:read' })
  assert.equal(tokens.scope, 'account:read domains:read')
  const less = await refresh(registrar, client, {
    refresh_token: tokens.refresh_token,
    scope: 'domains:read',
  })
  assert.equal(less.body.scope, 'domains:read')
  const more = await refresh(registrar, client, {
    refresh_token: less.body.refresh_token,
    scope: 'keys:write',
  })
  assert.equal(more.body.error, 'invalid_scope')
})

test('revoking a token revokes the grant', async () => {
  const { client, tokens } = await holder()
  const { client_id } = client
  const otherClient = await register(registrar)
  const revoke = (token: string, by: string) =>
    post(`${registrar.url}/oauth/revoke`, { token, client_id: by })
  assert.equal((await revoke(tokens.access_token, otherClient.client_id)).status, 200)
  assert.equal((await callTool(registrar.url, tokens.access_token)).status, 200)
  assert.equal((await revoke(tokens.access_token, client_id)).status, 200)
  await endsAt(node, tokens.access_token)
  const refreshed = await refresh(registrar, client, { refresh_token: tokens.refresh_token })
  assert.equal(refreshed.body.error, 'invalid_grant')
  assert.match(refreshed.body.error_description, /refresh token .* revoked.*: connect again/)
  const unknown = await refresh(registrar, client, { refresh_token: 'x'.repeat(43) })
  assert.deepEqual(unknown.body, refreshed.body, 'the same words for a token that never was')
})

test('introspection shows a client only its own tokens', async () => {
  const { client, tokens, owner } = await holder()
  const otherClient = await register(registrar)
  const look = async (client_id: string) =>
    (await post(`${registrar.url}/oauth/introspect`, { token: tokens.access_token, client_id }))
      .body
  const { active, sub, aud, scope } = await look(client.client_id)
  assert.deepEqual(
    { active, sub, aud, scope },
    { active: true, sub: owner.id, aud: `${registrar.url}/mcp`, scope: tokens.scope },
  )
  assert.deepEqual(await look(otherClient.client_id), { active: false })
})

test('a changed password revokes every grant on every node; a rehash of the same does not', async () => {
  const { owner, tokens } = await holder()
  await query('update passwords set hash = hash where customer_id = $1', [owner.id])
  assert.equal((await callTool(node, tokens.access_token)).status, 200)
  await query('update passwords set changed_at = now() where customer_id = $1', [owner.id])
  await endsAt(node, tokens.access_token)
  const [row] = await query(
    `select count(*)::int as left from oauth_models where account_id = $1`,
    [owner.id],
  )
  assert.equal(row?.left, 0)
})

test('a closed account revokes every grant; a suspended one can still read', async () => {
  const { owner, tokens } = await holder()
  await query(`update customers set status = 'suspended' where id = $1`, [owner.id])
  assert.equal((await callTool(registrar.url, tokens.access_token)).status, 200)
  await query(`update customers set status = 'closed' where id = $1`, [owner.id])
  await endsAt(registrar.url, tokens.access_token)
  await query(`update customers set status = 'active' where id = $1`, [owner.id])
  assert.equal((await callTool(registrar.url, tokens.access_token)).status, 401)
})

test('API keys created with a grant, and keys created with those, end with it', async () => {
  const { owner } = await holder()
  const [grant] = await query('select id from oauth_grants where customer_id = $1', [owner.id])
  await query('update api_keys set oauth_grant_id = $2 where id = $1', [owner.key_id, grant?.id])
  await query('update oauth_grants set revoked_at = now() where id = $1', [grant?.id])
  const [key] = await query('select revoked_at from api_keys where id = $1', [owner.key_id])
  assert.ok(key?.revoked_at)
})

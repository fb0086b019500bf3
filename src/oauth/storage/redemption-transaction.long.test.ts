// A code or a refresh token is consumed together with the tokens issued for it, or not at all: with
// database failures at each step, invalid requests, and concurrency.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import pg from 'pg'
import { untilBlocked } from '../../../test/support/database.ts'
import type { Answer } from '../../../test/support/service.ts'
import { startService } from '../../../test/support/service.ts'
import {
  authorization,
  callTool,
  connect,
  decide,
  ownerOf,
  person,
  redeem,
  refresh,
  register,
} from '../flow.fixture.ts'

const registrar = await startService({ settings: { DATABASE_POOL: '3' } })
const query = ownerOf(registrar)

/** Makes each insert of a model fail for one customer, as a trigger does; returns how to end it. */
async function failing(
  model: string,
  customer_id: string,
  { body, deferred = false }: { body: string; deferred?: boolean },
): Promise<() => Promise<unknown>> {
  await query(`create or replace function fail() returns trigger language plpgsql as
    $$ begin ${body}; return new; end $$`)
  const [what, how] = deferred
    ? ['constraint trigger', 'after insert on oauth_models deferrable initially deferred']
    : ['trigger', 'before insert on oauth_models']
  await query(`create ${what} failing ${how} for each row
    when (new.model = '${model}' and new.account_id = '${customer_id}') execute function fail()`)
  return () => query('drop trigger failing on oauth_models')
}

const failover = `raise exception 'shutting down' using errcode = '57P01'`

async function isRevoked(customer_id: string): Promise<boolean> {
  const rows = await query(
    'select 1 from oauth_grants where customer_id = $1 and revoked_at is not null',
    [customer_id],
  )
  return rows.length > 0
}

/** Ends the half minute in which a refresh token is used again. */
async function endOverlap(customer_id: string): Promise<void> {
  await query(
    `update oauth_models set expires_at = clock_timestamp()
      where model = 'RefreshAnswer' and account_id = $1`,
    [customer_id],
  )
}

function isOutage({ status, headers, body, text }: Answer): void {
  assert.equal(status, 503, text)
  assert.equal(body.error, 'temporarily_unavailable')
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(body.access_token, undefined)
}

/** A consent, and the code that came of it. */
async function withCode(change: Record<string, string> = {}) {
  const owner = await person(registrar, query)
  const client = await register(registrar)
  const asked = authorization(registrar, client, change)
  const code = (await decide(owner, asked)).get('code') ?? ''
  return { owner, client, fields: { code, verifier: asked.verifier } }
}

async function withTokens(change: Record<string, string> = {}) {
  const owner = await person(registrar, query)
  return { owner, ...(await connect(registrar, owner, change)) }
}

for (const model of ['RefreshToken', 'AccessToken'])
  test(`a refresh whose new ${model} cannot be stored leaves the old one valid`, async () => {
    const { owner, client, tokens } = await withTokens()
    const { refresh_token } = tokens
    const end = await failing(model, owner.id, { body: failover })
    isOutage(await refresh(registrar, client, { refresh_token }))
    isOutage(await refresh(registrar, client, { refresh_token }))
    await end()
    const again = await refresh(registrar, client, { refresh_token })
    assert.equal(again.status, 200, again.text)
    assert.equal((await callTool(registrar.url, again.body.access_token)).status, 200)
    assert.equal(await isRevoked(owner.id), false)
  })

for (const model of ['RefreshToken', 'AccessToken'])
  test(`a code whose ${model} cannot be stored stays valid`, async () => {
    const { owner, client, fields } = await withCode()
    const end = await failing(model, owner.id, { body: failover })
    isOutage(await redeem(registrar, client, fields))
    await end()
    const again = await redeem(registrar, client, fields)
    assert.equal(again.status, 200, again.text)
    assert.equal(await isRevoked(owner.id), false)
  })

test('a failure of the service is a 500, and leaves the token valid', async () => {
  const { owner, client, tokens } = await withTokens()
  const { refresh_token } = tokens
  const body = `raise exception 'a bug' using errcode = '23514'`
  const end = await failing('AccessToken', owner.id, { body })
  const broken = await refresh(registrar, client, { refresh_token })
  await end()
  assert.deepEqual([broken.status, broken.body.error], [500, 'server_error'])
  assert.equal((await refresh(registrar, client, { refresh_token })).status, 200)
})

test('a failed commit issues no tokens, and its cause is logged', async () => {
  const { owner, client, tokens } = await withTokens()
  const { refresh_token } = tokens
  const end = await failing('AccessToken', owner.id, { body: failover, deferred: true })
  const from = registrar.logs.length
  isOutage(await refresh(registrar, client, { refresh_token }))
  await end()
  const lines = registrar.logs.slice(from).filter((line) => line.includes('/oauth/token'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"status":503.*shutting down/)
  assert.equal((await refresh(registrar, client, { refresh_token })).status, 200)
})

test('a commit lost with its connection is checked, and can be tried again', async () => {
  const { owner, client, tokens } = await withTokens()
  const { refresh_token } = tokens
  const end = await failing('AccessToken', owner.id, {
    body: 'perform pg_sleep(9)',
    deferred: true,
  })
  const asked = refresh(registrar, client, { refresh_token })
  for (let ended = 0; ended === 0; )
    ended = (
      await query(`select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event = 'PgSleep' and datname = current_database()`)
    ).length
  isOutage(await asked)
  await end()
  assert.equal((await refresh(registrar, client, { refresh_token })).status, 200)
})

test('a commit with a late answer is checked, and its tokens are returned', async () => {
  const { owner, client, tokens } = await withTokens()
  // Longer than a commit is waited for.
  const end = await failing('AccessToken', owner.id, {
    body: 'perform pg_sleep(6)',
    deferred: true,
  })
  const late = await refresh(registrar, client, { refresh_token: tokens.refresh_token })
  await end()
  assert.equal(late.status, 200, late.text)
  assert.equal((await callTool(registrar.url, late.body.access_token)).status, 200)
  const next = await refresh(registrar, client, { refresh_token: late.body.refresh_token })
  assert.equal(next.status, 200, next.text)
})

test('a client that disconnects before the response can use its token again', async (t) => {
  const { owner, client, tokens } = await withTokens()
  const { refresh_token } = tokens
  const holder = new pg.Client(registrar.service.settings.database_url ?? '')
  await holder.connect()
  // Also where the test fails: the request would wait for it.
  t.after(() => holder.end())
  await holder.query('select pg_advisory_lock(1)')
  const end = await failing('AccessToken', owner.id, { body: 'perform pg_advisory_xact_lock(1)' })
  const arrived = once(registrar.service.server.server, 'request')
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client })
  const client_gone = new AbortController()
  const asked = fetch(`${registrar.url}/oauth/token`, {
    method: 'POST',
    body,
    signal: client_gone.signal,
  })
  const [, response] = await arrived
  await untilBlocked(query)
  // The service sees that it is gone before the tokens are stored.
  const gone = once(response, 'close')
  client_gone.abort()
  await assert.rejects(asked)
  await gone
  await holder.end()
  await end()
  const again = await refresh(registrar, client, { refresh_token })
  assert.equal(again.status, 200, again.text)
})

test('a refresh for a resource or a scope that was not granted leaves the token valid', async () => {
  const { owner, client, tokens } = await withTokens({ scope: 'account:read' })
  const { refresh_token } = tokens
  for (const resource of [registrar.url, 'https://elsewhere.example/mcp', 'no resource']) {
    const { status, body } = await refresh(registrar, client, { refresh_token, resource })
    assert.deepEqual([status, body.error], [400, 'invalid_target'])
  }
  const { status, body } = await refresh(registrar, client, { refresh_token, scope: 'keys:write' })
  assert.deepEqual([status, body.error], [400, 'invalid_scope'])
  assert.equal((await refresh(registrar, client, { refresh_token })).status, 200)
  assert.equal(await isRevoked(owner.id), false)
})

test('a code for a resource that was not granted stays valid for the right one', async () => {
  const { client, fields } = await withCode({ scope: 'account:read' })
  for (const resource of [registrar.url, 'https://elsewhere.example/mcp']) {
    const { status, body } = await redeem(registrar, client, { ...fields, resource })
    assert.deepEqual([status, body.error], [400, 'invalid_target'])
  }
  const right = await redeem(registrar, client, { ...fields, resource: `${registrar.url}/mcp` })
  assert.equal(right.status, 200, right.text)
})

test('a replay revokes the grant, whatever else is wrong with its request', async () => {
  const { owner, client, tokens } = await withTokens()
  const { refresh_token } = tokens
  const first = await refresh(registrar, client, { refresh_token })
  await endOverlap(owner.id)
  const replayed = await refresh(registrar, client, { refresh_token, resource: registrar.url })
  assert.deepEqual([replayed.status, replayed.body.error], [400, 'invalid_grant'])
  assert.ok(await isRevoked(owner.id))
  const { body } = await refresh(registrar, client, { refresh_token: first.body.refresh_token })
  assert.equal(body.error, 'invalid_grant')
})

test('a refresh that is repeated while the database fails at it can be repeated again', async () => {
  const { owner, client, tokens } = await withTokens({ scope: 'account:read domains:read' })
  const { refresh_token } = tokens
  const first = await refresh(registrar, client, { refresh_token })
  const end = await failing('AccessToken', owner.id, { body: failover })
  isOutage(await refresh(registrar, client, { refresh_token, scope: 'account:read' }))
  await end()
  const again = await refresh(registrar, client, { refresh_token, scope: 'account:read' })
  assert.equal(again.status, 200, again.text)
  assert.equal(again.body.refresh_token, first.body.refresh_token)
  assert.equal(await isRevoked(owner.id), false)
})

test('of fifty concurrent refreshes of a used token none succeeds, and the grant ends', async () => {
  const { owner, client, tokens } = await withTokens()
  const { refresh_token } = tokens
  await refresh(registrar, client, { refresh_token })
  await endOverlap(owner.id)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => refresh(registrar, client, { refresh_token })),
  )
  for (const { status, body, text } of answers)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'], text)
  assert.ok(await isRevoked(owner.id))
  const [row] = await query(
    `select count(*)::int as left from oauth_models
      where account_id = $1 and model in ('AccessToken', 'RefreshToken', 'Grant')`,
    [owner.id],
  )
  assert.equal(row?.left, 0)
})

test('fifty grants are refreshed concurrently over three connections', async () => {
  const owner = await person(registrar, query)
  const all = []
  for (let made = 0; made < 50; made += 1) all.push(await connect(registrar, owner))
  const answers = await Promise.all(
    all.map(({ client, tokens }) =>
      refresh(registrar, client, { refresh_token: tokens.refresh_token }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(await isRevoked(owner.id), false)
})

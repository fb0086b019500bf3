// Retention of unused clients, and the registration quota.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import pg from 'pg'
import { startService } from '../../../test/support/service.ts'
import { systemCall } from '../../capabilities/audit/index.ts'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { type Client, ownerOf, register } from '../flow.fixture.ts'
import { purgeClients } from './purge-clients.job.ts'
import { addRegistration, type RegistrationParts } from './registration.ts'
import { openRegistrationQuota } from './registration-quota.ts'

const registrar = await startService({ worker: false })
const query = ownerOf(registrar)
const { app } = registrar.service

async function clientAged(interval: string): Promise<Client> {
  const client = await register(registrar)
  await query(
    'update oauth_models set created_at = now() - $2::interval where model = $3 and client_id = $1',
    [client.client_id, interval, 'Client'],
  )
  return client
}

async function isThere({ client_id }: Client): Promise<boolean> {
  const found = await query("select from oauth_models where model = 'Client' and client_id = $1", [
    client_id,
  ])
  return found.length === 1
}

async function begin({ client_id, redirect_uri }: Client): Promise<number> {
  const url = new URL('/oauth/authorize', registrar.url)
  url.search = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: 'c'.repeat(43),
  }).toString()
  const { status } = await fetch(url, { redirect: 'manual' })
  return status
}

async function consent({ client_id }: Client, revoked: boolean): Promise<void> {
  const { id } = await registrar.customer({ contact: false, funds_cents: 0 })
  await query(
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
       resource, created_at, revoked_at)
     values ($1, $2, $3, 'A client', 'client.example', '{}', 'r', now(), $4)`,
    [`grant-of-${client_id}`, id, client_id, revoked ? new Date() : null],
  )
}

function purge() {
  return purgeClients.run(app, systemCall(app, purgeClients.name))
}

test('a client without consent is purged after a day, and is unknown then', async () => {
  const old = await clientAged('24 hours 1 minute')
  const young = await clientAged('23 hours 59 minutes')
  assert.equal(await begin(young), 303)
  assert.deepEqual(await purge(), { more: false })
  assert.equal(await isThere(old), false)
  assert.equal(await isThere(young), true)
  assert.equal(await begin(old), 400)
})

test('a client that ever had a consent stays, however old', async () => {
  const active = await clientAged('400 days')
  await consent(active, false)
  const ended = await clientAged('400 days')
  await consent(ended, true)
  await purge()
  assert.equal(await isThere(active), true)
  assert.equal(await isThere(ended), true)
})

test('a client stays while an authorization of it is in progress', async () => {
  const client = await clientAged('2 days')
  assert.equal(await begin(client), 303)
  await purge()
  assert.equal(await isThere(client), true)
  await query(
    `update oauth_models set expires_at = now() - interval '1 second'
      where model = 'Interaction' and payload #>> '{params,client_id}' = $1`,
    [client.client_id],
  )
  await purge()
  assert.equal(await isThere(client), false)
})

test('a client with a code or a token stays', async () => {
  const client = await clientAged('2 days')
  await query(
    `insert into oauth_models (model, id_hash, payload, client_id, expires_at)
     values ('AuthorizationCode', sha256(convert_to($1, 'UTF8')), '{}', $1, now() + '1 minute')`,
    [client.client_id],
  )
  await purge()
  assert.equal(await isThere(client), true)
})

test('a purge runs in batches, and reports that there is more', async () => {
  await query(
    `insert into oauth_models (model, id_hash, payload, client_id, created_at, registered_by)
     select 'Client', sha256(convert_to('many-' || i, 'UTF8')), '{}', 'many-' || i,
            now() - interval '3 days', '192.0.2.1'
       from generate_series(1, 1001) i`,
  )
  assert.deepEqual(await purge(), { more: true })
  assert.deepEqual(await purge(), { more: false })
})

test('at the quota, the oldest unused clients are purged, and recent ones are not', async () => {
  await query("delete from oauth_models where model = 'Client'")
  const used = await clientAged('9 days')
  await consent(used, false)
  const old = await clientAged('1 hour')
  const young = await clientAged('1 minute')
  const clock = { ms: 0 }
  const quota = openRegistrationQuota(app.db, { most: 2, now_ms: () => clock.ms })
  assert.equal(await quota(), true)
  assert.deepEqual(
    [await isThere(used), await isThere(old), await isThere(young)],
    [true, false, true],
  )
  assert.equal(await quota(), false)
  await register(registrar)
  clock.ms += 10_000
  assert.equal(await quota(), false)
  assert.equal(await isThere(young), true)
})

/** Clients of an address, the oldest first, a second apart; the newest registered so long ago. */
async function clientsOf(address: string, { many, newest }: { many: number; newest: string }) {
  await query(
    `insert into oauth_models (model, id_hash, payload, client_id, registered_by, created_at)
     select 'Client', sha256(convert_to($1 || i, 'UTF8')), '{}', $1 || i, $1,
            now() - $3::interval - ($2::int - i) * interval '1 second'
       from generate_series(1, $2::int) i`,
    [address, many, newest],
  )
}

async function left(address: string): Promise<string[]> {
  const rows = await query(
    "select client_id from oauth_models where model = 'Client' and registered_by = $1",
    [address],
  )
  return rows.map(({ client_id }) => String(client_id).slice(address.length)).sort()
}

test('one address cannot use up the quota: its oldest are purged, and the newest ten of each stay', async () => {
  await query("delete from oauth_models where model = 'Client'")
  await clientsOf('192.0.2.9-', { many: 40, newest: '2 minutes' })
  await clientsOf('192.0.2.8-', { many: 2, newest: '5 minutes' })
  const quota = openRegistrationQuota(app.db, { most: 42 })
  assert.equal(await quota(), true)
  assert.deepEqual(
    await left('192.0.2.9-'),
    Array.from({ length: 10 }, (_, i) => String(31 + i)),
  )
  assert.equal((await left('192.0.2.8-')).length, 2)
})

test('clients of the last minute stay, however many their address has', async () => {
  await query("delete from oauth_models where model = 'Client'")
  await clientsOf('192.0.2.9-', { many: 20, newest: '1 second' })
  const quota = openRegistrationQuota(app.db, { most: 20 })
  assert.equal(await quota(), false)
  assert.equal((await left('192.0.2.9-')).length, 20)
})

test('the address that registered a client is stored until the first consent', async () => {
  const client = await register(registrar)
  const registrant = () =>
    query("select registered_by from oauth_models where model = 'Client' and client_id = $1", [
      client.client_id,
    ])
  assert.deepEqual(await registrant(), [{ registered_by: '127.0.0.1' }])
  await consent(client, false)
  assert.deepEqual(await registrant(), [{ registered_by: null }])
})

/** Purges while a transaction that begins to use the client is open, and after its commit. */
async function staysWhile(client: Client, text: string, params: unknown[]): Promise<void> {
  const sql = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
  await sql.connect()
  try {
    await sql.query('begin')
    await sql.query(text, params)
    await purge()
    assert.equal(await isThere(client), true)
    await sql.query('commit')
  } finally {
    await sql.end()
  }
  await purge()
  assert.equal(await isThere(client), true)
}

test('a client with a concurrent consent is not purged', async () => {
  const client = await clientAged('2 days')
  const { id } = await registrar.customer({ contact: false, funds_cents: 0 })
  await staysWhile(
    client,
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
       resource, created_at)
     values ('grant-now', $1, $2, 'A client', 'client.example', '{}', 'r', now())`,
    [id, client.client_id],
  )
})

test('a client with a concurrent authorization request is not purged', async () => {
  const client = await clientAged('2 days')
  await staysWhile(
    client,
    `insert into oauth_models (model, id_hash, payload, expires_at)
     values ('Interaction', sha256('begins'), $1, now() + interval '1 minute')`,
    [{ params: { client_id: client.client_id } }],
  )
})

test('documents are purged when they are too stale, also of clients with a consent', async () => {
  await query(
    `insert into oauth_documents (client_id, fields, read_at, fresh_until)
     select 'https://client.example/' || age, '{}', now() - interval '3 days', now() - age
       from unnest(array['23 hours', '25 hours']::interval[]) age`,
  )
  await purge()
  const clients = await query('select client_id from oauth_documents')
  assert.deepEqual(clients, [{ client_id: 'https://client.example/23:00:00' }])
})

test('concurrent registrations do not exceed the quota', async () => {
  await query("delete from oauth_models where model = 'Client'")
  const quota = openRegistrationQuota(app.db, { most: 3 })
  const answers = await Promise.all(Array.from({ length: 10 }, () => quota()))
  assert.equal(answers.filter((there) => there).length, 3)
})

/** Serves registration alone and sends one request. `fails` is the error of the database. */
async function answerOf({ fails, ...parts }: Partial<RegistrationParts> & { fails?: Error }) {
  const server = Fastify()
  const count = async () => {
    throw fails
  }
  addRegistration(server, {
    app: fails === undefined ? app : { ...app, db: { ...app.db, count } },
    ports: { admit: async () => undefined, addressOf: () => '192.0.2.1' },
    ...parts,
  })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${address}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://client.example/cb'] }),
  })
  const body: Record<string, string> = Object(await response.json())
  await server.close()
  return { status: response.status, headers: response.headers, body }
}

test('beyond the quota a registration gets 503 with Retry-After', async () => {
  const { status, headers, body } = await answerOf({ quota: async () => false })
  assert.equal(status, 503)
  assert.equal(body.error, 'temporarily_unavailable')
  assert.equal(headers.get('retry-after'), '60')
})

test('a failure of the service does not reveal its cause', async () => {
  const answer = await answerOf({ fails: new Error('secret of the registrar') })
  assert.equal(answer.status, 500)
  assert.equal(answer.body.error, 'server_error')
  assert.doesNotMatch(JSON.stringify(answer.body), /secret of the registrar/)
})

test('an unavailable database, or an unknown commit, is a temporary error', async () => {
  for (const fails of [new DatabaseUnavailable('away'), new CommitUnknown('who knows')]) {
    const { status, headers, body } = await answerOf({ fails })
    assert.equal(status, 503)
    assert.equal(body.error, 'temporarily_unavailable')
    assert.equal(headers.get('retry-after'), '1')
  }
})

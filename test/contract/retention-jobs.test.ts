// Retention jobs: rows older than their setting are deleted, younger ones stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { systemCall } from '../../src/capabilities/audit/index.ts'
import { jobs } from '../../src/catalog.ts'
import { newDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'

const database_url = await newDatabase('template_of_tests')
const registrar = await startService({
  database_url,
  worker: false,
  settings: {
    MAIL_TEXTS_KEPT_DAYS: '5',
    MAILS_KEPT_DAYS: '10',
    MESSAGES_KEPT_DAYS: '20',
    NOTICES_KEPT_DAYS: '30',
    SIGN_UPS_KEPT_DAYS: '3',
    SESSIONS_KEPT_DAYS: '40',
    PLACES_KEPT_DAYS: '50',
    GRANTS_KEPT_DAYS: '60',
    SUPPORT_KEPT_DAYS: '70',
    APPROVALS_KEPT_DAYS: '80',
  },
})
const client = new pg.Client(database_url)
await client.connect()
registrar.closers.push(() => client.end())
const { app } = registrar.service
const { id: customer, key_id } = await registrar.customer({ funds_cents: 0 })

async function run(name: string): Promise<void> {
  const found = jobs.find((one) => one.name === name)
  assert.ok(found, `no job is named ${name}`)
  while ((await found.run(app, systemCall(app, name))).more);
}

async function left(text: string): Promise<unknown[]> {
  const { rows } = await client.query<{ key: string }>(text)
  return rows.map(({ key }) => key).sort()
}

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
const hash = (seed: string) => Buffer.alloc(32, seed)

test('deletes texts of mails, then the mails; what waits stays', async () => {
  await client.query(`delete from mail_dedupe_keys`)
  const add = `with key as (
        insert into mail_dedupe_keys (mail_id, dedupe_key)
        values ('mail_' || repeat($1, 26), $1) returning *)
      insert into mails (id, kind, dedupe_key, recipient, subject, body, state, ended_at)
      select mail_id, 'x', dedupe_key, 'a@example.com', 's', 'text', $2, $3 from key`
  for (const [key, state, days] of [
    ['a', 'sent', 11],
    ['b', 'failed', 11],
    ['c', 'sent', 9],
    ['d', 'sent', 4],
    ['e', 'queued', 900],
  ])
    await client.query(add, [key, state, state === 'queued' ? null : ago(Number(days))])
  await run('purge_mail_texts')
  await run('purge_expired_rows')
  assert.deepEqual(await left(`select dedupe_key as key from mails`), ['c', 'd', 'e'])
  assert.deepEqual(await left(`select dedupe_key as key from mail_dedupe_keys`), ['c', 'd', 'e'])
  const texts = `select dedupe_key as key from mails where body is not null`
  assert.deepEqual(await left(texts), ['d', 'e'])
})

test("deletes registries' messages by the setting", async () => {
  for (const days of [19, 21])
    await client.query(
      `with key as (insert into registry_message_keys (registry, msg_id) values ('thin', $1)
         returning *)
       insert into registry_messages
          (id, received_at, registry, msg_id, text, kind, parsed, raw, recognized, acked_at)
       select id, received_at, registry, msg_id, 'x', 'other', '{}', '', true, $2 from key`,
      [String(days), ago(days)],
    )
  await run('purge_expired_rows')
  assert.deepEqual(await left(`select msg_id as key from registry_messages`), ['19'])
  assert.deepEqual(await left(`select msg_id as key from registry_message_keys`), ['19'])
})

test('deletes notices of terms long ended, and abandoned claims of changes', async () => {
  await client.query('set session_replication_role = replica')
  for (const days of [29, 31])
    await client.query(`insert into expiry_notices values ($1, 'expired', $2)`, [days, ago(days)])
  await client.query('reset session_replication_role')
  await client.query(
    `insert into domain_changes values ('held.com', 't', now() + interval '1 minute'),
        ('young.com', 't', now() - interval '23 hours'),
        ('left.com', 't', now() - interval '25 hours')`,
  )
  await run('purge_expired_rows')
  assert.deepEqual(await left(`select domain_id::text as key from expiry_notices`), ['29'])
  assert.deepEqual(await left(`select domain as key from domain_changes`), [
    'held.com',
    'young.com',
  ])
})

test('deletes sessions and places of log-ins by their settings', async () => {
  for (const days of [39, 41])
    await client.query(
      `insert into sessions (customer_id, token_hash, created_at, signed_in_at, last_used_at,
           expires_at, agent, address) values ($1, $2, now(), now(), now(), $3, $4, 'x')`,
      [customer, hash(String(days)), ago(days), String(days)],
    )
  for (const days of [49, 51])
    await client.query(`insert into sign_in_networks values ($1, $2, $3)`, [
      customer,
      String(days),
      ago(days),
    ])
  await run('purge_expired_rows')
  assert.deepEqual(await left(`select agent as key from sessions`), ['39'])
  assert.deepEqual(await left(`select address as key from sign_in_networks`), ['49'])
})

test('deletes sign-ups, verified or not, and links to a new email address', async () => {
  const id = (prefix: string, days: number) => `${prefix}_${String(days).padStart(26, '0')}`
  for (const days of [1, 4]) {
    await client.query(
      `insert into sign_ups
         (id, email, name, address, agent, created_at, expires_at, answered_at, used_at)
       values ($1, 'a@example.net', 'A', 'x', 'test', $2, $2, $2, $2)`,
      [id('sgn', days), ago(days)],
    )
    await client.query(
      `insert into email_changes (id, customer_id, email, token_hash, created_at, expires_at)
       values ($1, $2, 'a@example.net', $3, now(), $4)`,
      [id('emc', days), customer, hash(`${days}`), ago(days - 0.5)],
    )
  }
  await run('purge_expired_rows')
  assert.deepEqual(await left(`select id as key from sign_ups`), [id('sgn', 1)])
  assert.deepEqual(await left(`select id as key from email_changes`), [id('emc', 1)])
})

test('deletes consents long ended, and a client with its last one; not those of keys', async () => {
  const grant = `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host,
        scopes, resource, created_at, revoked_at)
      values ($1, $2, $3, 'x', 'x', '{}', 'r', now(), $4)`
  const model = `insert into oauth_models (model, id_hash, payload, client_id, created_at)
      values ('Client', sha256(convert_to($1, 'UTF8')), '{}', $1, now() - interval '90 days')`
  for (const name of ['gone', 'kept', 'keyed']) await client.query(model, [name])
  await client.query(grant, ['old', customer, 'gone', ago(61)])
  await client.query(grant, ['old-too', customer, 'kept', ago(61)])
  await client.query(grant, ['young', customer, 'kept', ago(59)])
  await client.query(grant, ['with-key', customer, 'keyed', ago(61)])
  await client.query(`update api_keys set oauth_grant_id = 'with-key' where id = $1`, [key_id])
  await run('purge_oauth_clients')
  await run('purge_oauth_clients')
  assert.deepEqual(await left(`select id as key from oauth_grants`), ['with-key', 'young'])
  assert.deepEqual(await left(`select client_id as key from oauth_models where model = 'Client'`), [
    'kept',
    'keyed',
  ])
})

test('deletes approvals after their end, also those with an order; open ones stay', async () => {
  const add = `insert into approvals (id, customer_id, api_key_id, counted_for, asked_by,
        agent_identifier, action, domain, reason, request_digest, digest, request, amount, currency,
        state, created_at, expires_at, decided_at, ended_at, order_id)
      select $1, $2, $3::bigint, 'key:' || $3::bigint, 'agent', 'test', 'register_domain', 'a.com',
             'approval_above', encode(sha256($1::text::bytea), 'hex'), repeat('0', 64), '{}', 1000,
             'USD', $4, $5::timestamptz, $5,
             case when $4 = 'executed' then $5::timestamptz end,
             case when $4 <> 'pending' then $5::timestamptz end, $6`
  const bought = ['ord_old_approval', 'ord_new_approval']
  for (const [at, id] of bought.entries())
    await client.query(
      `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
         command, attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token,
         closed_at)
       values ($1, $2, 'register', $3, 'thin', 'succeeded', 'USD', 1000, 'd', '{}', 1, '{}', now(),
               now(), now(), 't', now())`,
      [id, customer, `approved-${at}.com`],
    )
  for (const [id, state, days, order] of [
    ['apr_a', 'voided', 81, null],
    ['apr_b', 'executed', 81, bought[0]],
    ['apr_c', 'executed', 79, bought[1]],
    ['apr_d', 'pending', 900, null],
  ] as const)
    await client.query(add, [id, customer, key_id, state, ago(days), order])
  await run('purge_expired_rows')
  assert.deepEqual(await left(`select id as key from approvals`), ['apr_c', 'apr_d'])
  assert.equal((await left(`select id as key from orders`)).length, 2)
})

test('deletes a conversation after its last message, and nodes that a crash left', async () => {
  const other = await registrar.customer({ funds_cents: 0, contact: false })
  for (const id of [customer, other.id])
    await client.query(`select support_post($1, 'msg_' || md5($1), 'customer', 'x', null)`, [id])
  const put = 'update support_threads set last_message_at = $2 where customer_id = $1'
  await client.query(put, [customer, ago(71)])
  await client.query(put, [other.id, ago(69)])
  for (const [node, hours] of [
    ['a', 2],
    ['b', 0],
  ] as const)
    await client.query('insert into support_stream_nodes values ($1, $2)', [node, ago(hours / 24)])
  await client.query(`insert into support_streams values ('s', $1, 'a')`, [customer])
  await run('purge_expired_rows')
  for (const table of ['support_threads', 'support_messages', 'support_events'])
    assert.deepEqual(await left(`select customer_id as key from ${table}`), [other.id], table)
  assert.deepEqual(await left('select node as key from support_stream_nodes'), ['b'])
  assert.deepEqual(await left('select id as key from support_streams'), [])
})

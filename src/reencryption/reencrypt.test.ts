// Rotation of ENCRYPTION_KEY: every sealed column of the schema is re-encrypted, no concurrent
// change is lost, and an interrupted run is repeated.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import type { Database } from '../db/database.ts'
import { Encryption } from '../kit/encryption.ts'
import { reencrypt, reportOf } from './reencrypt.ts'
import { sealedColumns } from './sealed-columns.sql.ts'
import { insertSealedRows } from './sealed-rows.fixture.ts'

const keyOf = (fill: string) => Buffer.alloc(32, fill).toString('base64')
const encryption = (current: string, ...previous: string[]) =>
  new Encryption({
    encryption_key: keyOf(current),
    encryption_keys_previous: previous.map(keyOf),
    data_dir: '/nowhere',
  })
const names = sealedColumns.map(({ table, column }) => `${table}.${column}`)

/** Closed columns of texts that contain digests, tokens and the like, in clear or hashed. */
const never_sealed = `approvals.digest approvals.request_digest audit_archives.partial_blocks
  card_checkouts.return_url card_checkouts.session_url checkouts.page_url domain_changes.token
  domains.auth_code_hash gateway_cursors.cursor idempotency_keys.answer idempotency_keys.digest
  oauth_models.uid orders.digest orders.fingerprints orders.lease_token
  passkey_challenges.challenge passwords.hash provider_clients.digest
  provider_clients.wanted_digest push_subscriptions.public_key registry_messages.raw
  schema_functions.sha256 schema_migrations.sha256 sessions.oauth_uid sign_in_failures.key
  sign_ups.password_hash tasks.lease_token tasks.payload webhooks.url`.split(/\s+/)

const open: TestDatabase = await testDatabase()

describe('the list of sealed columns', () => {
  test('has every closed column that can hold one, or this test says that none is there', async () => {
    const rows = await open.query(`
      select c.relname || '.' || a.attname as name
        from inspector_columns() i
        join pg_class c on c.relname = i.relation and c.relkind in ('r', 'p')
        join pg_attribute a on a.attrelid = c.oid and a.attname = any (i.secret)
       where c.relnamespace = 'public'::regnamespace
         and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'json'::regtype)`)
    const closed = rows.map(({ name }) => String(name)).sort()
    assert.deepEqual([...new Set([...names, ...never_sealed])].sort(), closed)
  })

  test('has no column of an append-only table, which could not be re-encrypted', async () => {
    const refused = await open.query(
      `select c from unnest($1::text[], $2::text[]) t (t, c)
        where not has_column_privilege('agent_registrar_app', t, c, 'update')
           or t in (select name::text from append_only_tables where fixed_columns is null)`,
      [sealedColumns.map(({ table }) => table), sealedColumns.map(({ column }) => column)],
    )
    assert.deepEqual(refused, [])
  })
})

describe('re-encryption', () => {
  test('re-encrypts each value of a previous key, in the role of the service', async () => {
    const { database: db, url, query } = await testDatabase()
    assert.deepEqual((await insertSealedRows(url, encryption('a'))).sort(), [...names].sort())
    const counts = async (keys: Encryption, check = false) =>
      (await reencrypt({ db, encryption: keys }, { check })).map(
        ({ table, column, resealed, previous, unreadable }) =>
          `${table}.${column} ${resealed} ${previous} ${unreadable}`,
      )
    const all = (count: string) => names.map((name) => `${name} ${count}`)
    const others = async () => (await query(`select a, m from approvals a, mails m`)).length
    const before = await query('select updated_at from domains')
    assert.deepEqual(await counts(encryption('b', 'a'), true), all('0 1 0'))
    assert.deepEqual(await counts(encryption('b', 'a')), all('1 0 0'))
    assert.deepEqual(await counts(encryption('b', 'a')), all('0 0 0'))
    assert.deepEqual(await counts(encryption('b')), all('0 0 0'))
    assert.deepEqual(await counts(encryption('a')), all('0 0 1'))
    assert.equal(await others(), 2)
    assert.deepEqual(await query('select updated_at from domains'), before)
    const [row] = await query(`select payload from oauth_models where payload ? 'kept'`)
    const { kept, lastSubmission } = Object(row?.payload)
    assert.equal(kept, 1)
    assert.equal(encryption('b').unseal(lastSubmission.link.sealed), 'oauth_models.payload')
  })

  test('is the only change of an open approval that the schema lets pass', async () => {
    const { url, query } = await testDatabase()
    await insertSealedRows(url, encryption('a'))
    for (const set of [`domain = 'b.com'`, `input = 'x', domain = 'b.com'`, 'input = null'])
      await assert.rejects(query(`update approvals set ${set}`), /has been decided/, set)
    await query(`update approvals set input = 'x'`)
    await query(`update approvals set state = 'declined', decided_at = now(), ended_at = now(),
                   input = null`)
    await assert.rejects(query(`update approvals set input = 'x'`), /has been decided/)
  })

  test('does not overwrite a value that changed meanwhile', async () => {
    const { database, url, query } = await testDatabase()
    await insertSealedRows(url, encryption('a'))
    const theirs = encryption('b').seal('theirs')
    const db: Database = {
      ...database,
      async count(statement, ...params) {
        if (statement.name === 'webhooks_reseal_secret')
          await query('update webhooks set sealed_secret = $1', [theirs])
        return database.count(statement, ...params)
      },
    }
    const reports = await reencrypt({ db, encryption: encryption('b', 'a') }, { check: false })
    const [row] = await query('select sealed_secret from webhooks')
    assert.equal(row?.sealed_secret, theirs)
    const report = reports.find(
      ({ table, column }) => `${table}.${column}` === 'webhooks.sealed_secret',
    )
    assert.deepEqual([report?.resealed, report?.previous], [0, 0])
  })

  test('goes on after an interruption, over more rows than a page', async () => {
    const { database, query } = await testDatabase()
    const keys = encryption('b', 'a')
    const rows = 1_203
    await query(
      `insert into oauth_signing_keys (kid, purpose, alg, sealed, signs_from)
       select 'k' || n, 'sign', 'EdDSA', $1, now() from generate_series(1, ${rows}) n`,
      [encryption('a').seal('key')],
    )
    let writes = 0
    const db: Database = {
      ...database,
      async count(statement, ...params) {
        writes += 1
        if (writes > 700) throw new Error('interrupted')
        return database.count(statement, ...params)
      },
    }
    await assert.rejects(reencrypt({ db, encryption: keys }, { check: false }), /interrupted/)
    const reports = await reencrypt({ db: database, encryption: keys }, { check: false })
    const report = reports.find(({ table }) => table === 'oauth_signing_keys')
    assert.deepEqual([report?.resealed, report?.previous, report?.unreadable], [rows - 700, 0, 0])
  })
})

test('the report says whether a previous key is needed, and counts what no key opens', () => {
  const one = { table: 'orders', column: 'sealed', resealed: 2, previous: 0, unreadable: 0 }
  const none = { ...one, table: 'webhooks', resealed: 0 }
  assert.deepEqual(reportOf([one, none]), {
    code: 0,
    lines: [
      'orders.sealed: 2 re-encrypted, 0 of a previous key, 0 that no key opens',
      'In all 2 columns: 2 re-encrypted, 0 of a previous key, 0 that no key opens.',
      'No stored value needs a previous key.',
    ],
  })
  assert.equal(reportOf([one, { ...none, unreadable: 1 }]).code, 3)
  const left = reportOf([one, { ...none, previous: 1, unreadable: 1 }])
  assert.equal(left.code, 1)
  assert.match(left.lines.at(-1) ?? '', /still needed/)
})

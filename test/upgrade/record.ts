// Records the database of this version, with rows of every kind, as a dump, with the reads of
// its customers, for upgrade.test.ts. Run once for each release:
//
//   npm ci --prefix test/outside && RECORD=NAME bin/test test/upgrade/record.ts
//
// It calls every operation of the catalog as it is documented, pays on a chain of its own (anvil),
// and loses an answer of a registry. Needs pg_dump: a PostgreSQL server of Debian's.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { documentedCall, sendDocumented } from '../contract/support/documented-calls.ts'
import { openFixture } from '../contract/support/fixture.ts'
import { unconfigured } from '../contract/support/unconfigured.ts'
import { newFolder, startPostgres } from '../programs/deploy/debian-postgres.fixture.ts'
import { startX402Place } from '../support/chain/x402-service.ts'
import { startService, type TestService } from '../support/service.ts'
import { payOnChain } from './chain-payments.fixture.ts'
import { readKept } from './kept.fixture.ts'
import { usePrograms } from './programs.fixture.ts'
import { countsOf } from './schema.fixture.ts'

const name = process.env.RECORD ?? ''
const file = join(import.meta.dirname, 'databases', name)

/** Calls each operation once, as its documented example says; returns the customer's key. */
async function callEverything(registrar: TestService): Promise<string> {
  const fixture = await openFixture(registrar)
  for (const operation of operations) {
    const call = await documentedCall(fixture, operation)
    const { status, text } = await sendDocumented(fixture, operation, call)
    if (!unconfigured.has(operation.at)) assert.equal(status, operation.status ?? 200, text)
  }
  return fixture.key
}

/** One order stays open: the registry made the name, and its answer never arrives. */
async function loseAnAnswer(registrar: TestService): Promise<string> {
  const buyer = await registrar.customer({ funds_cents: 10_000, scopes: [...scopes] })
  const domain = 'answer-was-lost.com'
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
  registrar.sandbox.setFault({ name: 'drop_before', command: 'domain:info', domain, times: null })
  const bought = await registrar.request('POST', '/v1/domains', {
    token: buyer.key,
    body: { domain },
  })
  assert.equal(bought.body.status, 'pending', bought.text)
  return buyer.key
}

test('records the database', async () => {
  assert.match(name, /^\d{4}-[a-z0-9-]+$/, 'RECORD names it, like its newest migration')
  const server = startPostgres()
  const database_url = server.urlOf('postgres')
  const first = await startService({ database_url })
  const keys = [await callEverything(first), await loseAnAnswer(first)]
  const place = await startX402Place({ native: true })
  const settings = { ...place.settings, ALLOW_LOOPBACK_WEBHOOKS: 'true' }
  const second = await startService({ database_url, settings, worker: false })
  keys.push(...(await payOnChain(second, place)))
  const third = await startService({ database_url, settings, mailbox: first.mailbox })
  keys.push(await usePrograms(third, place))
  const kept = await Promise.all(keys.map((key) => readKept(second, key)))
  const counts = await countsOf(database_url)
  const empty = [...counts].filter(([, n]) => n === 0).map(([table]) => table)
  const folder = newFolder()
  const options = '--inserts --rows-per-insert=200 --load-via-partition-root --no-owner'
  server.inShell([`pg_dump ${options} postgres > dump.sql`], folder)
  // Commands of psql are left out. Identities of a partitioned table are inherited from 17 on.
  const sql = readFileSync(join(folder, 'dump.sql'), 'utf8')
    .replaceAll(/^\\.*\n/gm, '')
    .replaceAll(/^(INSERT INTO \S+) VALUES/gm, '$1 OVERRIDING SYSTEM VALUE VALUES')
  writeFileSync(`${file}.sql.gz`, gzipSync(sql, { level: 9 }))
  writeFileSync(`${file}.json`, `${JSON.stringify({ empty, kept }, null, 2)}\n`)
})

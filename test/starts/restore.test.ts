// A backup that is restored after the registries went on: the dump of a running service goes into a
// new database, bin/reconcile-registry finds each difference, and the service continues on it with
// its invariants intact.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  newFolder,
  rows,
  skipPostgres,
  startPostgres,
} from '../programs/deploy/debian-postgres.fixture.ts'
import { documentedLines } from '../programs/deploy/documented-lines.fixture.ts'
import { type Node, openNode } from '../support/node.ts'
import { askAway } from '../support/other-registrar.ts'
import { root } from '../support/program.ts'
import { startService, type TestCustomer } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-restore-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return
    await sleep(50)
  }
  assert.fail(`not within 20 s: ${what}`)
}

const scopes = ['domains:read', 'domains:purchase', 'domains:write', 'domains:transfer']
const parked = '/v1/internal/parked-orders?alarm=true'

/** Where the newest audit block is noted. */
const kept = { DATA_DIR: join(folder, 'data') }

/** An empty database of a role that may make roles, as docs/production has it; its server. */
async function newServer() {
  const server = startPostgres()
  for (const statement of documentedLines('postgresql', 'create role', 3))
    await rows(server.urlOf('postgres'), statement)
  return { ...server, database_url: server.urlOf('registrar', 'registrar') }
}

const skip = skipPostgres
const server = skipPostgres ? null : await newServer()
const before_it = await startService({
  settings: kept,
  ...(server && { database_url: server.database_url }),
})

let after_it: Node | undefined
after(() => after_it?.close())
let customer: TestCustomer
let url = ''
let logs: string[] = []

const buy = (domain: string) => ask('POST', '/v1/domains', { domain })
const ask = (method: string, path: string, body?: unknown) =>
  before_it.request(method, path, { token: customer.key, ...(body ? { body } : {}) })
const creates = (domain: string) =>
  before_it.sandbox.effects().filter((one) => one.domain === domain && one.kind === 'create')

/** Asks the node on the restored database. */
async function askAgain(method: string, path: string, body?: unknown) {
  const token = path.startsWith('/v1/internal/') ? before_it.operatorKey : customer.key
  const response = await fetch(`${after_it?.service.settings.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: Object(await response.json()) }
}

async function assertSound(): Promise<void> {
  const path = '/v1/internal/ledger/trial-balance'
  const { body } = await askAgain('GET', path)
  assert.equal(body.sound, true, JSON.stringify(body))
}

/** Transfers it to the other registrar, as its owner allows. */
async function leave(domain: string): Promise<void> {
  const path = `/v1/domains/${domain}`
  await ask('POST', `${path}/unlock`)
  const { body, text } = await ask('POST', `${path}/transfer-auth-code/regenerate`)
  assert.ok(body.auth_code, text)
  await askAway(before_it, { domain, auth_info: String(body.auth_code) })
  const { body: left } = await ask('POST', `${path}/transfer/approve`)
  assert.equal(left.status, 'transferred_away', JSON.stringify(left))
}

async function command(name: string, ...args: string[]) {
  const { registries, tls } = before_it.sandbox
  const child = spawn(join(root, 'bin', name), args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      DATABASE_URL: url,
      ...kept,
      LOG_LEVEL: 'silent',
      REGISTRIES_FILE: join(root, 'bench/support/registries.yaml'),
      REGISTRY_CLIENT_ID: registries.thin.clientId,
      REGISTRY_PASSWORD: registries.thin.password,
      REGISTRY_CA: tls.ca_file,
      REGISTRY_CERT: tls.cert_file,
      REGISTRY_KEY: tls.key_file,
      THIN_PORT: String(registries.thin.port),
      THICK_PORT: String(registries.thick.port),
    },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** Buys, and leaves one order open, whose answer is lost. */
async function useIt(database_url: string): Promise<void> {
  const { sandbox } = before_it
  sandbox.settings.sixty_day_rule = false
  customer = await before_it.customer({ funds_cents: 50_000, scopes })
  for (const domain of ['kept.com', 'renewed.com', 'away.com'])
    assert.equal((await buy(domain)).status, 200, domain)
  // Its answer is lost, and the registry is silent about it until the dump is made.
  sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain: 'open.com' })
  sandbox.setFault({
    name: 'drop_before',
    command: 'domain:info',
    domain: 'open.com',
    times: null,
  })
  assert.equal((await buy('open.com')).body.status, 'pending')
  const sealed = `select from audit_blocks`
  await until('a sealed block', async () => (await rows(database_url, sealed)).length > 0)
}

/** More happens at the registries, which the dump does not know. */
async function goOn(database_url: string): Promise<void> {
  const [newest] = await rows(database_url, 'select max(number) as n from audit_blocks')
  before_it.sandbox.clearFaults()
  assert.equal((await buy('late.com')).status, 200)
  const renewal = await ask('POST', '/v1/domains/renewed.com/renew', { period_years: 1 })
  assert.equal(renewal.status, 200)
  await leave('away.com')
  // The longer the registry was silent about it, the longer it waits.
  const due = 'update orders set run_at = clock_timestamp() where closed_at is null'
  await until('the order is settled', async () => {
    await rows(database_url, due)
    const { body } = await ask('GET', '/v1/domains/open.com')
    return body.status === 'active'
  })
  await until('a later block', async () => {
    const [later] = await rows(database_url, 'select max(number) as n from audit_blocks')
    return Number(later?.n) > Number(newest?.n)
  })
}

before(async () => {
  if (!server) return
  const { database_url } = server
  await useIt(database_url)
  const dumps = newFolder()
  server.inShell(documentedLines('restore', 'pg_dumpall', 2), dumps)
  const { text: head } = await ask('GET', '/v1/audit/head')
  writeFileSync(join(folder, 'head.json'), head)
  await goOn(database_url)
  await before_it.service.stop()
  const restored = startPostgres()
  restored.inShell(documentedLines('restore', 'psql', 3), dumps)
  url = restored.urlOf('registrar', 'registrar')
})

test('bin/migrate finds a restored dump whole', { skip }, async () => {
  const { code, stdout, stderr } = await command('migrate')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^The database is at migration \d+\.\n$/)
})

test('reports the differences between a restored dump and the registries', {
  skip,
}, async () => {
  const list = join(folder, 'portfolio.csv')
  writeFileSync(list, 'domain,expires\nKEPT.com,\n"late.com",2027\nopen.com.,\ngone.com,\n')
  const { code, stdout, stderr } = await command('reconcile-registry', '--names', 'portfolio.csv')
  assert.equal(code, 1, stderr)
  const found = stdout.matchAll(/^ {2}(\w+) +(\S+\.com) +thin {2}(.*)$/gm)
  assert.deepEqual(
    [...found].map(([, kind, domain]) => [kind, domain]),
    [
      ['left', 'away.com'],
      ['renewed', 'renewed.com'],
      ['unknown', 'late.com'],
      ['ordered', 'open.com'],
    ],
  )
  assert.match(stdout, /^3 holdings and 3 other names were read at the registries; 4 differ:$/m)
  assert.match(stdout, /renewed\.com .* paid until \d{4}-\d\d-\d\d: 1 y further$/m)
  assert.match(stdout, /^Nothing was changed\.$/m)
  const changed = `select from registry_messages union all
    select from domain_schedules where sync_at < now()`
  assert.deepEqual(await rows(url, changed), [])
})

test('--apply hands each finding to its mechanism, once, and moves no money', {
  skip,
}, async () => {
  const money = `select currency, sum(available) as available, sum(held) as held
      from ledger_accounts group by currency order by currency`
  const before_apply = await rows(url, money)
  const apply = () => command('reconcile-registry', '--names', 'portfolio.csv', '--apply')
  const done = await apply()
  assert.equal(done.code, 1, done.stderr)
  assert.match(done.stdout, /^To be synced by the service: 2\. Recorded, with an alarm: 1\.$/m)
  assert.match(done.stderr, /"domain":"late.com".*"alarm":"domain_arrived_without_order"/)
  const again = await apply()
  assert.match(again.stdout, /Recorded, with an alarm: 0\.$/m)
  assert.equal(again.stderr, '')
  assert.deepEqual(await rows(url, money), before_apply)
})

test('the service has a sound ledger, and an audit log that is known to be cut', {
  skip,
}, async () => {
  const cut = await command('call', 'verify-audit', '--head', 'head.json')
  assert.equal(cut.code, 1, cut.stdout)
  assert.match(cut.stdout, /^BAD newest block \d+ .*noted/m)
  const { sandbox, mailbox, payments } = before_it
  after_it = await openNode({
    ...{ sandbox, mailbox, payments },
    ...{ database_url: url, settings: kept },
  })
  logs = []
  after_it.logs.add(logs)
  await assertSound()
  const audit = async () => (await askAgain('GET', '/v1/health')).body.audit.state
  await until('the alarm of the cut', async () => (await audit()) === 'down')
  const accepted = await command('call', 'accept-restored-audit', '--reason', 'Tried')
  assert.equal(accepted.code, 0, accepted.stdout)
  const verified = await command('call', 'verify-audit')
  assert.equal(verified.code, 0, verified.stdout)
  assert.match(verified.stdout, /^Restored: numbers \d+ to \d+ were abandoned .*: Tried$/m)
  await until('the end of the alarm', async () => (await audit()) === 'up')
})

test('it settles the order that was open in the dump, without a second purchase', {
  skip,
}, async () => {
  await until('the order is settled', async () => {
    const { body } = await askAgain('GET', '/v1/domains/open.com')
    return body.status === 'active'
  })
  assert.equal(creates('open.com').length, 1)
  const { orders } = (await askAgain('GET', parked)).body
  assert.deepEqual(orders, [])
})

test('the service ends or questions what differs, by its own rules', { skip }, async () => {
  await until('the sync', async () => {
    const { body } = await askAgain('GET', '/v1/domains/away.com')
    return body.status === 'transferred_away'
  })
  const renewal = await askAgain('POST', '/v1/domains/renewed.com/renew', { period_years: 1 })
  assert.equal(renewal.status, 409, JSON.stringify(renewal.body))
  assert.equal(renewal.body.code, 'expiry_unexplained')
  assert.ok(renewal.body.registry_expiry > renewal.body.holding.expiry)
  assert.match(logs.join(), /registry_expiry_unexplained/)
})

test('it numbers invoices after the last one that a customer has', { skip }, async () => {
  const year = new Date().getUTCFullYear()
  const [statement = ''] = documentedLines('restore', 'update invoice_numbers')
  await rows(url, statement.replace('2026', String(year)))
  const credit = { customer_id: customer.id, amount_cents: 100, currency: 'USD' }
  const body = { ...credit, processor_checkout_session_id: 'after-the-restore' }
  const credited = await askAgain('POST', '/v1/internal/billing/processor/top-ups', body)
  assert.equal(credited.status, 200, JSON.stringify(credited.body))
  const [newest] = await rows(url, 'select invoice_number from invoices order by id desc limit 1')
  assert.match(String(newest?.invoice_number), /1235$/)
})

test('it sells on: a new name is bought once, a lost one is not sold again', { skip }, async () => {
  const bought = await askAgain('POST', '/v1/domains', { domain: 'sold-on.com' })
  assert.equal(bought.status, 200, JSON.stringify(bought.body))
  assert.equal(creates('sold-on.com').length, 1)
  const late = await askAgain('POST', '/v1/domains', { domain: 'late.com' })
  assert.deepEqual([late.status, late.body.code], [409, 'domain_taken'])
  assert.equal(creates('late.com').length, 1)
  await assertSound()
})

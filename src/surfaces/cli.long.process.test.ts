// The command line's own commands, on a service's database.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newDatabase } from '../../test/support/database.ts'
import { customerToolKey } from '../../test/support/node.ts'
import { startService } from '../../test/support/service.ts'
import { first, oldLog } from '../capabilities/audit/archive/archive.fixture.ts'
import { runCommand } from './cli.ts'

const ENCRYPTION_KEY = randomBytes(32).toString('base64')
const database_url = await newDatabase('template_of_tests')
const registrar = await startService({ database_url, settings: { ENCRYPTION_KEY }, worker: false })
Object.assign(process.env, {
  DATABASE_URL: database_url,
  ENCRYPTION_KEY,
  DATA_DIR: registrar.service.settings.data_dir,
  PUBLIC_URL: registrar.url,
  API_KEY: registrar.operatorKey,
  CUSTOMER_TOOL_KEY: customerToolKey,
})

async function run(...words: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const code = await runCommand(words, (line) => lines.push(line))
  return { code, output: lines.join('\n') }
}

async function published(): Promise<string[]> {
  const { body } = await registrar.request('GET', '/oauth/jwks')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

test('keys of OAuth are rotated under a running service', async () => {
  const old = await published()
  const { code, output } = await run('rotate-oauth-keys')
  assert.equal(code, 0)
  assert.match(output, /New keys for RS256 and EdDSA are published/)
  assert.match(output, /sign in 10 minutes; the old keys stay valid for 24 more hours/)
  for (let tries = 0; tries < 400; tries += 1) {
    const now = await published()
    if (now.length === 2 * old.length && old.every((kid) => now.includes(kid))) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('The new keys are not published')
})

test('after a theft the old ones are gone', async () => {
  const { code, output } = await run('rotate-oauth-keys', '--now')
  assert.equal(code, 0)
  assert.match(output, /Signatures of the old keys are no longer valid/)
})

test('the trial balance is a table of all accounts, and says whether the ledger is sound', async () => {
  await registrar.customer({ funds_cents: 123_456_789 })
  const { code, output } = await run('trial-balance')
  assert.equal(code, 0, output)
  const [header, ...rows] = output.split('\n').slice(2, 10)
  assert.match(header ?? '', /^USD +debits +credits +balance +pending$/)
  assert.ok(
    rows.every((row) => row.length === header?.length),
    output,
  )
  assert.match(output, / {2}customer +0\.00 +1,234,567\.89 +-1,234,567\.89 +0\.00/)
  assert.match(output, /Compared: .* of customers: \d+\.\nThe ledger is sound\./)
  assert.equal((await run('trial-balance', '--at', '2001-01-01T00:00:00Z')).code, 0)
  const wrong = await run('trial-balance', '--at', 'yesterday')
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /"at"/)
})

test('exports transfers as a file, and reports whether it has all of them', async () => {
  const day = registrar.service.app.clock.now().toISOString().slice(0, 10)
  const options = { cwd: process.cwd(), env: process.env }
  const words = ['export-transfers', '--from', day, '--currency', 'USD']
  const { stdout, stderr } = await promisify(execFile)('bin/call', words, options)
  const [header, line] = stdout.split('\r\n')
  assert.match(header ?? '', /^id,created_at,debit_account,credit_account,/)
  assert.match(line ?? '', /,processor,customer,cus_\w+,USD,1234567\.89,single,top_up,/)
  assert.match(stderr, /not over/)
  assert.equal((await run('export-transfers', '--to', day)).code, 2)
})

test('the customer tool is called with its own key', async () => {
  const asked = ['table_name=schema_migrations', 'order_by=-number', 'order_by=name', 'limit=1']
  const { code, output } = await run('read_database_rows', ...asked)
  assert.equal(code, 0, output)
  const { order_by, rows } = JSON.parse(output)
  assert.deepEqual(order_by, ['-number', 'name'])
  assert.match(rows[0].number, /^\d+$/)
})

test('ends quietly when its reader closes the pipe', async () => {
  const options = { cwd: process.cwd(), env: process.env }
  const { stdout, stderr } = await promisify(execFile)(
    '/bin/sh',
    ['-c', 'bin/call | head -1'],
    options,
  )
  assert.match(stdout, /^bin\/call +lists the operations and commands\n$/)
  assert.equal(stderr, '')
})

test('a mistyped option changes nothing', async () => {
  const { code, output } = await run('rotate-oauth-keys', '--nwo')
  assert.equal(code, 2)
  assert.match(output, /rotate-oauth-keys --now/)
})

test('names the address and its settings where no service answers', async () => {
  const { PUBLIC_URL } = process.env
  process.env.PUBLIC_URL = 'http://127.0.0.1:1'
  const no_service = /^No service answers at http:\/\/127\.0\.0\.1:1\. .*PUBLIC_URL/
  for (const words of [['get_health'], ['trial-balance']])
    await assert.rejects(run(...words), ({ message }: Error) => no_service.test(message))
  process.env.PUBLIC_URL = PUBLIC_URL
})

test('the audit log is verified', async () => {
  const { code, output } = await run('verify-audit')
  assert.equal(code, 0)
  assert.match(output, /The audit log is valid/)
})

test('the oldest partition of the audit log is archived, verified and proven from', async () => {
  const { dir, url, settings } = await oldLog()
  Object.assign(process.env, { DATABASE_URL: url, DATA_DIR: settings.data_dir })
  const place = ['--archive', dir]
  assert.equal((await run('archive-audit', ...place)).code, 2)
  assert.equal((await run('archive-audit', '--partition', 'audit_logs_default', ...place)).code, 1)
  const archived = await run('archive-audit', '--partition', first, ...place)
  assert.equal(archived.code, 0, archived.output)
  const unread = await run('verify-audit')
  assert.equal(unread.code, 3)
  assert.match(unread.output, /NOT COMPLETE: archived rows were not checked/)
  assert.equal((await run('verify-audit', ...place)).code, 0)
  const proof = await run('prove-archived-audit', '--id', '2', ...place)
  assert.equal(proof.code, 0)
  assert.equal(JSON.parse(proof.output).block.number, '1')
  assert.equal((await run('prove-archived-audit', '--id', '9', ...place)).code, 1)
  assert.equal((await run('prove-archived-audit', '--id', 'x', ...place)).code, 2)
  rmSync(join(dir, `${first}.jsonl.gz`))
  assert.equal((await run('verify-audit', ...place)).code, 1)
})

test('a number is sent as it is written, so that the service sees each of its digits', async () => {
  const { id } = await registrar.customer({ funds_cents: 0 })
  const invoice = (price: string) =>
    run('create_invoice', `customer_id=${id}`, `items=[{"description":"x","unit_amount":${price}}]`)
  const refused = await invoice('10.100000000000000001')
  assert.notEqual(refused.code, 0)
  assert.match(refused.output, /more digits than can be kept/)
  const made = await invoice('10.1')
  assert.equal(made.code, 0, made.output)
})

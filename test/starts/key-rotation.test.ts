// Rotation of ENCRYPTION_KEY as docs/production/keys.md has it: nodes with the old key, with the
// new one and the old as a previous one, and with the new one alone, on one database with values of
// each kind that a client can make; bin/reencrypt between them, killed and repeated.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMailServer } from '../../sandbox/mailbox/index.ts'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { scopes } from '../../src/app.ts'
import { Encryption } from '../../src/kit/encryption.ts'
import { sealedColumns } from '../../src/reencryption/sealed-columns.sql.ts'
import { newDatabase } from '../support/database.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { root } from '../support/program.ts'
import { startService } from '../support/service.ts'
import { recentSessionOf } from '../support/sign-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-rotation-'))
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
const mailbox = await startMailServer({ data_dir: null })
after(async () => {
  await Promise.all([sandbox.close(), mailbox.close()])
  rmSync(folder, { recursive: true, force: true })
})
const database_url = await newDatabase('template_of_tests')
const [oldKey, newKey] = ['a', 'b'].map((fill) => Buffer.alloc(32, fill).toString('base64'))
assert.ok(oldKey && newKey)
const keyFile = join(folder, 'previous')
writeFileSync(keyFile, `${oldKey}\n`)

const node = (settings: Record<string, string>, worker = true) =>
  startService({ database_url, sandbox, mailbox, payments: null, settings, worker })
const encryptionWith = (encryption_key: string) =>
  new Encryption({ encryption_key, encryption_keys_previous: [], data_dir: folder })

/** The mail server is away, so that mails with a code wait. */
const first = await node({ ENCRYPTION_KEY: oldKey, SMTP_URL: 'smtp://127.0.0.1:9' })
const rows = rowsIn(first)
type Service = typeof first

async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await find()
    if (found) return found
    await sleep(50)
  }
  assert.fail(`not within 20 s: ${what}`)
}

/** All columns of texts, in which this key opens a value. */
async function columnsOf(key: string): Promise<string[]> {
  const encryption = encryptionWith(key)
  const columns = await rows(`
    select c.relname as relation, a.attname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and not a.attisdropped
       and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)`)
  const found: string[] = []
  for (const { relation, name } of columns) {
    const values = await rows(
      `select distinct m[1] as value
         from ${relation}, regexp_matches(${name}::text, '[A-Za-z0-9+/]{38,}={0,2}', 'g') m`,
    )
    if (values.some(({ value }) => encryption.unseal(value) !== undefined))
      found.push(`${relation}.${name}`)
  }
  return found.sort()
}

const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: database_url,
  ENCRYPTION_KEY: newKey,
  ENCRYPTION_KEYS_PREVIOUS_FILE: keyFile,
}

function start(words: string[], env: Record<string, string | undefined> = environment) {
  const child = spawn(join(root, 'bin/reencrypt'), words, { env })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { child, ended: ended.then(([out, err, [code]]) => ({ out, err, code })) }
}
const reencrypt = (...words: string[]) => start(words).ended

const customer = await first.customer({ funds_cents: 100_000, scopes: [...scopes] })
const session = await recentSessionOf(first, customer)
const asOwner = { token: session }
const body = { name: 'agent', scopes: [...scopes], approval_above: { amount: '5.00' } }
const keysPath = `/v1/customers/${customer.id}/api-keys`
const made = await first.request('POST', keysPath, { token: customer.key, body })
const agent = String(made.body.api_key)
const code = 'Seeded-2Move'

const read = async (at: Service, path: string) => {
  const answer = await at.request('GET', path, { token: customer.key })
  assert.equal(answer.status, 200, `${path} ${answer.text}`)
  return answer.body
}
const moveAt = (at: Service, domain: string, { token = customer.key, auth_code = code } = {}) =>
  at.request('POST', '/v1/domains/transfer', {
    token,
    body: { domain, auth_code },
    headers: { 'idempotency-key': `move-${domain}` },
  })
const codePath = '/v1/domains/rotated.com/transfer-auth-code'
const keysOf = async (at: Service) => [
  (await read(at, '/oauth/jwks')).keys.map(({ kid }: { kid: string }) => kid),
  (await read(at, '/v1/document-keys')).keys.map(({ kid }: { kid: string }) => kid),
]
const quoteAt = (at: Service) =>
  at.request('POST', '/v1/quotes', {
    token: customer.key,
    body: { action: 'register', domain: 'quoted.com' },
  })

/** A value of each kind, by the old key. */
async function useIt() {
  sandbox.settings.hides_auth_info = true
  for (const command of ['domain:transfer', 'domain:info'])
    sandbox.setFault({ name: 'drop_before', command, domain: 'old-harbour.com', times: null })
  const bought = await first.request('POST', '/v1/domains', {
    token: customer.key,
    body: { domain: 'rotated.com' },
  })
  assert.equal(bought.status, 200, bought.text)
  const { auth_code } = await read(first, codePath)
  const open = await moveAt(first, 'old-harbour.com')
  assert.equal(open.status, 200, open.text)
  const waits = await moveAt(first, 'quiet-river.com', { token: agent })
  assert.equal(waits.body.code, 'approval_required', waits.text)
  assert.equal((await quoteAt(first)).status, 201)
  const hook = await first.request('POST', '/v1/webhooks', {
    ...asOwner,
    body: { url: 'https://hooks.example.net/', types: ['domain.*'] },
  })
  assert.equal(hook.status, 201, hook.text)
  const reset = await first.request('POST', '/v1/dashboard/password-reset', {
    body: { email: customer.email },
  })
  await until('a mail', async () => {
    const [mail] = await rows(`select id from mails where kind = 'password_reset' and sealed`)
    return mail !== undefined
  })
  return {
    auth_code: String(auth_code),
    approval: String(waits.body.approval.id),
    reset_id: String(reset.body.reset_id),
    keys: await keysOf(first),
    secret: String(hook.body.secret),
  }
}

const listed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`))
const values = await useIt()
const found = await columnsOf(oldKey)
// As in the documented order: no node that does not know the new key is left when it is used.
await first.service.stop()
const second = await node({ ENCRYPTION_KEY: newKey, ENCRYPTION_KEYS_PREVIOUS: oldKey })

test('begins with values of the old key, in listed columns alone', () => {
  assert.deepEqual(
    found.filter((name) => !listed.has(name)),
    [],
  )
  assert.deepEqual(found, [
    ...['approvals.input', 'document_keys.sealed', 'domains.auth_code_sealed', 'mails.body'],
    ...['mails.html', 'oauth_signing_keys.sealed', 'orders.sealed', 'webhooks.sealed_secret'],
  ])
})

test('a node with the new one as a previous one reads what the next nodes write', async () => {
  const between = await node({ ENCRYPTION_KEY: oldKey, ENCRYPTION_KEYS_PREVIOUS: newKey }, false)
  const path = `${codePath}/regenerate`
  const changed = await second.request('POST', path, { token: customer.key })
  assert.equal(changed.status, 200, changed.text)
  values.auth_code = changed.body.auth_code
  const answer = await read(between, codePath)
  assert.deepEqual([answer.auth_code, answer.made_because], [values.auth_code, null])
  assert.deepEqual(await keysOf(between), values.keys)
  // The other way round: a request under the new key is known to a node with the old one.
  const now = await moveAt(second, 'paper-lantern.com')
  assert.equal(now.status, 200, now.text)
  const again = await moveAt(between, 'paper-lantern.com')
  assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text)
})

test('requests that an old key marked are the same under the new one', async () => {
  const again = await moveAt(second, 'old-harbour.com')
  assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text)
  const other = await moveAt(second, 'old-harbour.com', { auth_code: 'Another-1Code' })
  assert.equal(other.status, 422, other.text)
  const waits = await moveAt(second, 'quiet-river.com', { token: agent })
  assert.equal(waits.body.approval.id, values.approval, waits.text)
})

test('bin/reencrypt counts, is killed midway, and goes on', async () => {
  const rest = 4_000
  const [{ sealed }] = await rows('select sealed from oauth_signing_keys limit 1')
  // No node publishes them, or deletes them yet.
  await rows(
    `insert into oauth_signing_keys (kid, purpose, alg, sealed, signs_from, ends_at)
     select 'ended' || n, 'sign', 'EdDSA', $1, now(), now() from generate_series(1, ${rest}) n`,
    [sealed],
  )
  const left = async () =>
    Number(
      (await rows('select count(*) from oauth_signing_keys where sealed = $1', [sealed]))[0].count,
    )
  const all = await left()
  const checked = await reencrypt('--check')
  assert.deepEqual([checked.code, checked.err], [1, ''])
  assert.match(checked.out, /A previous key is still needed/)
  assert.equal(await left(), all)

  const { child, ended } = start([])
  await until('some values', async () => (await left()) < all - 100)
  process.kill(child.pid ?? 0, 'SIGKILL')
  await ended
  const rested = await left()
  assert.ok(rested > 0 && rested < all, `${rested} of ${all}`)

  // The service's own two keys may have been among the first.
  const { out } = await reencrypt('--check')
  const counted = /^oauth_signing_keys.sealed: 0 re-encrypted, (\d+) of a previous key/m.exec(out)
  const previous = Number(counted?.[1])
  assert.ok(rested <= previous && previous <= rested + 2, out)

  const done = await reencrypt()
  assert.deepEqual([done.code, done.err], [0, ''], done.out)
  assert.match(done.out, new RegExp(`oauth_signing_keys.sealed: ${previous} re-encrypted, 0 of`))
  assert.match(done.out, /^orders.sealed: \d re-encrypted, 0 of a previous key, 0 that/m)
  for (const key of [oldKey, newKey]) assert.ok(!done.out.includes(key))
  const again = await reencrypt()
  assert.match(again.out, /^In all \d+ columns: 0 re-encrypted, 0 of a previous key, 0 that/)
  assert.deepEqual(await columnsOf(oldKey), [])
})

test('a request that waited for its owner is made, and a mailed code is taken', async () => {
  const path = `/v1/approvals/${values.approval}`
  const approved = await second.request('POST', `${path}/approve`, { ...asOwner, body: {} })
  assert.equal(approved.status, 200, approved.text)
  const { state } = await read(second, `${path}/wait?wait=20`)
  assert.equal(state, 'executed')
  await rows(`update tasks set run_at = clock_timestamp() where kind = 'send_mail'`)
  const subject = /password/i
  const [mail] = await second.mails({ to: customer.email, subject })
  const digits = /^\d{6}$/m.exec(mail?.text ?? '')?.[0]
  const confirmed = await second.request('POST', '/v1/dashboard/password-reset/confirm', {
    body: { reset_id: values.reset_id, code: digits, password: 'quite another horse' },
  })
  assert.equal(confirmed.status, 200, confirmed.text)
})

test('without the old key, a node works on', async () => {
  await second.service.stop()
  const third = await node({ ENCRYPTION_KEY: newKey })
  assert.deepEqual(await keysOf(third), values.keys)
  assert.equal((await quoteAt(third)).status, 201)
  assert.deepEqual(await keysOf(third), values.keys, 'no key was made')
  const answer = await read(third, codePath)
  assert.deepEqual([answer.auth_code, answer.made_because], [values.auth_code, null])
  const [hook] = await rowsIn(third)('select sealed_secret from webhooks')
  assert.equal(encryptionWith(newKey).unseal(hook.sealed_secret), values.secret)
  sandbox.clearFaults()
  await until('the transfer', async () => {
    await rowsIn(third)(`update orders set run_at = clock_timestamp() where state = 'unknown'`)
    return (await read(third, '/v1/domains/old-harbour.com')).status === 'transfer_pending'
  })
  assert.ok(third.logs.every((line) => !line.includes('another ENCRYPTION_KEY')))
})

test('bin/reencrypt makes no key, and reports values that none opens', async () => {
  const { ENCRYPTION_KEY: _, ...without } = environment
  const none = await start([], without).ended
  assert.deepEqual([none.code, none.out], [2, ''])
  assert.match(none.err, /^ENCRYPTION_KEY is not set, and DATA_DIR has none/)
  const wrong = await start(['--check'], { ...environment, ENCRYPTION_KEY: oldKey }).ended
  assert.equal(wrong.code, 3, wrong.out)
  assert.match(wrong.out, /^webhooks.sealed_secret: 0 re-encrypted, .* 1 that no key opens$/m)
  assert.equal((await start(['--all']).ended).code, 2)
})

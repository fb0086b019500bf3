// The outbox over real SMTP: each mail sent once by many workers, again after a fault or a kill,
// and never blocking the transaction that queued it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { startMailServer } from '../../../sandbox/mailbox/index.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { readMails } from '../../../test/support/mails.ts'
import { appOver } from '../../../test/support/test-pipeline.ts'
import type { Mailer } from '../../adapters/mail/port.ts'
import { openSmtpMailer } from '../../adapters/mail/smtp.ts'
import type { App } from '../../app.ts'
import { backoffMs } from '../../kit/concurrency/backoff.ts'
import { freePort } from '../../kit/net/free-port.ts'
import { systemCall } from '../audit/index.ts'
import { mailHealth, queueMail, unverifiedMail, words } from './index.ts'
import { sendMail } from './outbox.ts'
import { purgeMailTexts } from './purge-mails.job.ts'
import { sendMails } from './send-mails.job.ts'

const db = await testDatabase()
const server = await startMailServer({ data_dir: null })
after(() => server.close())
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })

/** A node of its own: its own mailer over the one database. `before` each mail is sent. */
function node(url = server.url, before = async () => {}): App {
  const smtp = openSmtpMailer({ url, from: 'no-reply@registrar.example', log })
  const send: Mailer['send'] = async (mail) => {
    await before()
    return smtp.send(mail)
  }
  const mailer: Mailer = { ...smtp, send }
  after(() => mailer.close())
  const settings = { PUBLIC_URL: 'https://registrar.example', ABUSE_CONTACT: 'abuse@a.example' }
  return appOver(db, { app: { mailer, log }, settings })
}
const app = node()
const run = (one: App = app) => sendMails.run(one, systemCall(one, 'send_mails'))
async function drain(one: App): Promise<void> {
  for (let more = true; more; ) ({ more } = await run(one))
}
const due = () =>
  db.query(`update tasks set run_at = now(), lease_until = now() - interval '1 hour'`)

/** A node whose usual mails are held up, as by a slow server, until the gate opens. */
function slowNode(gate: Promise<void>): App {
  const slow = node()
  const { mailer } = slow
  assert.ok(mailer)
  const send: Mailer['send'] = async (mail) => {
    if (mail.subject.startsWith('Test')) await gate
    return mailer.send(mail)
  }
  return { ...slow, mailer: { ...mailer, send } }
}

let made = 0
async function queue(more: { to?: string; dedupe_key?: string } = {}): Promise<string> {
  made += 1
  const dedupe_key = more.dedupe_key ?? `test:${made}`
  const to = more.to ?? `reader-${made}@example.net`
  const mail = { customer_id: null, to, kind: 'test', subject: `Test ${made}`, text: 'Hello.\n' }
  await queueMail(db.database, { ...mail, dedupe_key })
  return dedupe_key
}
async function rowOf(dedupe_key: string) {
  const [row] = await db.query('select * from mails where dedupe_key = $1', [dedupe_key])
  assert.ok(row)
  return row
}
async function taskOf(dedupe_key: string) {
  const [row] = await db.query(
    'select t.* from tasks t join mails m on t.key = m.id where m.dedupe_key = $1',
    [dedupe_key],
  )
  assert.ok(row)
  return row
}
async function databaseMs(): Promise<number> {
  const [row] = await db.query('select clock_timestamp() as now')
  return Number(row?.now)
}

beforeEach(async () => {
  await db.query('delete from mail_dedupe_keys')
  await db.query('delete from tasks')
  server.clear()
  server.clearFaults()
  lines.length = 0
})

test('the same event queues one mail, and a rolled back one none', async () => {
  const mail = { customer_id: null, to: 'a@example.net', kind: 'test', subject: 'S', text: 'T' }
  assert.equal(await queueMail(db.database, { ...mail, dedupe_key: 'once' }), true)
  assert.equal(await queueMail(db.database, { ...mail, dedupe_key: 'once' }), false)
  const lost = db.database.transaction(async (sql) => {
    await queueMail(sql, { ...mail, dedupe_key: 'lost' })
    throw new Error('no effect')
  })
  await assert.rejects(lost, /no effect/)
  assert.equal((await db.query('select from mails')).length, 1)
  await assert.rejects(queueMail(db.database, { ...mail, to: 'a@b@c', dedupe_key: 'x' }), /address/)
})

test('two workers at once send each of 120 mails once', async () => {
  for (let i = 0; i < 120; i += 1) await queue()
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Neither sends everything before the other has claimed its first mails.
  const nodes = begun.map(({ resolve }) =>
    node(server.url, async () => {
      resolve()
      await Promise.all(begun.map(({ promise }) => promise))
    }),
  )
  await Promise.all(nodes.map(drain))
  await drain(app)
  const mails = await readMails(server, { count: 120 })
  assert.equal(mails.length, 120)
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 120)
  const states = await db.query('select state, count(*) as n from mails group by state')
  assert.deepEqual(states, [{ state: 'sent', n: 120n }])
})

test('a mail ends with who sent it and where abuse is reported', async () => {
  await queue({ to: 'ada@example.net' })
  await run()
  const [mail] = await readMails(server, { to: 'ada@example.net' })
  assert.match(mail?.text ?? '', /^Hello\.\n\n-- \nagent-registrar, https:\/\/registrar\.example\n/)
  assert.match(mail?.text ?? '', /abuse@a\.example/)
})

test('4xx is tried again, later each time', async () => {
  const key = await queue()
  server.setFault({ name: 'refuse_recipient', code: 450, times: 2 })
  for (const [attempts, wait_ms] of [
    [1, 1_000],
    [2, 2_000],
  ] as const) {
    const before_ms = await databaseMs()
    await run()
    const after_ms = await databaseMs()
    const task = await taskOf(key)
    assert.deepEqual([(await rowOf(key)).state, task.attempts], ['queued', attempts])
    assert.match(String(task.last_error), /450/)
    const [least, most] = [before_ms + 0.8 * wait_ms, after_ms + wait_ms]
    const due_ms = Number(task.run_at)
    assert.ok(due_ms > least - 50 && due_ms < most + 50, `${least} ${due_ms} ${most}`)
    // It may already be due on a loaded machine.
    await db.query(`update tasks set run_at = now() + interval '1 minute'`)
    await run()
    assert.equal(server.list().length, 0, 'not before its time')
    await due()
  }
  await run()
  assert.equal((await rowOf(key)).state, 'sent')
  assert.equal(server.list().length, 1)
  const waits = [1, 12, 99].map((attempts) => backoffMs(attempts, sendMail.backoff))
  assert.deepEqual(waits, [1_000, 2_048_000, 3_600_000])
})

test('5xx fails with an alarm; so does a 4xx that never ends', async () => {
  const refused = await queue()
  server.setFault({ name: 'refuse_content' })
  await run()
  assert.equal((await rowOf(refused)).state, 'failed')
  const { attempts, last_error } = await taskOf(refused)
  assert.equal(attempts, 1)
  assert.match(String(last_error), / 5\d\d/)
  const given_up = await queue()
  await db.query(
    `update tasks set attempts = $1
      where key = (select id from mails where dedupe_key = $2)`,
    [(sendMail.most_attempts ?? 0) - 1, given_up],
  )
  server.setFault({ name: 'refuse_recipient', code: 452 })
  await run()
  assert.equal((await rowOf(given_up)).state, 'failed')
  assert.deepEqual(
    lines.filter(({ level }) => level === 50).map(({ alarm }) => alarm),
    ['mail_refused', 'mail_given_up'],
  )
  assert.equal((await mailHealth(app)).failed, 2)
  assert.equal((await db.query('select from tasks_dead')).length, 2)
  assert.equal((await mailHealth(app)).state, 'up', 'the server is well')
})

test('a connection cut after DATA: sent again, with the same Message-ID', async () => {
  const key = await queue()
  server.setFault({ name: 'drop_after_data' })
  await run()
  assert.equal((await rowOf(key)).state, 'queued')
  await due()
  await run()
  assert.equal((await rowOf(key)).state, 'sent')
  const [first, second] = await readMails(server, { count: 2 })
  assert.equal(first?.messageId, second?.messageId)
  assert.equal(first?.date, second?.date)
})

test('a process killed between sending and marking: sent again, with the same Message-ID', async () => {
  const key = await queue()
  const program = join(import.meta.dirname, 'killed-sender.fixture.ts')
  const child = spawn(process.execPath, [program, db.url, server.url], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
  assert.equal((await rowOf(key)).state, 'queued')
  assert.ok((await taskOf(key)).lease_until, 'claimed')
  await run()
  assert.equal(server.list().length, 1, 'its claim still holds')
  await due()
  await run()
  assert.equal((await rowOf(key)).state, 'sent')
  const [first, second] = await readMails(server, { count: 2 })
  assert.equal(first?.messageId, second?.messageId)
})

test('fails no mail and counts no attempt while the server is away, as health reports', async () => {
  const cut = node(`smtp://127.0.0.1:${await freePort()}`)
  const keys = [await queue(), await queue(), await queue()]
  await run(cut)
  await due()
  await run(cut)
  for (const key of keys) {
    assert.deepEqual([(await rowOf(key)).state, (await taskOf(key)).attempts], ['queued', 0])
  }
  const health = await mailHealth(cut)
  assert.equal(health.state, 'down')
  assert.equal(health.waiting, 3)
  assert.match(health.detail ?? '', /cannot be reached \(ECONNREFUSED\)/)
  assert.equal((await mailHealth(app)).state, 'down', 'another node knows by the outbox')
  await due()
  await run()
  assert.deepEqual(await mailHealth(app), { state: 'up', waiting: 0, failed: 0, detail: null })
})

test('without a server mails wait, and health says why', async () => {
  const key = await queue()
  const none = { ...app, mailer: null }
  await run(none)
  assert.equal((await rowOf(key)).state, 'queued')
  const health = await mailHealth(none)
  assert.deepEqual([health.state, health.waiting], ['down', 1])
  assert.match(health.detail ?? '', /SMTP_URL is not set/)
})

test('a mail that was given up is sent again when an operator queues it', async () => {
  const key = await queue()
  server.setFault({ name: 'refuse_content', times: 1 })
  await run()
  assert.equal((await rowOf(key)).state, 'failed')
  await db.query(`update mails set state = 'queued'`)
  assert.equal((await rowOf(key)).ended_at, null)
  await run()
  assert.equal((await rowOf(key)).state, 'sent')
})

test('texts are purged 30 days after the end; the fact that they were sent is kept', async () => {
  const [old, young, open] = [await queue(), await queue(), await queue()]
  const end = `update mails set state = 'sent', ended_at = now() - $2::interval
    where dedupe_key = $1`
  await db.query(end, [old, '31 days'])
  await db.query(end, [young, '29 days'])
  await db.query(`update mails set created_at = now() - interval '40 days' where dedupe_key = $1`, [
    open,
  ])
  await purgeMailTexts.run(app, systemCall(app, 'purge_mail_texts'))
  assert.equal((await rowOf(old)).body, null)
  assert.equal((await rowOf(old)).state, 'sent')
  assert.equal((await rowOf(young)).body, 'Hello.\n')
  assert.equal((await rowOf(open)).body, 'Hello.\n')
})

test('a mail with a code is sent while hundreds of others wait', async () => {
  for (let n = 0; n < 200; n += 1) await queue()
  const gate = Promise.withResolvers<void>()
  const slow = slowNode(gate.promise)
  const round = run(slow)
  const message = {
    kind: 'test_code',
    dedupe_key: 'test_code:1',
    subject: words`Your code`,
    happened: [words`Your code is 123456.`],
    todo: [],
  }
  await unverifiedMail(slow, db.database, { to: 'waits@example.net', message })
  const [mail] = await readMails(server, { to: 'waits@example.net' })
  assert.match(mail?.text ?? '', /123456/)
  const waiting = "select count(*)::int as n from mails where state = 'queued' and kind = 'test'"
  assert.equal((await db.query(waiting))[0]?.n, 200)
  gate.resolve()
  await round
  await drain(app)
})

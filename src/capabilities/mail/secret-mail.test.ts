// Mails with a secret: sealed while they wait, opened when they are sent, purged right after.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startMailServer } from '../../../sandbox/mailbox/index.ts'
import { readMails } from '../../../test/support/mails.ts'
import { appOver, testPipeline } from '../../../test/support/test-pipeline.ts'
import { openSmtpMailer } from '../../adapters/mail/smtp.ts'
import { systemCall } from '../audit/index.ts'
import { secretMail, words } from './index.ts'
import { sendMails } from './send-mails.job.ts'

const pipeline = await testPipeline()
const server = await startMailServer({ data_dir: null })
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
const mailer = openSmtpMailer({ url: server.url, from: 'no-reply@registrar.example', log })
after(async () => {
  await mailer.close()
  await server.close()
})
const node = (filler: string) => {
  const ENCRYPTION_KEY = Buffer.alloc(32, filler).toString('base64')
  return appOver(pipeline.db, { app: { mailer, log }, settings: { ENCRYPTION_KEY } })
}
const [app, otherKey] = [node('a'), node('b')]
const run = (one: typeof app) => sendMails.run(one, systemCall(one, 'send_mails'))
const secret = 'a-secret-of-one-reader'
const row = async () =>
  (await pipeline.db.query('select m::text as text, state, body from mails m'))[0]

async function queue(): Promise<void> {
  const { id } = await pipeline.customer()
  await pipeline.db.query('delete from mail_dedupe_keys')
  await pipeline.db.query('delete from tasks')
  lines.length = 0
  const message = {
    kind: 'secret',
    dedupe_key: `secret:${id}`,
    subject: words`For you alone`,
    happened: [words`Here it is: ${secret}`],
    todo: [],
  }
  await secretMail(app, app.db, { customer_id: id, message })
}

test('a sealed text is unreadable in the outbox, and arrives readable', async () => {
  await queue()
  assert.ok(!String((await row())?.text).includes(secret))
  await run(app)
  const [mail] = await readMails(server, { count: 1 })
  assert.ok(mail?.text?.includes(secret))
  assert.deepEqual([(await row())?.state, (await row())?.body], ['sent', null])
  assert.ok(!lines.join('').includes(secret))
})

test('a text that was sealed with another key is given up, with an alarm', async () => {
  await queue()
  await run(otherKey)
  assert.deepEqual([(await row())?.state, (await row())?.body], ['failed', null])
  assert.ok(lines.some((line) => line.includes('"alarm":"mail_unreadable"')))
})

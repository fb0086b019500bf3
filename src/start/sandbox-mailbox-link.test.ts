// The link that the first start prints, found in a mail as it really comes.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { pino } from 'pino'
import { startMailServer } from '../../sandbox/mailbox/index.ts'
import { openSmtpMailer } from '../adapters/mail/smtp.ts'
import { mailedLink, sandboxMailbox } from './sandbox-mailbox-link.ts'

const data_dir = mkdtempSync(join(tmpdir(), 'agent-registrar-'))
const mailbox = await startMailServer({ data_dir: sandboxMailbox({ data_dir }) })
const from = 'no-reply@example.org'
const mailer = openSmtpMailer({ url: mailbox.url, from, log: pino({ level: 'silent' }) })
after(async () => {
  await mailer.close()
  await mailbox.close()
  rmSync(data_dir, { recursive: true })
})

const link = `http://[2001:db8::1]:65535/password?token=pwt_${'aZ09'.repeat(10)}`
const mail = (to: string, words: string) => ({
  id: `mail_${to.slice(0, 1).repeat(26)}`,
  to,
  subject: 'Set the password',
  text: `Hello Zoë,\n\n${words}\n\nIt works once.\n`,
  created_at: new Date(),
})

it('is found once it comes, whole, and only in a mail to its owner', async () => {
  await mailer.send(mail('other@example.net', link.replaceAll('a', 'b')))
  await mailer.send(mail('owner@example.net', 'No link here: https://example.net/password'))
  const looking = mailedLink({ data_dir }, 'owner@example.net')
  await mailer.send(mail('owner@example.net', link))
  assert.deepEqual(await looking, { link, folder: join(data_dir, 'sandbox-mailbox') })
})

it('is null where none comes', async () => {
  const looked = await mailedLink({ data_dir }, 'absent@example.net', 100)
  assert.equal(looked.link, null)
})

// The mailer against a real SMTP server on a socket: delivered mails, and the outcome of each
// fault.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import PostalMime from 'postal-mime'
import { startMailServer } from '../../../sandbox/mailbox/index.ts'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { freePort } from '../../kit/net/free-port.ts'
import { newId } from '../../kit/random.ts'
import type { Mail } from './port.ts'
import { openSmtpMailer } from './smtp.ts'

const server = await startMailServer({ data_dir: null })
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
const from = 'no-reply@registrar.example'

function open(url: string, deadline_ms = 20_000) {
  const mailer = openSmtpMailer({ url, from, log, deadline_ms })
  after(() => mailer.close())
  return mailer
}
const mailer = open(server.url)
after(() => server.close())
beforeEach(() => {
  server.clear()
  server.clearFaults()
})

const mail = (more: Partial<Mail> = {}): Mail => ({
  id: newId('mail'),
  to: 'ada@example.net',
  subject: 'A subject',
  text: 'A text.\n',
  created_at: new Date('2026-11-21T08:00:00Z'),
  ...more,
})

async function arrived() {
  const [kept, ...rest] = server.list()
  assert.ok(kept)
  assert.equal(rest.length, 0)
  return { kept, read: await PostalMime.parse(kept.raw) }
}

test('a mail arrives as it was written, with a Message-ID of its id', async () => {
  const sent = mail({ subject: 'Zażółć 👩‍💻 gęślą jaźń', text: 'Łódź\n.\n..dots\n\nFrom me\n' })
  assert.equal((await mailer.send(sent)).kind, 'sent')
  const { kept, read } = await arrived()
  assert.deepEqual(kept.to, ['ada@example.net'])
  assert.equal(kept.from, from)
  assert.equal(read.subject, sent.subject)
  assert.equal(read.text, sent.text)
  assert.equal(read.messageId, `<${sent.id}@registrar.example>`)
  assert.equal(read.date, '2026-11-21T08:00:00.000Z')
  assert.equal(read.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
  assert.ok(!/[^\r]\n/.test(kept.raw), 'every line ends in CRLF')
  assert.equal(mailer.health().state, 'up')
})

test('a mail with HTML is multipart/alternative, with the text first', async () => {
  const html = '<!doctype html>\n<p style="margin:0">Grüße, \u{1f600}</p>\n'
  assert.equal((await mailer.send(mail({ html }))).kind, 'sent')
  const { kept, read } = await arrived()
  assert.match(kept.raw, /^Content-Type: multipart\/alternative;/m)
  assert.ok(kept.raw.indexOf('text/plain') < kept.raw.indexOf('text/html'))
  assert.equal(read.text?.trimEnd(), 'A text.')
  assert.equal(read.html?.trimEnd(), html.trimEnd())
  assert.deepEqual(read.attachments, [])
})

const header = fc.oneof(
  unicodeText({ maxLength: 300 }),
  fc
    .tuple(fc.string(), fc.constantFrom('\r\n', '\n', '\r', '\r\n ', '\u2028'), fc.string())
    .map(([before, end, behind]) => `${before}${end}Bcc: thief@example.net${end}${end}${behind}`),
)

test('no subject and no text can inject a header or a recipient', async () => {
  const expected = [
    'auto-submitted',
    'content-transfer-encoding',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ]
  await fc.assert(
    fc.asyncProperty(header, header, async (subject, text) => {
      server.clear()
      assert.equal((await mailer.send(mail({ subject, text }))).kind, 'sent')
      const { kept, read } = await arrived()
      assert.deepEqual(kept.to, ['ada@example.net'])
      const keys = read.headers.map(({ key }) => key).sort()
      assert.deepEqual(new Set(keys), new Set(expected.filter((key) => keys.includes(key))))
      assert.equal(new Set(keys).size, keys.length, 'each header once')
      assert.deepEqual(read.to, [{ address: 'ada@example.net', name: '' }])
    }),
    { numRuns: 60 },
  )
})

test('a field with more than one address reaches no recipient', async () => {
  for (const to of ['a@example.net, b@example.net', 'a@example.net\r\nRCPT TO:<b@example.net>']) {
    assert.equal((await mailer.send(mail({ to }))).kind, 'refused')
  }
  assert.deepEqual(server.list(), [])
})

test('delays on 4xx, refuses on 5xx, and sends the next mail after either', async () => {
  server.setFault({ name: 'refuse_recipient', code: 450 })
  assert.equal((await mailer.send(mail())).kind, 'delayed')
  server.setFault({ name: 'refuse_recipient' })
  assert.equal((await mailer.send(mail())).kind, 'refused')
  server.setFault({ name: 'refuse_content', code: 451 })
  assert.equal((await mailer.send(mail())).kind, 'delayed')
  server.setFault({ name: 'refuse_content' })
  assert.equal((await mailer.send(mail())).kind, 'refused')
  assert.equal(server.list().length, 0)
  assert.equal((await mailer.send(mail())).kind, 'sent')
})

test('a connection cut after DATA leaves it open whether the mail was taken', async () => {
  server.setFault({ name: 'drop_after_data' })
  assert.equal((await mailer.send(mail())).kind, 'unknown')
  assert.equal(server.list().length, 1, 'the mailer itself sends nothing twice')
})

test('a server too slow for the deadline leaves it open, too', async () => {
  const hasty = open(server.url, 150)
  server.setFault({ name: 'slow', delay_ms: 2_000 })
  assert.equal((await hasty.send(mail())).kind, 'unknown')
})

test('a server that is gone, or going, is away until it is back; each change is reported once', async () => {
  const port = await freePort()
  const lonely = open(`smtp://127.0.0.1:${port}`)
  assert.equal(lonely.health().state, 'idle')
  lines.length = 0
  assert.equal((await lonely.send(mail())).kind, 'away')
  assert.equal((await lonely.send(mail())).kind, 'away')
  assert.deepEqual(lonely.health(), { state: 'down', trouble: 'ECONNREFUSED' })
  const back = await startMailServer({ data_dir: null, port })
  after(() => back.close())
  back.setFault({ name: 'refuse_connection' })
  assert.equal((await lonely.send(mail())).kind, 'away')
  assert.equal((await lonely.send(mail())).kind, 'sent')
  assert.deepEqual(lonely.health(), { state: 'up', trouble: null })
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['mail server is unreachable', 'mail server is reachable again'],
  )
})

test('a refused log-in decides nothing about the mail, and its password is not logged', async () => {
  const known = open(server.url.replace('//', '//user%40x:s3cret%2Fword@'))
  lines.length = 0
  server.setFault({ name: 'refuse_login' })
  const refused = await known.send(mail())
  assert.equal(refused.kind, 'away')
  assert.equal(known.health().trouble, 'EAUTH 535')
  const logged = [...lines, refused.message, JSON.stringify(known.health())].join('\n')
  assert.ok(!/s3cret|user@x|czNjcmV0/.test(logged), logged)
  assert.equal((await known.send(mail())).kind, 'sent')
})

test('sends no password in clear text to another machine', async () => {
  // 127.0.0.1 by a name that is not known to belong to this machine.
  const url = new URL(server.url)
  const remote = open(`smtp://user:secret@[::ffff:127.0.0.1]:${url.port}`)
  assert.equal((await remote.send(mail())).kind, 'away')
  assert.equal(server.list().length, 0)
  const nameless = open(`smtp://[::ffff:127.0.0.1]:${url.port}`)
  assert.equal((await nameless.send(mail())).kind, 'sent', 'without one it may be as it is')
})

// Notifications: operators by mail and webhook with retries, an owner of a reply that stays unread,
// and the probe of each transport.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { after, beforeEach, test } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { startService } from '../../../../test/support/service.ts'
import { openSlackWebhook } from '../../../adapters/chat/slack-webhook.ts'
import { freePort } from '../../../kit/net/free-port.ts'

type Posted = { path: string; type: string; body: string }
const posted: Posted[] = []
type Answer = { status: number; body?: string; headers?: Record<string, string> }
const usual: Answer = { status: 200, body: 'ok' }
let answers: Answer[] = []
let arrived = Promise.withResolvers<void>()
const bodyOf = async (incoming: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const chat = createServer((incoming, response) => {
  void bodyOf(incoming).then((body) => {
    const { url = '', headers } = incoming
    posted.push({ path: url, type: headers['content-type'] ?? '', body })
    const { status, body: text = '', headers: more = {} } = answers.shift() ?? usual
    response.writeHead(status, more).end(text)
    arrived.resolve()
    arrived = Promise.withResolvers<void>()
  })
})
await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
after(() => chat.close())
const place = chat.address()
const port = typeof place === 'object' && place ? place.port : 0
const secret = 'T0SECRET/B0SECRET/MARKERofTheWebhook'
const webhook = `http://127.0.0.1:${port}/services/${secret}`

const operators = 'help@registrar.example'
const registrar = await startService({
  settings: { SUPPORT_EMAIL: operators, SUPPORT_WEBHOOK_URL: webhook },
})
const { request, operatorKey, mails } = registrar
const rows = rowsIn(registrar)
const newCustomer = () => registrar.customer({ funds_cents: 0, contact: false })
const write = (token: string, body: string) =>
  request('POST', '/v1/support/messages', { token, body: { body } })
const reply = async (customer_id: string, body: string) => {
  const options = { token: operatorKey, body: { customer_id, body } }
  const { body: message } = await request('POST', '/v1/internal/support/messages', options)
  return String(message.id)
}
const ownerOf = async (id: string) =>
  Object((await rows('select name from customers where id = $1', [id]))[0])
/** How many were sent until now. */
const supportMailsOf = async (subject: RegExp) =>
  (await mails()).filter((mail) => subject.test(mail.subject ?? '')).length
async function untilPosted(count: number): Promise<void> {
  while (posted.length < count) await arrived.promise
}
beforeEach(() => {
  posted.length = 0
  answers = []
})

test("a customer's message reaches the operators by mail and by webhook, once each", async () => {
  const { id, email, key } = await newCustomer()
  const text = 'Hi <!channel> & <https://x.example|you>\nsecond line'
  assert.equal((await write(key, text)).status, 201)
  await untilPosted(1)
  const [one] = posted
  assert.ok(one)
  assert.equal(one.path, `/services/${secret}`)
  assert.equal(one.type, 'application/json')
  const message: string = JSON.parse(one.body).text
  assert.match(message, new RegExp(`^Support: Customer \\d+ \\(${email}, ${id}\\)\\n`))
  assert.ok(
    message.endsWith('Hi &lt;!channel&gt; &amp; &lt;https://x.example|you&gt;\nsecond line'),
  )
  const [mail, ...more] = await mails({ to: operators, subject: /^Support: Customer/ })
  assert.deepEqual(more, [])
  assert.match(mail?.text ?? '', /> Hi <!channel> & <https:\/\/x.example\|you>\n> second line\n/)
  assert.match(mail?.html ?? '', /Hi &lt;!channel&gt; &amp;/)
  assert.ok(!registrar.logs.join('').includes('MARKERofTheWebhook'))
})

test('messages of a conversation within minutes are one mail, after the first', async () => {
  const { id, key } = await newCustomer()
  const other = await newCustomer()
  const subject = new RegExp(`^Support: ${(await ownerOf(id)).name}$`)
  await write(key, 'The first.')
  const [first] = await mails({ to: operators, subject })
  assert.match(first?.text ?? '', /wrote to support:\n\n> The first\.\n/)
  for (let n = 0; n < 30; n += 1) assert.equal((await write(key, `Then ${n}.`)).status, 201)
  await write(other.key, 'Of another customer.')
  await mails({
    to: operators,
    subject: new RegExp(`^Support: ${(await ownerOf(other.id)).name}$`),
  })
  assert.equal(await supportMailsOf(subject), 1)
  const waiting = await rows(
    `select extract(epoch from run_at - clock_timestamp())::float8 as in_s from tasks
      where kind = 'mail_support_message' and payload->>'customer_id' = $1`,
    [id],
  )
  assert.equal(waiting.length, 30)
  for (const { in_s } of waiting) assert.ok(Number(in_s) > 200 && Number(in_s) <= 300, `${in_s}`)
  await rows("update tasks set run_at = now() where kind = 'mail_support_message'")
  const found = await mails({ to: operators, subject, count: 2 })
  const text = found.at(-1)?.text ?? ''
  assert.match(text, /wrote 30 messages to support:/)
  assert.match(text, /> Then 0\.\n[\s\S]*> Then 9\.\n\nThere are 20 more\./)
  for (let left = 1; left > 0; )
    left = (await rows("select from tasks where kind = 'mail_support_message'")).length
  assert.equal(await supportMailsOf(subject), 2)
})

test('a webhook that fails is tried again, after the time that it asks for', async () => {
  const { key } = await newCustomer()
  answers = [
    { status: 500, body: `cannot post to ${webhook}` },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  ]
  await write(key, 'again and again')
  await untilPosted(4)
  assert.equal(new Set(posted.map(({ body }) => body)).size, 1)
  const [left] = await rows(
    "select count(*)::int as tasks from tasks where kind = 'post_support_message'",
  )
  const lines = registrar.logs.filter((line) => line.includes('support message not posted'))
  assert.equal(lines.length, 3)
  assert.match(lines[0] ?? '', /HTTP 500 cannot post to /)
  assert.ok(!registrar.logs.join('').includes('MARKERofTheWebhook'))
  assert.ok(Number(left?.tasks) <= 1)
})

test('a reply that is unread after five minutes is mailed once, with all that is unread', async () => {
  const { id, email, key } = await newCustomer()
  await write(key, 'question')
  const first = await reply(id, 'We look into it.\n\nIt may take a day.')
  await reply(id, `Done: see my-agent.com ${'x'.repeat(30)}`)
  const tasks = await rows(
    `select key, extract(epoch from run_at - clock_timestamp())::float8 as in_s from tasks
      where kind = 'mail_unread_support_reply' and payload->>'customer_id' = $1 order by run_at`,
    [id],
  )
  assert.equal(tasks.length, 2)
  assert.equal(tasks[0]?.key, first)
  for (const { in_s } of tasks) assert.ok(in_s > 280 && in_s <= 300, String(in_s))
  const hasMail = async () =>
    (
      await rows('select count(*)::int as n from mails where customer_id = $1 and kind = $2', [
        ...[id, 'support_reply'],
      ])
    )[0]?.n
  assert.equal(await hasMail(), 0)
  const due = () =>
    rows(
      `update tasks set run_at = now()
        where kind = 'mail_unread_support_reply' and payload->>'customer_id' = $1`,
      [id],
    )
  await due()
  const [mail, ...more] = await mails({ to: email, subject: /^Support has sent you/ })
  assert.deepEqual(more, [])
  const text = mail?.text ?? ''
  assert.match(text, /2 messages:/)
  assert.match(text, /> We look into it\.\n>\n> It may take a day\./)
  assert.match(text, /> Done: see my-agent\.com x{30}/)
  assert.match(text, /\/dashboard\/support/)
  const none = async () => {
    for (let left = 1; left > 0; )
      left = (
        await rows(
          `select from tasks where kind = 'mail_unread_support_reply'
              and payload->>'customer_id' = $1`,
          [id],
        )
      ).length
  }
  await none()
  assert.equal(await hasMail(), 1)
  await reply(id, 'One more.')
  await due()
  await mails({ to: email, subject: /^Support has replied$/ })
  await none()
  assert.equal(await hasMail(), 2)
})

test('a reply that was read in time is not mailed', async () => {
  const { id, key } = await newCustomer()
  await reply(id, 'Hello.')
  await request('POST', '/v1/support/messages/read', { token: key })
  await rows("update tasks set run_at = now() where kind = 'mail_unread_support_reply'")
  for (let left = 1; left > 0; )
    left = (await rows("select from tasks where kind = 'mail_unread_support_reply'")).length
  const sent = await rows("select from mails where customer_id = $1 and kind = 'support_reply'", [
    id,
  ])
  assert.deepEqual(sent, [])
})

test('a line of a quoted text cannot pass for a sentence of the mail', async () => {
  const { id, email } = await newCustomer()
  const long = `${'word '.repeat(40)}Your account is closed`
  await reply(id, `${long}\nAgent Registrar\u202e`)
  await rows("update tasks set run_at = now() where kind = 'mail_unread_support_reply'")
  const [mail] = await mails({ to: email, subject: /^Support has replied$/ })
  const lines = (mail?.text ?? '').split('\n')
  for (const line of lines.filter((one) => /word|account is closed|^.?.?Agent Reg/.test(one)))
    assert.match(line, /^> /)
  assert.ok(lines.some((line) => line.includes('account is closed')))
})

const probe = () => request('POST', '/v1/internal/support/test', { token: operatorKey })
type Probe = { transport: string; result: string; detail: string | null; ms: number }
const probesOf = async () => {
  const { status, body, text } = await probe()
  assert.equal(status, 200, text)
  assert.ok(!text.includes('SECRET') && !text.includes('MARKER'), text)
  const transports: Probe[] = body.transports
  return new Map(transports.map((one) => [one.transport, one]))
}

test('the probe sends by each transport, and reports each outcome', async () => {
  const well = await probesOf()
  assert.equal(well.get('smtp')?.result, 'ok')
  assert.equal(well.get('webhook')?.result, 'ok')
  await mails({ to: operators, subject: /a test of this transport/ })
  answers = [{ status: 404, body: `no_team at /services/${secret}` }]
  const refused = (await probesOf()).get('webhook')
  assert.equal(refused?.result, 'refused')
  assert.match(refused?.detail ?? '', /^HTTP 404 no_team at /)
  const log = await rows(
    `select metadata, actor_type from audit_logs where action = 'test_support_transports'
      order by id`,
  )
  assert.deepEqual(
    log.map(({ metadata }) => metadata),
    [
      { smtp: 'ok', webhook: 'ok' },
      { smtp: 'ok', webhook: 'refused' },
    ],
  )
})

test('a webhook that nothing listens on is unreachable, without its address', async () => {
  const closed = openSlackWebhook({ url: `http://127.0.0.1:${await freePort()}/${secret}` })
  const away = await closed.post('x')
  assert.deepEqual(away, {
    ...{ kind: 'away', reason: 'no answer (ECONNREFUSED)', retry_after_s: null },
  })
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const at = silent.address()
  const url = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}/`
  const late = await openSlackWebhook({ url }, 50).post('x')
  assert.deepEqual(late.kind === 'away' && late.reason, 'no answer in time')
  silent.closeAllConnections()
  silent.close()
})

test('without settings the probe says which are missing', async () => {
  const { service } = registrar
  const { settings, chat: set } = service.app
  const { support_email } = settings
  try {
    settings.support_email = null
    service.app.chat = null
    const probes = await probesOf()
    assert.deepEqual(
      [...probes.values()].map(({ transport, result, detail }) => [transport, result, detail]),
      [
        ['smtp', 'not_configured', 'SUPPORT_EMAIL is not set.'],
        ['webhook', 'not_configured', 'SUPPORT_WEBHOOK_URL is not set.'],
      ],
    )
  } finally {
    settings.support_email = support_email
    service.app.chat = set
  }
})

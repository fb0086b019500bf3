// Messages of a conversation: sending, listing, marking as read, by both sides; repeated requests;
// isolation between customers; suspended accounts; order under concurrent senders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { type Answer, sharedService } from '../../../../test/support/service.ts'
import { openEvents } from '../../../../test/support/streams/event-client.ts'

const registrar = await sharedService({ worker: false })
const { request, operatorKey } = registrar
const rows = rowsIn(registrar)
const newCustomer = () => registrar.customer({ funds_cents: 0, contact: false })

type Sender = { token: string; customer_id?: string }
const send = ({ token, customer_id }: Sender, body: unknown, key?: string): Promise<Answer> =>
  request('POST', customer_id ? '/v1/internal/support/messages' : '/v1/support/messages', {
    token,
    body: { body, ...(customer_id && { customer_id }) },
    ...(key && { headers: { 'idempotency-key': key } }),
  })
const list = (token: string, query = '') =>
  request('GET', `/v1/support/messages${query}`, { token })
const bodies = ({ body }: Answer): string[] =>
  body.messages.map((one: { body: string }) => one.body)

test('an empty conversation is an empty list', async () => {
  const { key } = await newCustomer()
  const { status, body } = await list(key)
  assert.equal(status, 200)
  assert.deepEqual(body, { messages: [], unread: 0, last_event_id: '0', next_cursor: null })
  const read = await request('POST', '/v1/support/messages/read', { token: key })
  assert.deepEqual([read.status, read.body], [200, { marked: 0, unread: 0 }])
})

test('both sides write, and each marks the other side as read', async () => {
  const { id, key } = await newCustomer()
  const asked = await send({ token: key }, 'Line one\n\nline <b>two</b>')
  assert.equal(asked.status, 201)
  assert.deepEqual(Object.keys(asked.body).sort(), [
    ...['body', 'created_at', 'id', 'read_at', 'sender'],
  ])
  assert.equal(asked.body.sender, 'customer')
  assert.equal(asked.body.read_at, null)
  const answered = await send({ token: operatorKey, customer_id: id }, 'We look into it.')
  assert.deepEqual([answered.status, answered.body.sender], [201, 'operator'])
  const listed = await list(key)
  const { body } = listed
  assert.deepEqual(bodies(listed), ['We look into it.', 'Line one\n\nline <b>two</b>'])
  assert.equal(body.unread, 1)
  assert.equal(body.last_event_id, '3')
  assert.ok(body.messages[1].read_at, 'a reply shows that the question was read')
  assert.equal(body.messages[0].read_at, null)
  const read = await request('POST', '/v1/support/messages/read', { token: key })
  assert.deepEqual(read.body, { marked: 1, unread: 0 })
  const after = await list(key)
  assert.equal(after.body.unread, 0)
  assert.ok(after.body.messages[0].read_at)
})

test("operators see the name of each reply's author, and the customer does not", async () => {
  const { id, key } = await newCustomer()
  const name = `Ada of ${id}`
  const path = '/v1/internal/operator-keys'
  const made = await request('POST', path, { token: operatorKey, body: { name } })
  assert.equal(made.status, 201, made.text)
  await send({ token: key }, 'Hello')
  const operator = { token: made.body.operator_key, customer_id: id }
  const reply = await send(operator, 'Here', 'reply-1')
  assert.equal(reply.body.operator, name)
  const again = await send({ token: operatorKey, customer_id: id }, 'Here', 'reply-1')
  assert.equal(again.body.operator, name, 'a repeated request has the author of the message')
  await send({ token: operatorKey, customer_id: id }, 'And here')
  const thread = await request('GET', `/v1/internal/support/threads/${id}`, { token: operatorKey })
  assert.deepEqual(
    thread.body.messages.map((one: { operator: string | null }) => one.operator),
    ['environment', name, null],
  )
  const answered = '/v1/internal/support/threads?state=answered&limit=1'
  const [newest] = (await request('GET', answered, { token: operatorKey })).body.threads
  assert.equal(newest.last_message.operator, 'environment')
  const { text } = await list(key)
  assert.ok(!text.includes('operator":') && !text.includes(name), text)
  const stream = await openEvents(`${registrar.url}/v1/support/events?after=0`, { token: key })
  const sent = JSON.stringify(await stream.until(4))
  stream.close()
  assert.ok(sent.includes('And here'), sent)
  assert.ok(!sent.includes(name) && !sent.includes('environment'), sent)
})

test('a message that comes after the newest one seen stays unread', async () => {
  const { id, key } = await newCustomer()
  const operator = { token: operatorKey, customer_id: id }
  const seen = await send(operator, 'first')
  await send(operator, 'second')
  const up_to = seen.body.id
  const read = await request('POST', '/v1/support/messages/read', { token: key, body: { up_to } })
  assert.deepEqual(read.body, { marked: 1, unread: 1 })
  const other = await newCustomer()
  const foreign = await request('POST', '/v1/support/messages/read', {
    token: other.key,
    body: { up_to },
  })
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'support_message_not_found'])
})

test('a body has 1 to 4000 characters and is not blank', async () => {
  const { id, key } = await newCustomer()
  const accepted = ['x', 'é'.repeat(4000), '😀'.repeat(4000), '\u00a0 x\r\n\ty ', '0']
  const refused = ['', ' ', '\n\t', '\u2028', 'x'.repeat(4001), 'x\u0000', '\ud800', '\u0007']
  refused.push('x\u001b[31m', ...[7, null, ['x']].map((one) => JSON.parse(JSON.stringify(one))))
  for (const sender of [{ token: key }, { token: operatorKey, customer_id: id }]) {
    for (const body of accepted)
      assert.equal((await send(sender, body)).status, 201, body.slice(0, 9))
    for (const body of refused) {
      const { status, text } = await send(sender, body)
      assert.equal(status, 422, `${JSON.stringify(body)?.slice(0, 20)} ${text}`)
    }
  }
})

test('a request that is repeated with its key sends one message, another request none', async () => {
  const { id, key } = await newCustomer()
  for (const sender of [{ token: key }, { token: operatorKey, customer_id: id }]) {
    const all = await Promise.all([1, 2, 3, 4].map(() => send(sender, 'once', 'key-1')))
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(all.map(({ body }) => body.id)).size, 1)
    const replayed = all.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
    assert.equal(replayed.length, 3)
    const other = await send(sender, 'another', 'key-1')
    assert.equal(other.status, 422)
    assert.equal(other.body.detail[0].type, 'idempotency_key_mismatch')
  }
  assert.deepEqual(bodies(await list(key)), ['once', 'once'])
})

test('pages continue below their cursor while messages are added', async () => {
  const { key } = await newCustomer()
  for (const body of ['1', '2', '3']) await send({ token: key }, body)
  const seen: string[] = []
  for (let query = '?limit=1'; ; ) {
    const page = await list(key, query)
    seen.push(...bodies(page))
    await send({ token: key }, 'later')
    if (page.body.next_cursor === null) break
    query = `?limit=1&cursor=${page.body.next_cursor}`
  }
  assert.deepEqual(seen, ['3', '2', '1'])
  for (const bad of ['limit=0', 'limit=501', 'limit=x', 'cursor=x', 'cursor=-1', 'color=red'])
    assert.equal((await list(key, `?${bad}`)).status, 422, bad)
})

test('a suspended account writes and reads; its other changes stay refused', async () => {
  const { id, key } = await newCustomer()
  await rows("update customers set status = 'suspended' where id = $1", [id])
  registrar.service.app.authentications.invalidate()
  assert.equal((await send({ token: key }, 'Why?')).status, 201)
  await send({ token: operatorKey, customer_id: id }, 'A payment was reversed.')
  assert.equal((await list(key)).body.unread, 1)
  const read = await request('POST', '/v1/support/messages/read', { token: key })
  assert.deepEqual(read.body, { marked: 1, unread: 0 })
})

test('operators name an existing customer, and list the longest wait first', async () => {
  const customers = [await newCustomer(), await newCustomer(), await newCustomer()]
  for (const { key } of customers) await send({ token: key }, 'help')
  const [first, second] = customers
  assert.ok(first && second)
  await send({ token: first.key }, 'again')
  const ours = new Set(customers.map(({ id }) => id))
  const threads = async (query: string) => {
    const found: { customer_id: string; unread: number }[] = []
    for (let cursor = ''; ; ) {
      const answer = await request('GET', `/v1/internal/support/threads?${query}${cursor}`, {
        token: operatorKey,
      })
      assert.equal(answer.status, 200, answer.text)
      found.push(...answer.body.threads)
      if (answer.body.next_cursor === null) break
      cursor = `&cursor=${answer.body.next_cursor}`
    }
    return found.filter(({ customer_id }) => ours.has(customer_id))
  }
  for (const limit of [1, 2, 500]) {
    const waiting = await threads(`limit=${limit}`)
    assert.deepEqual(
      waiting.map(({ customer_id, unread }) => [customer_id, unread]),
      customers.map(({ id }, i) => [id, i === 0 ? 2 : 1]),
    )
  }
  await send({ token: operatorKey, customer_id: first.id }, 'here')
  const noted = await request('POST', '/v1/internal/support/messages/read', {
    token: operatorKey,
    body: { customer_id: second.id },
  })
  assert.deepEqual(noted.body, { marked: 1, unread: 0 })
  assert.deepEqual(
    (await threads('')).map(({ customer_id }) => customer_id),
    [customers[2]?.id],
  )
  const answered = (await threads('state=answered&limit=1')).map((one) => one.customer_id)
  assert.deepEqual(answered, [first.id, second.id])
  const path = `/v1/internal/support/threads/${first.id}`
  const thread = await request('GET', path, { token: operatorKey })
  assert.deepEqual(bodies(thread), ['here', 'again', 'help'])
  for (const body of [{ customer_id: 'cus_none', body: 'x' }])
    assert.equal(
      (await request('POST', '/v1/internal/support/messages', { token: operatorKey, body })).status,
      404,
    )
  assert.equal((await request('GET', path, { token: first.key })).status, 403)
  const none = '/v1/internal/support/threads/cus_none'
  assert.equal((await request('GET', none, { token: operatorKey })).status, 404)
})

test('concurrent senders get positions without a gap, and counts that agree', async () => {
  const { id, key } = await newCustomer()
  const operator = { token: operatorKey, customer_id: id }
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0
        ? request('POST', '/v1/support/messages/read', { token: key })
        : send(i % 2 === 0 ? operator : { token: key }, `message ${i}`),
    ),
  )
  const events = await rows(
    'select position::int from support_events where customer_id = $1 order by 1',
    [id],
  )
  assert.deepEqual(
    events.map(({ position }) => position),
    events.map((_, i) => i + 1),
  )
  const [counts] = await rows(
    `select t.customer_unread, t.operator_unread, t.last_event::int,
            count(*) filter (where m.read_at is null and m.sender <> 'customer')::int as c,
            count(*) filter (where m.read_at is null and m.sender = 'customer')::int as o,
            count(*)::int as messages
       from support_threads t join support_messages m using (customer_id)
      where customer_id = $1 group by t.customer_id`,
    [id],
  )
  assert.ok(counts)
  assert.equal(counts.messages, 20)
  assert.deepEqual([counts.customer_unread, counts.operator_unread], [counts.c, counts.o])
  assert.equal(counts.last_event, events.length)
})

test('the audit log has the id of a message and not its text', async () => {
  const { id, key } = await newCustomer()
  const { body } = await send({ token: key }, 'MARKER-of-a-message')
  await send({ token: operatorKey, customer_id: id }, 'MARKER-of-a-reply')
  const log = await request('GET', `/v1/customers/${id}/audit-logs`, { token: operatorKey })
  const entries: { action: string; target: string; actor_type: string }[] = log.body.audit_logs
  assert.deepEqual(
    entries.slice(0, 2).map(({ action, actor_type }) => [action, actor_type]),
    [
      ['send_support_reply', 'operator'],
      ['send_support_message', 'api_key'],
    ],
  )
  assert.equal(entries[1]?.target, body.id)
  assert.ok(!log.text.includes('MARKER'))
  assert.ok(!registrar.logs.join('').includes('MARKER'))
})

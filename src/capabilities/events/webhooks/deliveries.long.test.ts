// Deliveries from a purchase to a receiver on this machine: their order, signatures and retries.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as tls from 'node:tls'
import { selfSigned } from '../../../../test/support/client-documents.ts'
import { skip } from '../../../../test/support/outside.ts'
import { isSigned, receiverOf, until, webhookSteps } from './webhooks.fixture.ts'

const { registrar, request, rows, webhookAt, call, testEvent, deliveries, ...steps } =
  await webhookSteps()
const { attempted, makeDue, buy } = steps

describe('a delivery', () => {
  it('of each event of a purchase comes in order, signed, with the event', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['order.*', 'domain.*'] })
    const name = await buy(made.customer, 'hook')
    await until(
      () => receiver.received.length,
      (count) => count >= 2,
    )
    const events = receiver.received.map(({ body }) => JSON.parse(body))
    assert.deepEqual(
      events.map(({ type, subject }) => [type, subject.id]),
      [
        ['order.placed', name],
        ['domain.registered', name],
      ],
    )
    for (const one of receiver.received) {
      assert.ok(isSigned(one, made.secret))
      assert.equal(one.headers['webhook-id'], JSON.parse(one.body).id)
      assert.equal(JSON.parse(one.body).timestamp, JSON.parse(one.body).created_at)
    }
    const { body } = await request('GET', '/v1/events?types=order.*,domain.*', {
      token: made.customer.key,
    })
    assert.deepEqual(
      body.events.map(({ id }: { id: string }) => id),
      events.map(({ id }) => id),
    )
  })

  it('is verified by the standardwebhooks library', { skip }, async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url)
    await testEvent(made)
    await until(
      () => receiver.received.length,
      (count) => count >= 1,
    )
    const outside = createRequire(join(import.meta.dirname, '../../../../test/outside/x.js'))
    const { Webhook } = outside('standardwebhooks')
    const library = new Webhook(made.secret)
    for (const { headers, body } of receiver.received)
      assert.equal(library.verify(body, headers).id, headers['webhook-id'])
    const [first] = receiver.received
    assert.throws(() => library.verify(`${first?.body} `, first?.headers))
  })

  it('is signed by both secrets for a day after a rotation', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    const rotated = await call(made, 'POST /secret/rotate')
    await testEvent(made)
    const [first] = await until(
      () => receiver.received,
      ({ length }) => length >= 1,
    )
    assert.ok(first && isSigned(first, made.secret) && isSigned(first, rotated.body.secret))
    await rows('update webhooks set previous_until = now() where id = $1', [made.id])
    await testEvent(made)
    const [, second] = await until(
      () => receiver.received,
      ({ length }) => length >= 2,
    )
    assert.ok(second && !isSigned(second, made.secret) && isSigned(second, rotated.body.secret))
  })
})

describe('a secret that is replaced twice within a day', () => {
  it('signs for its day, as do all that came after it', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    const secrets = [made.secret]
    for (let i = 0; i < 3; i += 1)
      secrets.push((await call(made, 'POST /secret/rotate')).body.secret)
    await testEvent(made)
    const [first] = await until(
      () => receiver.received,
      ({ length }) => length >= 1,
    )
    for (const secret of secrets) assert.ok(first && isSigned(first, secret))
    await rows(
      `update webhook_secrets set signs_until = now()
        where id = (select min(id) from webhook_secrets where webhook_id = $1)`,
      [made.id],
    )
    await testEvent(made)
    const [, second] = await until(
      () => receiver.received,
      ({ length }) => length >= 2,
    )
    const [oldest = '', ...others] = secrets
    assert.ok(second && !isSigned(second, oldest))
    for (const secret of others) assert.ok(isSigned(second, secret))
  })
})

describe('a delivery over https', () => {
  const old = 'setDefaultCACertificates' in tls ? false : 'This Node cannot trust a CA for a test.'
  const refused = 'The certificate of the host is not valid for it.'

  it('needs a certificate of a trusted authority for the name of the host', {
    skip: old,
  }, async () => {
    const [good, other] = await Promise.all([selfSigned(['localhost']), selfSigned(['else.test'])])
    const [receiver, misnamed] = [await receiverOf(good), await receiverOf(other)]
    const made = await webhookAt(receiver.url, { types: ['order.*'] })
    const toMisnamed = await webhookAt(misnamed.url, { types: ['order.*'] })
    const usual = tls.getCACertificates('default')
    await testEvent(made)
    const { state, last_status, last_error } = await attempted(made, 1)
    assert.deepEqual([state, last_status, last_error], ['pending', null, refused])
    assert.equal(receiver.received.length, 0, 'no request is sent')
    // Not by itself after 5 s, while another authority is trusted.
    const later = `next_at = now() + interval '1 hour'`
    await rows(`update webhook_deliveries set ${later} where webhook_id = $1`, [made.id])
    try {
      tls.setDefaultCACertificates([...usual, other.cert])
      await testEvent(toMisnamed)
      assert.equal((await attempted(toMisnamed, 1)).last_error, refused)
      tls.setDefaultCACertificates([...usual, good.cert])
      await makeDue(made)
      const second = await attempted(made, 2)
      assert.deepEqual([second.state, second.last_status], ['delivered', 204], second.last_error)
    } finally {
      tls.setDefaultCACertificates(usual)
    }
    assert.equal(misnamed.received.length, 0)
    const [sent] = receiver.received
    assert.ok(sent && isSigned(sent, made.secret))
  })
})

describe('a delivery that fails', () => {
  it('is sent again with the same id: 500, a redirect, a closed connection', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    receiver.answer = (response) => response.writeHead(500).end()
    await testEvent(made)
    const first = await attempted(made, 1)
    assert.deepEqual([first.state, first.last_status], ['pending', 500])
    const wait_ms = Date.parse(first.next_attempt_at) - Date.parse(first.last_attempt_at)
    assert.ok(wait_ms > 4_000 && wait_ms < 6_000, `${wait_ms}`)
    receiver.answer = (response) => response.writeHead(301, { location: '/elsewhere' }).end()
    await makeDue(made)
    assert.equal((await attempted(made, 2)).last_status, 301)
    receiver.answer = (response) => response.destroy()
    await makeDue(made)
    assert.equal((await attempted(made, 3)).last_status, null)
    assert.notEqual((await call(made, 'GET')).body.failing_since, null)
    receiver.answer = (response) => response.writeHead(200).end('x'.repeat(100))
    await makeDue(made)
    const last = await attempted(made, 4)
    assert.deepEqual([last.state, last.last_error], ['delivered', null])
    assert.equal((await call(made, 'GET')).body.failing_since, null)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  it('waits for as long as Retry-After says', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await testEvent(made)
    const one = await attempted(made, 1)
    const wait_ms = Date.parse(one.next_attempt_at) - Date.parse(one.last_attempt_at)
    assert.equal(Math.round(wait_ms / 1_000), 3_600)
  })

  it('is given up after eight attempts, and sent again when its owner says so', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    receiver.answer = (response) => response.writeHead(503).end()
    await testEvent(made)
    await attempted(made, 1)
    await rows('update webhook_deliveries set attempts = 7 where webhook_id = $1', [made.id])
    await makeDue(made)
    const dead = await until(
      async () => (await deliveries(made))[0],
      ({ state }) => state === 'failed',
    )
    assert.equal(dead.attempts, 8)
    const listed = await call(made, 'GET /deliveries?state=failed')
    assert.deepEqual(
      listed.body.deliveries.map(({ id }: { id: string }) => id),
      [dead.id],
    )
    receiver.answer = (response) => response.writeHead(204).end()
    assert.equal((await call(made, `POST /deliveries/${dead.id}/redeliver`)).status, 202)
    await until(
      async () => (await deliveries(made))[0],
      ({ state }) => state === 'delivered',
    )
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })
})

it('a delivery that was given up is listed for operators, who send it again', async () => {
  const receiver = await receiverOf()
  const made = await webhookAt(`${receiver.url}?key=secret`, { types: ['webhook.test'] })
  receiver.answer = (response) => response.writeHead(503).end()
  await testEvent(made)
  const { id } = await attempted(made, 1)
  await rows(`update webhook_deliveries set state = 'failed' where id = $1`, [id])
  const path = '/v1/internal/webhook-deliveries'
  const token = registrar.operatorKey
  const listed = await request('GET', `${path}?limit=500`, { token })
  assert.ok(!listed.text.includes('secret'), 'the URL is not shown')
  const one = listed.body.deliveries.find((other: { id: string }) => other.id === id)
  const { customer_id, host, event_type, last_error, attempts } = one
  assert.deepEqual(
    [customer_id, host, event_type, last_error, attempts],
    [made.customer.id, new URL(receiver.url).host, 'webhook.test', 'It answered 503.', 1],
  )
  const again = (by = token) => request('POST', `${path}/${id}/redeliver`, { token: by, body: {} })
  assert.equal((await again(made.customer.key)).status, 403)
  await call(made, 'PATCH', { enabled: false })
  assert.equal((await again()).body.code, 'customers_webhook_disabled')
  await call(made, 'PATCH', { enabled: true })
  receiver.answer = (response) => response.writeHead(204).end()
  assert.equal((await again()).status, 202)
  await until(
    async () => (await deliveries(made))[0],
    ({ state }) => state === 'delivered',
  )
  assert.equal((await again()).body.code, 'failed_delivery_not_found')
  const logs = `/v1/customers/${made.customer.id}/audit-logs?action=redeliver_failed_webhook`
  const { body } = await request('GET', logs, { token: made.customer.key })
  const [row] = body.audit_logs
  assert.deepEqual([row.actor_type, row.target, row.result], ['operator', made.id, 'success'])
})

describe('the order of deliveries', () => {
  it('holds later ones back for a minute while one is retried, not longer', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    receiver.answer = (response) => response.writeHead(500).end()
    await testEvent(made)
    const first = await attempted(made, 1)
    receiver.answer = (response) => response.writeHead(204).end()
    const later = new Date(Date.now() + 600_000)
    await rows('update webhook_deliveries set next_at = $2 where id = $1', [first.id, later])
    await testEvent(made)
    await until(
      () => deliveries(made),
      ({ length }) => length === 2,
    )
    const other = await receiverOf()
    await testEvent(await webhookAt(other.url))
    await until(
      () => other.received.length,
      (count) => count >= 1,
    )
    assert.equal(receiver.received.length, 1, 'held back')
    await rows(
      `update webhook_deliveries set first_failed_at = now() - interval '61 s' where id = $1`,
      [first.id],
    )
    await rows(`update tasks set run_at = now() where key = $1`, [made.id])
    await until(
      () => receiver.received.length,
      (count) => count === 2,
    )
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.notEqual(ids[0], ids[1])
  })

  it('is not held up by another endpoint that never answers', async () => {
    const silent = await receiverOf()
    silent.answer = () => undefined
    const stuck = await Promise.all([webhookAt(silent.url), webhookAt(silent.url)])
    for (const made of stuck) await testEvent(made)
    await until(
      () => silent.received.length,
      (count) => count >= 2,
    )
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url)
    await testEvent(made)
    await until(
      () => receiver.received.length,
      (count) => count >= 1,
    )
    for (const one of stuck)
      assert.equal((await deliveries(one))[0].attempts, 0, 'it has not been given up yet')
  })
})

// Webhooks through the service: created, changed and deleted, and isolated between customers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopes } from '../../../app.ts'
import { receiverOf, until, webhookSteps } from './webhooks.fixture.ts'

const { registrar, request, rows, webhookAt, call, testEvent, deliveries, ...steps } =
  await webhookSteps()
const { attempted, makeDue, buy } = steps

describe('a webhook', () => {
  it('shows its secret once, and has it sealed', async () => {
    const made = await webhookAt('https://hooks.example.net/a?b=c')
    assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { text, body } = await call(made, 'GET')
    assert.ok(!text.includes(made.secret) && body.enabled === true)
    const [row] = await rows('select to_jsonb(w)::text as all from webhooks w where id = $1', [
      made.id,
    ])
    assert.ok(!row.all.includes(made.secret.slice(6)))
    assert.ok(registrar.logs.every((line) => !line.includes(made.secret.slice(6))))
  })

  it('is refused at a URL that is not https, inside, or of a reserved port', async () => {
    const customer = await registrar.customer({ scopes: [...scopes] })
    for (const url of [
      ...['http://hooks.example.net/', 'https://10.0.0.1/', 'https://[::1]:8443@x.com/'],
      ...['https://hooks.example.net:22/', 'https://user:pw@hooks.example.net/', 'ftp://a.b/x'],
      ...['https://localhost.localdomain.1/', 'https://intranet/', 'https://0x0a000001/x'],
    ]) {
      const body = { url }
      const { status, text } = await request('POST', '/v1/webhooks', { token: customer.key, body })
      assert.equal(status, 422, `${url} ${text}`)
    }
  })

  it('is one of ten at most', async () => {
    const customer = await registrar.customer({ scopes: [...scopes] })
    for (let n = 0; n < 10; n += 1) await webhookAt('https://hooks.example.net/', { customer })
    const body = { url: 'https://hooks.example.net/' }
    const { status } = await request('POST', '/v1/webhooks', { token: customer.key, body })
    assert.equal(status, 409)
  })

  it('is announced to its owner by mail', async () => {
    const { customer } = await webhookAt('https://hooks.example.net/')
    const mails = await registrar.mails({ to: customer.email, subject: /webhook was added/ })
    assert.equal(mails.length, 1)
  })
})

describe('a webhook of a token that may not see all', () => {
  it('is refused for events that the token may not see', async () => {
    const customer = await registrar.customer({ scopes: ['account:read', 'account:write'] })
    const body = { url: 'https://hooks.example.net/', types: ['domain.*'] }
    const refused = await request('POST', '/v1/webhooks', { token: customer.key, body })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.required_scope],
      [403, 'event_scope_missing', 'domains:read'],
    )
    const { types: _all, ...rest } = body
    const made = await request('POST', '/v1/webhooks', { token: customer.key, body: rest })
    assert.deepEqual(made.body.webhook.types, ['account.*', 'webhook.*'])
  })

  it('is refused for a token that sees only some domains, whose events it would show', async () => {
    const { customer, id } = await webhookAt('https://hooks.example.net/')
    const key = await request('POST', `/v1/customers/${customer.id}/api-keys`, {
      token: registrar.operatorKey,
      body: { scopes: [...scopes], allowed_domains: ['seen-*.com'] },
    })
    const token = String(key.body.api_key)
    const answer = async (method: string, path: string, body: object) => {
      const refused = await request(method, path, { token, body })
      return [refused.status, refused.body.code, refused.body.limits_not_held]
    }
    const refusal = [403, 'limit_not_held', ['allowed_domains']]
    const url = 'https://other.example.net/'
    assert.deepEqual(await answer('POST', '/v1/webhooks', { url }), refusal)
    assert.deepEqual(await answer('PATCH', `/v1/webhooks/${id}`, { url }), refusal)
    assert.deepEqual(await answer('PATCH', `/v1/webhooks/${id}`, { types: ['domain.*'] }), refusal)
    assert.equal((await answer('PATCH', `/v1/webhooks/${id}`, { enabled: false }))[0], 200)
  })

  it('cannot be turned to another URL by a token that may not see its events', async () => {
    const made = await webhookAt('https://hooks.example.net/')
    const key = await request('POST', `/v1/customers/${made.customer.id}/api-keys`, {
      token: registrar.operatorKey,
      body: { scopes: ['account:read', 'account:write'] },
    })
    const { status } = await request('PATCH', `/v1/webhooks/${made.id}`, {
      token: key.body.api_key,
      body: { url: 'https://evil.example.net/' },
    })
    assert.equal(status, 403)
  })
})

describe('an endpoint', () => {
  it('that answers 410 is disabled, its owner is notified, and it can be enabled', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    receiver.answer = (response) => response.writeHead(410).end()
    await testEvent(made)
    const { body } = await until(
      () => call(made, 'GET'),
      (answer) => answer.body.enabled === false,
    )
    assert.equal(body.disabled_because, 'gone')
    assert.equal((await call(made, 'POST /test')).body.code, 'webhook_disabled')
    const mails = await registrar.mails({ to: made.customer.email, subject: /turned off/ })
    assert.equal(mails.length, 1)
    receiver.answer = (response) => response.writeHead(204).end()
    assert.equal((await call(made, 'PATCH', { enabled: true })).body.enabled, true)
    await testEvent(made)
    await until(
      () => deliveries(made),
      ([one]) => one?.state === 'delivered',
    )
  })

  it('that has failed for three days is disabled, and its deliveries have failed', async () => {
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { types: ['webhook.test'] })
    receiver.answer = (response) => response.writeHead(500).end()
    await testEvent(made)
    await attempted(made, 1)
    await rows(`update webhooks set failing_since = now() - interval '73 hours' where id = $1`, [
      made.id,
    ])
    await makeDue(made)
    const { body } = await until(
      () => call(made, 'GET'),
      (answer) => answer.body.enabled === false,
    )
    assert.equal(body.disabled_because, 'failing')
    assert.equal((await deliveries(made))[0].state, 'failed')
  })

  it('of another customer is not found, whatever is asked of it', async () => {
    const made = await webhookAt('https://hooks.example.net/')
    const { key } = await registrar.customer({ scopes: [...scopes] })
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/secret/rotate'],
      ['GET', '/deliveries'],
      ['POST', `/deliveries/dlv_${'0'.repeat(26)}/redeliver`],
    ] as const) {
      const { status, body } = await request(method, `/v1/webhooks/${made.id}${path}`, {
        token: key,
        ...(method === 'PATCH' && { body: { enabled: false } }),
      })
      assert.deepEqual([status, body.code], [404, 'webhook_not_found'], `${method} ${path}`)
    }
  })

  it('receives nothing after it was deleted', async () => {
    const [receiver, other] = [await receiverOf(), await receiverOf()]
    // Not of all types: an event from before the deletion may be sent before it.
    const types = ['domain.*']
    const made = await webhookAt(receiver.url, { types })
    const { customer } = made
    await webhookAt(other.url, { customer, types })
    assert.equal((await call(made, 'DELETE')).status, 204)
    await buy(customer, 'gone')
    await until(
      () => other.received.length,
      (count) => count === 1,
    )
    const delivered = await rows('select from webhook_deliveries where webhook_id = $1', [made.id])
    assert.deepEqual([delivered, receiver.received], [[], []])
  })
})

// Webhooks end with the key or the app that made them (decision 84): a leaked one that was revoked
// gets no event by a webhook that it made, or turned to another URL.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopes } from '../../../src/app.ts'
import {
  receiverOf,
  until,
  webhookSteps,
} from '../../../src/capabilities/events/webhooks/webhooks.fixture.ts'
import { connected, newClient, newVisitor } from '../../../src/oauth/consent/consent.fixture.ts'
import { newOwner } from '../../support/owner.ts'
import type { TestCustomer } from '../../support/service.ts'
import { recentSessionOf, sessionOf } from '../../support/sign-in.ts'

const steps = await webhookSteps()
const { registrar, request, rows, webhookAt, call, deliveries, buy } = steps
const hooks = 'https://hooks.example.net/'
const newCustomer = () => registrar.customer({ scopes: [...scopes] })

/** A key of the same account that another made. */
async function childOf(customer: TestCustomer, held: readonly string[] = scopes) {
  const at = `/v1/customers/${customer.id}/api-keys`
  const { key: token } = customer
  const made = await request('POST', at, { token, body: { scopes: held } })
  assert.equal(made.status, 201, made.text)
  const key_id = Number(made.body.key.id)
  const revoke = async () => {
    const { status } = await request('POST', `${at}/${key_id}/revoke`, { token })
    assert.equal(status, 200)
  }
  return { ...customer, key: String(made.body.api_key), key_id, revoke }
}
const patch = (token: string, id: string, body: object) =>
  request('PATCH', `/v1/webhooks/${id}`, { token, body })
const shown = async (token: string, id: string) =>
  (await request('GET', `/v1/webhooks/${id}`, { token })).body

/** One event of a purchase was derived and fanned out: another webhook of the account got it. */
async function boughtAndSent(customer: TestCustomer, label: string): Promise<void> {
  const other = await receiverOf()
  await webhookAt(other.url, { customer, types: ['domain.*'] })
  await buy(customer, label)
  await until(
    () => other.received.length,
    (count) => count > 0,
  )
}

describe('a webhook of a key', () => {
  it('names it, and gets nothing after it was revoked', async () => {
    const customer = await newCustomer()
    const leaked = await childOf(customer)
    const receiver = await receiverOf()
    const { id } = await webhookAt(receiver.url, { customer: leaked, types: ['domain.*'] })
    const before = await shown(customer.key, id)
    assert.deepEqual([before.made_by, before.api_key_id], ['api_key', leaked.key_id])
    await leaked.revoke()
    const { enabled, disabled_because: because } = await shown(customer.key, id)
    assert.deepEqual([enabled, because], [false, 'maker_ended'])
    const made = { customer, id, secret: '' }
    assert.equal((await call(made, 'POST /test')).body.code, 'webhook_disabled')
    await boughtAndSent(customer, 'revoked')
    assert.deepEqual([await deliveries(made), receiver.received], [[], []])
  })

  it('ends when it expires, and its deliveries that wait are not sent', async () => {
    const customer = await newCustomer()
    const short = await childOf(customer)
    const receiver = await receiverOf()
    receiver.answer = (response) => response.writeHead(500).end()
    const made = await webhookAt(receiver.url, { customer: short, types: ['webhook.test'] })
    await steps.testEvent(made)
    await steps.attempted(made, 1)
    const [{ created_at: expired }] = await rows(
      'update api_keys set expires_at = created_at where id = $1 returning created_at',
      [short.key_id],
    )
    assert.ok(expired < new Date())
    const asOwner = { ...made, customer }
    await steps.makeDue(asOwner)
    const [failed] = await until(
      () => deliveries(asOwner),
      ([one]) => one?.state === 'failed',
    )
    assert.deepEqual([failed.attempts, receiver.received.length], [1, 1])
    assert.equal((await shown(customer.key, made.id)).disabled_because, 'maker_ended')
  })

  it('gets no event that it may no longer see', async () => {
    const customer = await newCustomer()
    const narrowed = await childOf(customer)
    const receiver = await receiverOf()
    const made = await webhookAt(receiver.url, { customer: narrowed })
    await rows(`update api_keys set scopes = '{account:read,account:write}' where id = $1`, [
      narrowed.key_id,
    ])
    await boughtAndSent(customer, 'narrowed')
    const types = (await deliveries({ ...made, customer })).map(
      ({ event_type: type }: { event_type: string }) => type.split('.')[0],
    )
    assert.ok(types.length > 0 && types.every((one: string) => /^(account|webhook)$/.test(one)))
  })
})

describe('a webhook whose key was revoked', () => {
  it('is taken over by the owner, in a session with a fresh log-in', async () => {
    const customer = await newCustomer()
    const leaked = await childOf(customer)
    const { id } = await webhookAt(hooks, { customer: leaked })
    await leaked.revoke()
    const late = await patch(await sessionOf(registrar, customer), id, { enabled: true })
    assert.deepEqual([late.status, late.body.code], [403, 'fresh_log_in_needed'])
    const other = await childOf(customer)
    const taken = await patch(other.key, id, { enabled: true })
    assert.deepEqual([taken.status, taken.body.code], [403, 'webhook_not_own'])
    const kept = await patch(await recentSessionOf(registrar, customer), id, { enabled: true })
    assert.deepEqual([kept.body.enabled, kept.body.made_by], [true, 'owner'], kept.text)
  })

  it('makes place for another', async () => {
    const customer = await newCustomer()
    const leaked = await childOf(customer)
    const [first] = await Promise.all([1, 2].map(() => webhookAt(hooks, { customer: leaked })))
    for (let n = 0; n < 8; n += 1) await webhookAt(hooks, { customer })
    const full = await request('POST', '/v1/webhooks', {
      token: customer.key,
      body: { url: hooks },
    })
    assert.equal(full.status, 409)
    await leaked.revoke()
    await webhookAt(hooks, { customer })
    const { body } = await request('GET', '/v1/webhooks', { token: customer.key })
    assert.equal(body.webhooks.length, 10)
    assert.ok(first)
  })
})

describe('a key or an app that did not make a webhook', () => {
  it('neither turns it to another URL nor gets its new secret', async () => {
    const customer = await newCustomer()
    const token = await recentSessionOf(registrar, customer)
    const owners = await request('POST', '/v1/webhooks', { token, body: { url: hooks } })
    const { id } = owners.body.webhook
    assert.equal(owners.body.webhook.made_by, 'owner')
    const answers = [
      await patch(customer.key, id, { url: 'https://other.example.net/' }),
      await request('POST', `/v1/webhooks/${id}/secret/rotate`, { token: customer.key }),
    ]
    for (const { status, body } of answers)
      assert.deepEqual([status, body.code], [403, 'webhook_not_own'])
    assert.equal((await patch(customer.key, id, { description: 'Mine' })).status, 200)
  })

  it('a key changes those of keys that it made', async () => {
    const customer = await newCustomer()
    const child = await childOf(customer)
    const { id } = await webhookAt(hooks, { customer: child })
    const sibling = await childOf(customer)
    const url = 'https://other.example.net/'
    assert.equal((await patch(sibling.key, id, { url })).status, 403)
    const { body } = await patch(customer.key, id, { url })
    assert.deepEqual([body.url, body.api_key_id], [url, customer.key_id])
  })
})

describe('a webhook of an app', () => {
  it('ends when the app is disconnected', async () => {
    const owner = await newOwner(registrar, { scopes: [...scopes] })
    const client = await newClient(registrar, { client_name: 'Listener' })
    const held = ['account:read', 'account:write', 'domains:read']
    const visitor = newVisitor(registrar)
    const { token } = await connected(
      { client, owner, visitor, scopes: held },
      {
        resource: registrar.url,
      },
    )
    const receiver = await receiverOf()
    const { id } = await webhookAt(receiver.url, {
      customer: { ...owner, key: token },
      types: ['domain.*'],
    })
    const { made_by, oauth_grant_id } = await shown(owner.key, id)
    assert.equal(made_by, 'app')
    const at = `/v1/account/oauth-grants/${oauth_grant_id}`
    assert.equal((await request('DELETE', at, { token: owner.key })).status, 200)
    assert.equal((await shown(owner.key, id)).disabled_because, 'maker_ended')
    await boughtAndSent(owner, 'disconnected')
    assert.deepEqual(receiver.received, [])
  })
})

describe('another URL', () => {
  it('needs a fresh log-in in a session, and the owner is notified by mail', async () => {
    const customer = await newCustomer()
    const { id } = await webhookAt(hooks, { customer })
    const url = 'https://turned.example.net/in'
    const old = await sessionOf(registrar, customer)
    const late = await patch(old, id, { url })
    assert.deepEqual([late.status, late.body.code], [403, 'fresh_log_in_needed'])
    assert.equal((await patch(old, id, { url: hooks, description: 'same' })).status, 200)
    const turned = await patch(await recentSessionOf(registrar, customer), id, { url })
    assert.deepEqual([turned.body.url, turned.body.made_by], [url, 'owner'], turned.text)
    const mails = await registrar.mails({
      to: customer.email,
      subject: /URL of one of your webhooks/,
    })
    assert.equal(mails.length, 1)
    assert.match(String(mails[0]?.text), /turned\.example\.net/)
  })
})

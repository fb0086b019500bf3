// The steps that tests of webhooks share, over one service that permits loopback.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { scopes } from '../../../app.ts'
import { type ReceivedWebhook, startReceiver } from './receiver.fixture.ts'

export async function until<T>(look: () => T | Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 300; turn += 1) {
    const seen = await look()
    if (isSo(seen)) return seen
    await sleep(50)
  }
  return assert.fail('not so in time')
}

export async function receiverOf(identity?: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(identity)
  after(receiver.close)
  return receiver
}

type Made = { customer: TestCustomer; id: string; secret: string }

type Wanted = { customer?: TestCustomer; types?: string[] }

export function isSigned({ headers, body }: ReceivedWebhook, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const wanted = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(wanted)
}

/** Each file has a service of its own. */
export async function webhookSteps() {
  const registrar = await startService({ settings: { ALLOW_LOOPBACK_WEBHOOKS: 'true' } })
  const { request } = registrar
  const rows = rowsIn(registrar)

  async function webhookAt(url: string, { customer, ...body }: Wanted = {}): Promise<Made> {
    const owner = customer ?? (await registrar.customer({ scopes: [...scopes] }))
    const made = await request('POST', '/v1/webhooks', { token: owner.key, body: { url, ...body } })
    assert.equal(made.status, 201, made.text)
    return { customer: owner, id: made.body.webhook.id, secret: made.body.secret }
  }

  /** E.g. "POST /test", below the webhook's own path. */
  function call(made: Made, at: string, body?: object) {
    const [method = '', path = ''] = at.split(' ')
    const options = { token: made.customer.key, ...(body && { body }) }
    return request(method, `/v1/webhooks/${made.id}${path}`, options)
  }

  async function testEvent(made: Made): Promise<void> {
    const { status, text } = await call(made, 'POST /test')
    assert.equal(status, 202, text)
  }

  const deliveries = async (made: Made) => (await call(made, 'GET /deliveries')).body.deliveries

  /** The newest delivery, once it has had so many attempts. */
  const attempted = (made: Made, attempts: number) =>
    until(
      async () => (await deliveries(made))[0],
      (one) => one?.attempts >= attempts,
    )

  /**
   * Moves the times of a webhook's deliveries and of its task, once no worker has it: the worker
   * would set the time of the next attempt afterwards.
   */
  async function makeDue({ id }: Made): Promise<void> {
    await rows(
      `update webhook_deliveries set next_at = now() where webhook_id = $1 and state = 'pending'`,
      [id],
    )
    const move = () =>
      rows(
        `update tasks set run_at = now() where kind = 'deliver_webhook' and key = $1
            and (lease_until is null or lease_until < now()) returning id`,
        [id],
      )
    await until(move, ({ length }) => length === 1)
  }

  async function buy({ key, id }: TestCustomer, label: string): Promise<string> {
    const name = `${label}-${id.slice(-8)}.com`
    const { status, text } = await request('POST', '/v1/domains', {
      token: key,
      body: { domain: name },
    })
    assert.equal(status, 200, text)
    return name
  }

  const reading = { call, deliveries, attempted, rows }
  return { registrar, request, webhookAt, testEvent, makeDue, buy, ...reading }
}

// Checkouts by card at the simulated Stripe: opened once, read back, and ended in each way.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { sharedService, type TestCustomer } from '../../../../test/support/service.ts'
import { cardPayments } from './card-payments.fixture.ts'

const registrar = await sharedService({ worker: false })
const card = cardPayments(registrar)
const { processor } = card
afterEach(() => processor.clearFaults())

/** As a person who comes back from the page of the processor. */
async function reread(buyer: TestCustomer, id: string) {
  await card.evictReading(id)
  return (await card.read(buyer, id)).body
}

const parked = '/v1/internal/billing/parked-card-checkouts'

/** In the operators' list; dismissed once, and not parked again by a later reading. */
async function assertDismissable(buyer: TestCustomer, id: string): Promise<void> {
  const token = registrar.operatorKey
  const listed = async () => {
    const { body } = await registrar.request('GET', `${parked}?limit=500`, { token })
    return body.checkouts.find((one: Record<string, unknown>) => one.id === id)
  }
  assert.match((await listed()).reason, /another customer, amount, currency/)
  const dismiss = () =>
    registrar.request('POST', `${parked}/${id}/dismiss`, { token, body: { reason: 'Refunded' } })
  assert.equal((await dismiss()).body.status, 'failed')
  const again = await dismiss()
  assert.deepEqual([again.status, again.body.code], [409, 'card_checkout_not_parked'])
  assert.equal(await listed(), undefined)
  processor.setFault({ name: 'wrong_amount', command: 'session:read' })
  assert.equal((await reread(buyer, id)).status, 'failed')
}

describe('opening', () => {
  it('gives the page, and the processor gets customer, checkout and return URL', async () => {
    const buyer = await card.buyer()
    const { id, session, body } = await card.open(buyer, 2_500, 'EUR')
    assert.equal(body.url, `${processor.base_url}/c/pay/${session}`)
    assert.deepEqual(
      [body.status, body.amount_cents, body.currency, body.credited_amount],
      ['open', 2_500, 'EUR', '0.00'],
    )
    const stored = processor.sessions().find((one) => one.id === session)
    assert.deepEqual(
      [stored?.client_reference_id, stored?.metadata.checkout_id, stored?.amount],
      [buyer.id, id, 2_500],
    )
    const page = `/dashboard/billing/top-up?checkout=${id}`
    assert.ok(stored?.success_url.endsWith(page))
  })

  it('is refused for an amount that the processor does not take, with the limits', async () => {
    const buyer = await card.buyer()
    for (const amount_cents of [49, 100_000_000]) {
      const path = `/v1/customers/${buyer.id}/billing/processor/checkouts`
      const options = { token: buyer.key, body: { amount_cents } }
      const { status, text } = await registrar.request('POST', path, options)
      assert.equal(status, 422, text)
      assert.match(text, /from 0\.50 to 999999\.99 USD/)
    }
    assert.deepEqual((await card.list(buyer)).body.checkouts, [])
  })

  it('is limited to twenty unpaid ones for a customer', async () => {
    const buyer = await card.buyer()
    const path = `/v1/customers/${buyer.id}/billing/processor/checkouts`
    const options = { token: buyer.key, body: { amount_cents: 100 } }
    const all = await Promise.all(
      Array.from({ length: 22 }, () => registrar.request('POST', path, options)),
    )
    const refused = all.filter(({ status }) => status !== 201)
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      Array(2).fill([409, 'too_many_card_checkouts']),
    )
    const first = (await card.list(buyer, '?limit=15')).body
    const rest = (await card.list(buyer, `?limit=15&cursor=${first.next_cursor}`)).body
    const ids = [...first.checkouts, ...rest.checkouts].map((one: { id: string }) => one.id)
    assert.deepEqual([new Set(ids).size, rest.next_cursor], [20, null])
    assert.deepEqual(ids, ids.toSorted().toReversed())
  })

  it('is finished by a reading when the processor was away, with the same session', async () => {
    const buyer = await card.buyer()
    processor.setFault({ name: 'lost_500', command: 'session:create' })
    const path = `/v1/customers/${buyer.id}/billing/processor/checkouts`
    const options = { token: buyer.key, body: { amount_cents: 700 } }
    const { status, body } = await registrar.request('POST', path, options)
    assert.deepEqual([status, body.code], [503, 'processor_unavailable'])
    const opened = await reread(buyer, body.checkout_id)
    assert.equal(opened.status, 'open')
    const own = processor.sessions().filter((one) => one.client_reference_id === buyer.id)
    assert.deepEqual(
      own.map(({ id }) => id),
      [String(opened.url).split('/').at(-1)],
    )
  })
})

describe('a checkout that is read back', () => {
  it('is credited once when it was paid, with its invoice', async () => {
    const buyer = await card.buyer()
    const { id, session } = await card.open(buyer)
    processor.pay(session)
    assert.equal((await card.read(buyer, id)).body.status, 'open', 'within two seconds')
    for (const _ of [1, 2]) {
      const paid = await reread(buyer, id)
      assert.deepEqual([paid.status, paid.credited_amount, paid.url], ['paid', '25.00', null])
    }
    assert.deepEqual(await card.balance(buyer), { available: '25.00', owed: '0.00' })
    assert.deepEqual(await card.invoices(buyer), [['invoice', '25.00']])
  })

  it('waits for a bank debit, and ends when that fails', async () => {
    const buyer = await card.buyer()
    const { id, session } = await card.open(buyer)
    const intent = processor.pay(session, true)
    assert.equal((await reread(buyer, id)).status, 'processing')
    processor.settle(intent.id, false)
    assert.equal((await reread(buyer, id)).status, 'failed')
    assert.equal((await card.balance(buyer)).available, '0.00')
  })

  it('keeps its state while the processor cannot be read', async () => {
    const buyer = await card.buyer()
    const { id, session } = await card.open(buyer)
    processor.pay(session)
    for (const name of ['fail_500', 'garbage', 'fraction', 'other_id'] as const) {
      processor.setFault({ name, command: 'session:read' })
      assert.equal((await reread(buyer, id)).status, 'open', name)
    }
    assert.equal((await reread(buyer, id)).status, 'paid')
  })

  it('is parked with an alarm when the processor shows other facts, and credits nothing', async () => {
    for (const name of ['wrong_amount', 'other_currency'] as const) {
      const buyer = await card.buyer()
      const { id, session } = await card.open(buyer)
      processor.pay(session)
      processor.setFault({ name, command: 'session:read' })
      assert.equal((await reread(buyer, id)).status, 'parked', name)
      assert.equal((await card.balance(buyer)).available, '0.00')
      assert.equal(card.alarms('card_parked').filter((line) => line.includes(id)).length, 1)
      const path = `/v1/customers/${buyer.id}/audit-logs?action=park_card_payment`
      const { body } = await registrar.request('GET', path, { token: buyer.key })
      assert.deepEqual(
        body.audit_logs.map((one: Record<string, unknown>) => [one.result, one.target]),
        [['unknown', id]],
      )
      await assertDismissable(buyer, id)
    }
  })
})

describe('without a webhook, the job', () => {
  it('credits what was paid, ends what expired, and fails what was never opened', async () => {
    const buyer = await card.buyer()
    const [paid, unpaid] = [await card.open(buyer), await card.open(buyer)]
    processor.setFault({ name: 'fail_500', command: 'session:create' })
    const path = `/v1/customers/${buyer.id}/billing/processor/checkouts`
    const options = { token: buyer.key, body: { amount_cents: 700 } }
    const { body: lost } = await registrar.request('POST', path, options)
    processor.pay(paid.session)
    const ids = [paid.id, unpaid.id, lost.checkout_id]
    const due = () => card.rows('update tasks set run_at = now() where key = any ($1)', [ids])
    await due()
    await card.runJobs()
    const states = async () => {
      const { body } = await card.list(buyer)
      const shown = body.checkouts.map((one: Record<string, string>) => [one.id, one.status])
      const byId = new Map(shown)
      return ids.map((id) => byId.get(id))
    }
    assert.deepEqual(await states(), ['paid', 'open', 'opening'])
    const app = registrar.service.app.processor
    await app?.expireSession(unpaid.session)
    await card.rows(
      `update card_checkouts set expires_at = now() - interval '1 min' where id = any ($1)`,
      [ids],
    )
    await due()
    await card.runJobs()
    assert.deepEqual(await states(), ['paid', 'expired', 'failed'])
    const left = await card.rows('select kind from tasks where key = any ($1)', [ids])
    assert.deepEqual(left, [])
    assert.equal((await card.balance(buyer)).available, '25.00')
  })
})

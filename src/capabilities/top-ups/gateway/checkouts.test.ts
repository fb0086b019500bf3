// Checkouts through the routes, against the simulated BTCPay Server: the payer's view, and the
// credits.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { gatewayService } from './checkouts.fixture.ts'

const top_ups = await gatewayService({ settings: { CHECKOUTS_OPEN: '3' } })
const { request, gateway, open, pay, read, report, balance, payer } = top_ups
const query = rowsIn(top_ups)

describe('a checkout', () => {
  it('is started, paid, confirmed and credited, with its invoice', async () => {
    const opened = await open()
    assert.deepEqual(
      [opened.body.status, opened.body.asset, opened.body.network, opened.body.pay_amount],
      ['awaiting_payment', 'USDC', 'base', '25'],
    )
    assert.ok(opened.body.page_url.startsWith(gateway.base_url))
    const paid = pay(opened, undefined, false)
    const seen = (await report(opened, paid.id)).body
    assert.deepEqual(
      [seen.status, seen.received_amount, seen.credited_amount],
      ['confirming', '25', '0.00'],
    )
    assert.deepEqual(await balance(opened.customer), ['0.00', '0.00'])
    gateway.confirm(paid.id)
    const done = (await report(opened, paid.id)).body
    assert.deepEqual([done.status, done.credited_amount], ['paid', '25.00'])
    assert.deepEqual(await read(opened), done)
    assert.deepEqual(await balance(opened.customer), ['25.00', '0.00'])
    const [invoice] = await top_ups.invoices(opened.customer)
    assert.deepEqual([invoice?.status, invoice?.total_amount], ['paid', '25.00'])
  })

  it('without an asset lists its assets, and starts once', async () => {
    const customer = await payer()
    const opened = await open({ asset: undefined }, customer)
    assert.deepEqual([opened.body.status, opened.body.pay_address], ['created', null])
    const at = `/v1/customers/${customer.id}/billing/gateway/checkouts/${opened.id}`
    const token = customer.key
    const { body } = await request('GET', `${at}/assets`, { token })
    assert.deepEqual(
      body.assets.map((one: Record<string, unknown>) => [one.asset, one.network, one.pay_amount]),
      [
        ['USDC', 'base', '25'],
        ['BTC', 'bitcoin', '0.00038389'],
        ['ETH', 'base', body.assets[2].pay_amount],
      ],
    )
    const start = (asset: string) => request('POST', `${at}/start`, { token, body: { asset } })
    const [first, second] = await Promise.all([start('BTC'), start('BTC')])
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(first.body, second.body)
    assert.deepEqual((await start('BTC')).body, first.body)
    assert.equal((await start('USDC')).body.code, 'checkout_started')
  })
})

describe('a checkout that cannot be', () => {
  it('is refused: an asset that is not offered, and beyond the limits', async () => {
    const customer = await payer()
    const at = `/v1/customers/${customer.id}/billing/gateway/checkouts`
    const make = (body: object) =>
      request('POST', at, {
        token: customer.key,
        body: { amount_cents: 100, currency: 'USD', ...body },
      })
    assert.equal((await make({ asset: 'DOGE' })).body.code, 'asset_not_offered')
    assert.equal((await make({ asset: 'USDC', network: 'bitcoin' })).body.code, 'asset_not_offered')
    assert.equal((await make({ network: 'base' })).status, 422)
    assert.equal((await make({ amount_cents: 1_000_001 })).status, 422)
    const many = await Promise.all(Array.from({ length: 4 }, () => make({})))
    assert.deepEqual(many.map(({ body }) => body.code ?? body.status).toSorted(), [
      'created',
      ...Array(3).fill('too_many_open_top_ups'),
    ])
  })

  it("is 404: another customer's, also to report", async () => {
    const [opened, other] = await Promise.all([open(), payer()])
    const foreign = { ...opened, customer: other }
    const answers = [await read(foreign), (await report(foreign)).body]
    answers.push((await top_ups.check(foreign)).body)
    assert.deepEqual(
      answers.map(({ code }) => code),
      Array(3).fill('checkout_not_found'),
    )
  })

  it('stays created while the gateway is away, and is started later', async () => {
    const customer = await payer()
    gateway.setFault({ name: 'lost_500', command: 'invoice:create' })
    const at = `/v1/customers/${customer.id}/billing/gateway/checkouts`
    const body = { amount_cents: 100, currency: 'EUR', asset: 'USDC' }
    const away = await request('POST', at, { token: customer.key, body })
    assert.deepEqual([away.status, away.body.code], [503, 'gateway_unavailable'])
    const start = `${at}/${away.body.checkout_id}/start`
    const started = await request('POST', start, { token: customer.key, body: { asset: 'USDC' } })
    assert.equal(started.body.status, 'awaiting_payment', started.text)
    const own = gateway
      .invoices()
      .filter(({ metadata }) => metadata.orderId === away.body.checkout_id)
    assert.equal(own.length, 1)
  })
})

describe('lists', () => {
  it('show the open ones, or those of a status, page by page', async () => {
    const customer = await payer()
    const opened = [await open({}, customer), await open({}, customer), await open({}, customer)]
    const [first, ...others] = opened
    assert.ok(first)
    pay(first)
    await report(first)
    const at = `/v1/customers/${customer.id}/billing/gateway/checkouts`
    const list = async (query: string) =>
      (await request('GET', `${at}?${query}`, { token: customer.key })).body
    const ids = (body: Record<string, { id: string }[]>) => body.checkouts?.map(({ id }) => id)
    const newest = others.map(({ id }) => id).toReversed()
    assert.deepEqual(ids(await list('')), newest)
    assert.deepEqual(ids(await list('status=paid')), [first.id])
    const page = await list('status=all&limit=2')
    assert.deepEqual(ids(page), newest)
    assert.deepEqual(ids(await list(`status=all&limit=2&cursor=${page.next_cursor}`)), [first.id])
  })
})

describe('a parked payment', () => {
  const at = '/v1/internal/billing/parked-payments'
  const token = top_ups.operatorKey
  const decide = (id: string, how: 'credit' | 'dismiss', body: object) =>
    top_ups.request('POST', `${at}/${encodeURIComponent(id)}/${how}`, { token, body })

  async function parked() {
    const opened = await open()
    const id = `btcpay/parked/${opened.id}`
    await query(
      `insert into checkout_payments (id, checkout_id, asset, network, transaction_id, amount,
         state, confirmations, at, observed_at, treatment, reason)
       values ($1, $2, 'DAI', 'base', 'tx', 1, 'confirmed', 2, now(), now(), 'parked',
         'wrong_asset')`,
      [id, opened.id],
    )
    return { opened, id }
  }

  it('is credited once by an operator, as much as is decided', async () => {
    const { opened, id } = await parked()
    const listed = await top_ups.request('GET', at, { token })
    assert.ok(listed.body.payments.some((one: { id: string }) => one.id === id))
    const body = { amount_cents: 1_000, reason: 'Agreed' }
    const [first, second] = [await decide(id, 'credit', body), await decide(id, 'credit', body)]
    assert.deepEqual([first.status, first.body.credited_amount], [200, '10.00'], first.text)
    assert.deepEqual(second.body, first.body)
    assert.deepEqual(await balance(opened.customer), ['10.00', '0.00'])
    const other = await decide(id, 'credit', { ...body, amount_cents: 1_001 })
    assert.equal(other.body.code, 'payment_not_parked')
    assert.equal((await decide(id, 'dismiss', { reason: 'No' })).body.code, 'payment_not_parked')
    assert.equal((await top_ups.invoices(opened.customer)).length, 1)
  })

  it('is dismissed once, and an unknown one is 404', async () => {
    const { opened, id } = await parked()
    for (let time = 0; time < 2; time += 1)
      assert.equal(
        (await decide(id, 'dismiss', { reason: 'Sent back' })).body.treatment,
        'dismissed',
      )
    const late = await decide(id, 'credit', { amount_cents: 1, reason: 'Late' })
    assert.equal(late.body.code, 'payment_not_parked')
    assert.deepEqual(await balance(opened.customer), ['0.00', '0.00'])
    const absent = await decide('btcpay/absent', 'dismiss', { reason: 'No' })
    assert.equal(absent.body.code, 'parked_payment_not_found')
  })
})

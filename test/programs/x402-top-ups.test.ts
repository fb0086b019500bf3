// Top-ups by x402 on a real chain (anvil), with the official client: asked for, paid, settled by
// our gas wallet, and credited once by what the chain shows.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skipAnvil } from '../support/chain/anvil.ts'
import { payingFetch, paymentFor } from '../support/chain/x402-client.ts'
import { startFacilitator } from '../support/chain/x402-facilitator.ts'
import { startX402Place, type X402Place, x402Path } from '../support/chain/x402-service.ts'
import { rowsIn } from '../support/owner-sql.ts'
import {
  type Answer,
  startService,
  type TestCustomer,
  type TestService,
} from '../support/service.ts'

/** One chain and one node for all tests, a customer for each. */
const shared = skipAnvil ? undefined : await startX402()

async function startX402(given?: X402Place, settings: Record<string, string> = {}) {
  const place = given ?? (await startX402Place())
  const service = await startService({ settings: { ...place.settings, ...settings } })
  return { place, service }
}

async function startCustomer(started = shared): Promise<Started> {
  assert.ok(started)
  return { ...started, owner: await ownerOf(started.service), before: await started.place.spent() }
}

const scopes = ['billing:read', 'billing:write', 'domains:read', 'domains:purchase']
const ownerOf = (service: TestService) => service.customer({ funds_cents: 0, scopes })

type Started = {
  place: X402Place
  service: TestService
  owner: TestCustomer
  /** The payer has spent it before. */
  before: bigint
}

async function spent({ place, before }: Started): Promise<bigint> {
  return (await place.spent()) - before
}

const body = { amount_cents: 2_500, currency: 'USD' }

const sentBy = ({ client, wallet: address }: X402Place) => client.getTransactionCount({ address })

async function ask({ service, owner }: Started, payment?: string, sent = body) {
  const headers: Record<string, string> = payment ? { 'payment-signature': payment } : {}
  return service.request('POST', x402Path(owner.id), { token: owner.key, body: sent, headers })
}

async function signed(started: Started): Promise<string> {
  const asked = await ask(started)
  assert.equal(asked.status, 402, asked.text)
  assert.equal(asked.body.code, 'payment_required')
  return paymentFor(asked.headers.get('payment-required') ?? '', started.place.payer)
}

/** A PAYMENT-SIGNATURE with another content. */
function changed(payment: string, change: (content: Answer['body']) => void): string {
  const content = JSON.parse(Buffer.from(payment, 'base64').toString())
  change(content)
  return Buffer.from(JSON.stringify(content)).toString('base64')
}

async function balance({ service, owner }: Started): Promise<string> {
  const path = `/v1/customers/${owner.id}/billing/balance`
  return (await service.request('GET', path, { token: owner.key })).body.available
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    assert.ok(tries < 100, 'it does not come true')
    await new Promise((done) => setTimeout(done, 200))
  }
}

/** Mines blocks until it is credited. */
async function paid(started: Started, id: string) {
  const { service, owner, place } = started
  const path = '/v1/billing/payments/check'
  const sent = { token: owner.key, body: { checkout_id: id } }
  for (let tries = 0; ; tries += 1) {
    await place.chain.mine(1)
    const { body } = await service.request('POST', path, sent)
    const [checkout] = body.checkouts
    if (checkout.status === 'paid') return checkout
    assert.ok(tries < 30, JSON.stringify(body))
  }
}

describe('a top-up by x402', { skip: skipAnvil }, () => {
  it('is paid by an agent with a wallet and an API key, which then buys a domain', async () => {
    const started = await startCustomer()
    const { place, service, owner } = started
    const pay = payingFetch(place.payer)
    const answer = await pay(`${service.url}${x402Path(owner.id)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const given: Answer['body'] = Object(await answer.json())
    assert.equal(answer.status, 200, JSON.stringify(given))
    const settled = Buffer.from(answer.headers.get('payment-response') ?? '', 'base64')
    const response = JSON.parse(settled.toString())
    assert.equal(response.success, true)
    assert.equal(response.transaction, given.settlement.transaction_id)
    assert.equal(given.top_up.status, 'confirming')
    const done = await paid(started, given.top_up.id)
    assert.equal(done.credited_amount, '25.00')
    assert.equal(done.transactions[0].transaction_id, response.transaction)
    assert.equal(await balance(started), '25.00')
    const bought = await service.request('POST', '/v1/domains', {
      token: owner.key,
      body: { domain: 'paid-by-x402.com', period_years: 1, max_price: '20.00' },
    })
    assert.equal(bought.status, 200, bought.text)
  })

  it('is paid once, no matter how often and by how many requests it is sent', async () => {
    const started = await startCustomer()
    const { place } = started
    const before = await sentBy(place)
    const payment = await signed(started)
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(started, payment)))
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const [first] = answers
    const { id } = first?.body.top_up ?? {}
    await paid(started, id)
    const again = await ask(started, payment)
    assert.equal(again.status, 200, again.text)
    assert.equal(again.body.top_up.id, id)
    assert.equal(again.body.top_up.status, 'paid')
    assert.equal(await balance(started), '25.00')
    assert.equal(await spent(started), 25_000_000n)
    assert.equal(await sentBy(place), before + 1)
  })
})

/** Each payment, with the reason of its refusal. */
function wrongPayments(payment: string, place: X402Place): [string, string][] {
  const later = '9'.repeat(20)
  return [
    ['invalid_payload', 'bm9uc2Vuc2U='],
    ['invalid_payload', changed(payment, (it) => delete it.payload.authorization.nonce)],
    ['unsupported_scheme', changed(payment, (it) => (it.accepted.scheme = 'upto'))],
    [
      'invalid_exact_evm_network_mismatch',
      changed(payment, (it) => (it.accepted.network = 'eip155:1')),
    ],
    ['no_matching_requirements', changed(payment, (it) => (it.accepted.amount = '1'))],
    ['no_matching_requirements', changed(payment, (it) => (it.accepted.payTo = place.wallet))],
    [
      'invalid_exact_evm_recipient_mismatch',
      changed(payment, (it) => (it.payload.authorization.to = place.wallet)),
    ],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      changed(payment, (it) => (it.payload.authorization.value = '25000001')),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      changed(payment, (it) => (it.payload.authorization.validBefore = '1')),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      changed(payment, (it) => (it.payload.authorization.validBefore = later)),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_after',
      changed(payment, (it) => (it.payload.authorization.validAfter = later)),
    ],
    [
      'invalid_exact_evm_signature',
      changed(payment, (it) => (it.payload.authorization.nonce = `0x${'7'.repeat(64)}`)),
    ],
  ]
}

describe('a payment by x402', { skip: skipAnvil }, () => {
  it('is refused with the reason and fresh requirements, and nothing is stored', async () => {
    const started = await startCustomer()
    const { service, place } = started
    const other = { ...started, owner: await ownerOf(service) }
    const payment = await signed(started)
    const wrong = wrongPayments(payment, place)
    for (const [reason, sent] of wrong) {
      const refused = await ask(started, sent)
      assert.deepEqual([refused.status, refused.body.reason], [402, reason])
      assert.equal(refused.body.code, 'payment_invalid')
      const required = refused.headers.get('payment-required') ?? ''
      const asked = JSON.parse(Buffer.from(required, 'base64').toString())
      assert.deepEqual(asked, refused.body.payment_required)
      assert.equal(asked.error, reason)
    }
    const amount = await ask(started, payment, { ...body, amount_cents: 2_600 })
    assert.equal(amount.body.reason, 'no_matching_requirements')
    assert.equal((await ask(other, payment)).body.reason, 'no_matching_requirements')
    const text = 'select id from x402_authorizations where customer_id = $1'
    const stored = await rowsIn(service)(text, [started.owner.id])
    assert.deepEqual(stored, [])
    assert.equal(await spent(started), 0n)
  })

  it('is asked for to one address until it is paid, and once', async () => {
    const started = await startCustomer()
    const { place } = started
    const [first, second] = [await ask(started), await ask(started)]
    assert.equal(first.body.top_up_id, second.body.top_up_id)
    const required = first.headers.get('payment-required') ?? ''
    const [one, two] = [
      await paymentFor(required, place.payer),
      await paymentFor(required, place.payer),
    ]
    assert.equal((await ask(started, one)).status, 200)
    const refused = await ask(started, two)
    assert.equal(refused.body.reason, 'no_matching_requirements')
    assert.notEqual(refused.body.top_up_id, first.body.top_up_id)
    assert.equal(await spent(started), 25_000_000n)
  })
})

describe('a transfer by x402', { skip: skipAnvil }, () => {
  it('that another client submitted first is answered with its top-up, and credited', async () => {
    const started = await startCustomer()
    const { place } = started
    const { wallet } = place
    await place.client.setBalance({ address: wallet, value: 0n })
    const payment = await signed(started)
    const empty = await ask(started, payment)
    assert.equal(empty.body.code, 'gateway_unavailable', empty.text)
    assert.equal(empty.headers.get('retry-after'), '10')
    await place.client.setBalance({ address: wallet, value: 10n ** 18n })
    await place.submit(payment)
    const answer = await ask(started, payment)
    assert.equal(answer.status, 200, answer.text)
    const { top_up, settlement } = answer.body
    assert.deepEqual([top_up.status, settlement.state], ['confirming', 'submitted'])
    assert.match(settlement.transaction_id, /^0x[0-9a-f]{64}$/)
    await place.chain.mine(2)
    await until(async () => (await balance(started)) === '25.00')
    // This holds even when its time is over, and when no log of it can be found any longer.
    const late = changed(payment, (it) => (it.payload.authorization.validBefore = '1'))
    for (const one of [payment, late, payment]) {
      const again = await ask(started, one)
      assert.deepEqual([again.status, again.body.settlement?.state], [200, 'settled'], again.text)
      await place.chain.mine(1_000)
    }
    assert.equal(await balance(started), '25.00')
    assert.equal(await spent(started), 25_000_000n)
  })

  it('is submitted again when the chain drops it before it is deep enough', async () => {
    const started = await startCustomer()
    const { place } = started
    const payment = await signed(started)
    const answer = await ask(started, payment)
    assert.equal(answer.body.settlement.state, 'submitted')
    await place.chain.reorganise(1)
    assert.equal(await spent(started), 0n)
    await until(async () => (await spent(started)) === 25_000_000n)
    await paid(started, answer.body.top_up.id)
    assert.equal(await balance(started), '25.00')
    const again = await ask(started, payment)
    assert.notEqual(again.body.settlement.transaction_id, answer.body.settlement.transaction_id)
  })
})

describe('a facilitator of x402', { skip: skipAnvil }, () => {
  const settingsOf = (url: string) => ({ X402_GAS_KEY: '', X402_FACILITATOR_URL: url })

  it('settles in place of a gas wallet, and is not believed when it only says so', async () => {
    assert.ok(shared)
    const facilitator = await startFacilitator(shared.place.chain)
    const other = await startX402(shared.place, settingsOf(facilitator.url))
    const started = await startCustomer(other)
    const answer = await ask(started, await signed(started))
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.body.settlement.transaction_id, /^0x[0-9a-f]{64}$/)
    await paid(started, answer.body.top_up.id)
    assert.equal(await balance(started), '25.00')
    assert.deepEqual(facilitator.requests, ['/settle'])
    facilitator.is_false = true
    await assertNotBelieved(await startCustomer(other))
  })
})

async function assertNotBelieved(started: Started): Promise<void> {
  const answer = await ask(started, await signed(started))
  assert.deepEqual([answer.status, answer.body.settlement.state], [200, 'submitted'])
  assert.equal(answer.body.settlement.transaction_id, null)
  assert.equal(answer.body.top_up.status, 'awaiting_payment')
  const response = Buffer.from(answer.headers.get('payment-response') ?? '', 'base64')
  const { success, errorReason } = JSON.parse(response.toString())
  assert.deepEqual([success, errorReason], [false, 'settlement_pending'])
  assert.equal(await balance(started), '0.00')
}

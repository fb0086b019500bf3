// Checkouts on a real chain (anvil) through the service's own routes: what is credited of payments
// in a token and in the native coin, and what reorganisations and a restart make of it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { newServiceDatabase } from '../shards/service-database.ts'
import { type Address, otherPayer, skipAnvil } from '../support/chain/anvil.ts'
import { startX402Place, type X402Place } from '../support/chain/x402-service.ts'
import {
  type Answer,
  startService,
  type TestCustomer,
  type TestService,
} from '../support/service.ts'

const scopes = ['billing:read', 'billing:write', 'domains:read', 'domains:purchase']

/** Payments are observed when a test asks for it. */
async function startPlace() {
  const place = await startX402Place({ native: true })
  const payout = await place.chain.deployPayout()
  await place.chain.send(payout, parseEther('1'))
  const database_url = await newServiceDatabase()
  const options = { settings: place.settings, database_url, worker: false }
  return { place, payout, options, service: await startService(options) }
}

const shared = skipAnvil ? undefined : await startPlace()

async function startPayer() {
  assert.ok(shared)
  const owner = await shared.service.customer({ funds_cents: 0, scopes })
  return { ...shared, owner }
}
type Started = { place: X402Place; payout: Address; service: TestService; owner: TestCustomer }
type Opened = Started & { id: string; address: Address; body: Answer['body'] }

/** A checkout of 25.00 USD. */
async function open(started: Started, asset = 'USDC'): Promise<Opened> {
  const { service, owner } = started
  const made = await service.request(
    'POST',
    `/v1/customers/${owner.id}/billing/gateway/checkouts`,
    {
      token: owner.key,
      body: { amount_cents: 2_500, currency: 'USD', asset },
    },
  )
  assert.equal(made.status, 200, made.text)
  const { id, pay_address } = made.body
  return { ...started, id, address: `0x${pay_address.slice(2)}`, body: made.body }
}

/** Observes the checkout, and answers it. */
async function check({ service, owner, id }: Opened): Promise<Answer['body']> {
  const sent = { token: owner.key, body: { checkout_id: id } }
  const answer = await service.request('POST', '/v1/billing/payments/check', sent)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.checkouts[0]
}

const brief = ({ status, credited_amount, transactions }: Answer['body']) =>
  [status, credited_amount, ...transactions.map(treatmentOf)].join(' ')

const treatmentOf = ({ treatment, reason }: { treatment: string; reason: string | null }) =>
  reason ?? treatment

async function money({ service, owner }: Started): Promise<[available: string, owed: string]> {
  const path = `/v1/customers/${owner.id}/billing/balance`
  const { body } = await service.request('GET', path, { token: owner.key })
  return [body.available, body.owed]
}

/** The kinds of the customer's documents, the oldest first. */
async function documents({ service, owner }: Started): Promise<string[]> {
  const path = `/v1/customers/${owner.id}/billing/invoices`
  const { body } = await service.request('GET', path, { token: owner.key })
  return body.invoices.map(({ kind }: { kind: string }) => kind).toReversed()
}

async function buy({ service, owner }: Started, domain: string): Promise<Answer> {
  const body = { domain, period_years: 1, max_price: '20.00' }
  return service.request('POST', '/v1/domains', { token: owner.key, body })
}

async function pay({ place, address }: Opened, units = 25_000_000n): Promise<void> {
  await place.chain.call({ to: place.token, name: 'mint' }, address, units)
}

/** A transfer by the payer; the same transaction however often it is mined. */
async function signed({ place, address }: Opened, tip: bigint): Promise<Address> {
  const by = { account: otherPayer, tip, value: 25_000_000n }
  return place.chain.sign({ to: place.token, name: 'transfer' }, address, by)
}

/** Init code that mints for each address, all in the one transaction that deploys it. */
function mintedForAll(token: Address, addresses: readonly Address[]): Address {
  const calls = addresses.map((to) => {
    const data = encodeFunctionData({
      abi: parseAbi(['function mint(address to, uint256 value)']),
      args: [to, 25_000_000n],
    })
    const words = data.slice(2).padEnd(192, '0')
    const stored = [0, 1, 2].map((at) => {
      const word = words.slice(at * 64, at * 64 + 64)
      return `7f${word}60${(at * 32).toString(16).padStart(2, '0')}52`
    })
    // CALL(gas, token, 0, 0, 68, 0, 0); POP
    return `${stored.join('')}60006000604460006000` + `73${token.slice(2)}5af150`
  })
  return `0x${calls.join('')}00`
}

describe('a payment that a reorganisation removes', { skip: skipAnvil }, () => {
  it('is not credited before it is deep enough, and the next payment is', async () => {
    const opened = await open(await startPayer())
    const { chain } = opened.place
    await chain.mineSigned(await signed(opened, 1n))
    assert.equal(brief(await check(opened)), 'confirming 0.00 pending')
    await chain.reorganise(1)
    await chain.mine(3)
    const dropped = await check(opened)
    assert.equal(brief(dropped), 'awaiting_payment 0.00 pending')
    assert.equal(dropped.transactions[0].state, 'orphaned')
    assert.deepEqual(await money(opened), ['0.00', '0.00'])
    await chain.mineSigned(await signed(opened, 2n))
    assert.match(brief(await check(opened)), /^confirming 0\.00 /)
    await chain.mine(1)
    const paid = await check(opened)
    assert.deepEqual([paid.status, paid.credited_amount], ['paid', '25.00'])
    assert.deepEqual(await money(opened), ['25.00', '0.00'])
    assert.deepEqual(await documents(opened), ['invoice'])
  })

  it('after it was spent becomes a debt, which the next top-up pays', async () => {
    const opened = await open(await startPayer())
    const { chain } = opened.place
    const transaction = await signed(opened, 3n)
    await chain.mineSigned(transaction)
    await chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    const bought = await buy(opened, 'bought-and-reorganised.com')
    assert.equal(bought.status, 200, bought.text)
    const [left] = await money(opened)
    const price = (25 - Number(left)).toFixed(2)
    assert.ok(Number(price) > 0, price)
    await chain.reorganise(2)
    await chain.mine(3)
    assert.equal(brief(await check(opened)), 'awaiting_payment 0.00 reversed')
    assert.deepEqual(await money(opened), ['0.00', price])
    assert.deepEqual(await documents(opened), ['invoice', 'credit_note'])
    const refused = await buy(opened, 'refused-while-owed.com')
    assert.deepEqual([refused.status, refused.body.code], [402, 'insufficient_funds'])
    const next = await open(opened)
    await pay(next)
    await chain.mine(1)
    assert.equal(brief(await check(next)), 'paid 25.00 credited')
    assert.deepEqual(await money(opened), [left, '0.00'])
    await chain.mineSigned(transaction)
    await chain.mine(1)
    for (let time = 0; time < 2; time += 1)
      assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    assert.deepEqual(await money(opened), [(Number(left) + 25).toFixed(2), '0.00'])
    const issued = ['invoice', 'credit_note', 'invoice', 'invoice']
    assert.deepEqual(await documents(opened), issued)
  })
})

describe('a payment in the native coin', { skip: skipAnvil }, () => {
  it('is credited by the frozen quote, rounded down to the cent, sent or paid out', async () => {
    const started = await startPayer()
    const { chain } = started.place
    const sent = await open(started, 'ETH')
    const paidOut = await open(started, 'ETH')
    const short = await open(started, 'ETH')
    assert.equal(sent.body.pay_amount, '0.01')
    await chain.send(sent.address, parseEther('0.01'))
    await chain.call({ to: started.payout, name: 'pay' }, paidOut.address, parseEther('0.01'))
    await chain.send(short.address, parseEther('0.01') - 1n)
    await chain.send(short.address, 1n)
    await chain.mine(2)
    assert.equal(brief(await check(sent)), 'paid 25.00 credited')
    assert.equal(brief(await check(paidOut)), 'paid 25.00 credited')
    const underpaid = await check(short)
    assert.equal(brief(underpaid), 'awaiting_payment 24.99 credited kept')
    assert.equal(underpaid.received_amount, '0.01')
    assert.deepEqual(await money(started), ['74.99', '0.00'])
  })
})

describe('a payment in the native coin that a reorganisation changes', { skip: skipAnvil }, () => {
  it('is credited once when the same amount is paid by another transaction', async () => {
    const opened = await open(await startPayer(), 'ETH')
    const { chain } = opened.place
    await chain.send(opened.address, parseEther('0.01'))
    await chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    await chain.reorganise(2)
    assert.equal(brief(await check(opened)), 'awaiting_payment 0.00 reversed')
    await chain.call({ to: opened.payout, name: 'pay' }, opened.address, parseEther('0.01'))
    await chain.mine(1)
    for (let time = 0; time < 2; time += 1)
      assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    assert.deepEqual(await money(opened), ['25.00', '0.00'])
  })

  it('is credited as much as before when two come in the other order', async () => {
    const opened = await open(await startPayer(), 'ETH')
    const { chain } = opened.place
    await chain.send(opened.address, parseEther('0.01'))
    await chain.send(opened.address, parseEther('0.005'))
    await chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 37.50 credited credited')
    await chain.reorganise(3)
    await chain.send(opened.address, parseEther('0.005'))
    await chain.send(opened.address, parseEther('0.01'))
    await chain.mine(1)
    const found = await check(opened)
    assert.deepEqual([found.credited_amount, found.received_amount], ['37.50', '0.015'])
    assert.deepEqual(await money(opened), ['37.50', '0.00'])
    const [two, notes] = [Array(2).fill('invoice'), Array(2).fill('credit_note')]
    assert.deepEqual(await documents(opened), [...two, ...notes, ...two])
  })
})

describe('a payment in another asset', { skip: skipAnvil }, () => {
  async function assertParked(opened: Opened): Promise<void> {
    const { service } = opened
    const found = await check(opened)
    assert.match(brief(found), / 0\.00 wrong_asset$/)
    const [{ id }] = found.transactions
    const isAlarm = (line: string) => line.includes('"alarm":"payment_parked"') && line.includes(id)
    assert.equal(service.logs.filter(isAlarm).length, 1)
    const at = `/v1/internal/billing/parked-payments/${encodeURIComponent(id)}/credit`
    const decision = { amount_cents: 2_400, reason: 'Agreed with the payer' }
    const sent = { token: service.operatorKey, body: decision }
    const one = await service.request('POST', at, sent)
    const two = await service.request('POST', at, sent)
    assert.deepEqual([one.status, one.body.credited_amount], [200, '24.00'], one.text)
    assert.deepEqual(two.body, one.body)
    assert.match(brief(await check(opened)), / 24\.00 /)
  }

  it('is parked with an alarm, and credited once by an operator', async () => {
    const started = await startPayer()
    const { chain } = started.place
    const [inCoin, inToken] = [await open(started, 'ETH'), await open(started)]
    await pay(inCoin)
    await chain.send(inToken.address, parseEther('0.01'))
    await chain.mine(2)
    await assertParked(inCoin)
    // The native coin is observed at addresses of checkouts in it alone (decision 50).
    assert.equal(brief(await check(inToken)), 'awaiting_payment 0.00')
    assert.deepEqual(await money(started), ['24.00', '0.00'])
    assert.deepEqual(await documents(started), ['invoice'])
  })
})

describe('payments in one transaction', { skip: skipAnvil }, () => {
  it('of two checkouts are credited to each, and two of one checkout both', async () => {
    const started = await startPayer()
    const { chain, token } = started.place
    const [one, two, twice] = [await open(started), await open(started), await open(started)]
    const data = mintedForAll(token, [one.address, two.address])
    await chain.mined(await chain.wallet.sendTransaction({ data, chain: null, gas: 500_000n }))
    await chain.call({ to: token, name: 'mint' }, chain.wallet.account.address, 50_000_000n)
    await chain.call({ to: token, name: 'transferTwice' }, twice.address, 25_000_000n)
    await chain.mine(1)
    const [first, second] = [await check(one), await check(two)]
    assert.equal(brief(first), 'paid 25.00 credited')
    assert.equal(brief(second), 'paid 25.00 credited')
    const [a, b] = [first.transactions[0], second.transactions[0]]
    assert.equal(a.transaction_id, b.transaction_id)
    assert.notEqual(a.id, b.id)
    assert.equal(brief(await check(twice)), 'paid 50.00 credited credited')
    assert.deepEqual(await money(started), ['100.00', '0.00'])
  })
})

describe('a service that was restarted', { skip: skipAnvil }, () => {
  it('credits what was paid meanwhile once, by the quote from before', async () => {
    assert.ok(shared)
    const started = await startPayer()
    const [token, coin] = [await open(started), await open(started, 'ETH')]
    await shared.service.service.stop()
    await pay(token)
    await started.place.chain.send(coin.address, parseEther('0.02'))
    await started.place.chain.mine(2)
    started.place.exchanges.set('ETHUSD', { price: '3000.00' })
    const service = await startService(shared.options)
    const checks = [token, token, coin, coin].map((opened) => check({ ...opened, service }))
    const found = (await Promise.all(checks)).map(brief)
    assert.deepEqual(found, [
      ...Array(2).fill('paid 25.00 credited'),
      // 0.01 by the frozen quote, and the rest by that of now.
      ...Array(2).fill('paid 55.00 credited'),
    ])
    assert.deepEqual(await money({ ...started, service }), ['80.00', '0.00'])
  })
})

// Checkouts on a real chain (anvil) through the service's own routes: credits of payments in a
// token and in the native coin, through reorganizations and a restart.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseEther } from 'viem'
import { skipAnvil } from '../support/chain/anvil.ts'
import { startService } from '../support/service.ts'
import {
  brief,
  buy,
  check,
  checkGone,
  documents,
  mintedForAll,
  money,
  open,
  pay,
  shared,
  signed,
  startPayer,
} from './evm-checkouts.fixture.ts'

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
    assert.equal(brief(await checkGone(opened)), 'awaiting_payment 0.00 reversed')
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
    assert.equal(brief(await checkGone(opened)), 'awaiting_payment 0.00 reversed')
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
    const found = await checkGone(opened)
    assert.deepEqual([found.credited_amount, found.received_amount], ['37.50', '0.015'])
    assert.deepEqual(await money(opened), ['37.50', '0.00'])
    const [two, notes] = [Array(2).fill('invoice'), Array(2).fill('credit_note')]
    assert.deepEqual(await documents(opened), [...two, ...notes, ...two])
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
      // 0.01 counts by the frozen quote, and the rest by the current one.
      ...Array(2).fill('paid 55.00 credited'),
    ])
    assert.deepEqual(await money({ ...started, service }), ['80.00', '0.00'])
  })
})

// Endpoints that number or leave out logs: a payment is credited once, by any of them,
// and never more than the chain holds.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { payer, skipAnvil } from '../../support/chain/anvil.ts'
import { noLogs, numberedByTransaction, withLogs } from '../../support/chain/unlike-nodes.ts'
import {
  brief,
  check,
  documents,
  money,
  type Opened,
  open,
  pay,
  signed,
} from '../evm-checkouts.fixture.ts'
import { startNodes } from './nodes.fixture.ts'

async function report({ service, owner, id }: Opened, transaction_id: string) {
  const path = `/v1/customers/${owner.id}/billing/gateway/checkouts/${id}/report`
  const answer = await service.request('POST', path, { token: owner.key, body: { transaction_id } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

describe('a payment that two endpoints number differently', { skip: skipAnvil }, () => {
  it('is credited once, whichever is read', async () => {
    const nodes = await startNodes()
    const opened = await open(nodes)
    const { chain } = opened.place
    nodes.set({ kind: 'unlike', answer: numberedByTransaction }, 1)
    const other = await open(nodes)
    // It is the first of the block, so that the other transaction's log is not.
    const by = { account: payer, tip: 9_000_000_000n, value: 1n }
    const first = await chain.sign({ to: nodes.place.token, name: 'mint' }, other.address, by)
    const second = await signed(opened, 1n)
    await chain.mineSigned(first, second)
    await chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    nodes.set({ kind: 'error' }, 0)
    for (let round = 0; round < 2; round += 1)
      assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    nodes.set({ kind: 'none' }, 0)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    assert.deepEqual(await documents(opened), ['invoice'])
  })

  it('is two where the transaction has two transfers to the address', async () => {
    const nodes = await startNodes()
    const opened = await open(nodes)
    const { chain, token } = nodes.place
    nodes.set({ kind: 'unlike', answer: numberedByTransaction }, 1)
    const account = chain.wallet.account.address
    await chain.call({ to: token, name: 'mint' }, account, 50_000_000n)
    await chain.call({ to: token, name: 'transferTwice' }, opened.address, 25_000_000n)
    await chain.mine(1)
    for (const down of [0, 1] as const) {
      nodes.set({ kind: 'none' }, 0)
      nodes.set({ kind: 'error' }, down)
      assert.equal(brief(await check(opened)), 'paid 50.00 credited credited')
      nodes.set({ kind: 'unlike', answer: numberedByTransaction }, 1)
    }
  })
})

describe('a payment that the balance of its address does not cover', { skip: skipAnvil }, () => {
  it('is not credited, with an alarm', async () => {
    const nodes = await startNodes()
    const opened = await open(nodes)
    await pay(opened)
    await nodes.place.chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    // A transfer to another address, in a separate block.
    const { chain, token } = nodes.place
    const { transactionHash } = await chain.call({ to: token, name: 'mint' }, token, 25_000_000n)
    await chain.mine(1)
    const ours = `0x${opened.address.slice(2).toLowerCase().padStart(64, '0')}`
    const invented = withLogs((logs) =>
      logs.map((log) => {
        const topics = [log.topics].flat()
        const isOther = String(topics[2]).endsWith(token.slice(2).toLowerCase())
        return isOther ? { ...log, topics: [topics[0], topics[1], ours] } : log
      }),
    )
    nodes.both(invented)
    const body = await report(opened, transactionHash)
    const treatments = body.transactions.map((one: { treatment: string }) => one.treatment)
    assert.deepEqual([body.status, treatments.sort()], ['paid', ['credited', 'pending']])
    assert.deepEqual(await money(opened), ['25.00', '0.00'])
    assert.equal(nodes.alarms('credited_units_exceed_balance').length > 0, true)
  })
})

describe('a payment whose logs the endpoints leave out', { skip: skipAnvil }, () => {
  it('is credited when its transaction is reported', async () => {
    const nodes = await startNodes()
    const opened = await open(nodes)
    nodes.both(noLogs)
    const { place } = nodes
    const { transactionHash } = await place.chain.call(
      { to: place.token, name: 'mint' },
      opened.address,
      25_000_000n,
    )
    assert.match(
      brief(await report(opened, transactionHash.toUpperCase().replace('0X', '0x'))),
      /^confirming/,
    )
    await place.chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    assert.deepEqual(await documents(opened), ['invoice'])
  })

  it('is credited when one of them shows it, and the balance shows that it is missing', async () => {
    const nodes = await startNodes()
    const opened = await open(nodes)
    nodes.set({ kind: 'unlike', answer: noLogs }, 0)
    await pay(opened)
    await nodes.place.chain.mine(1)
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
  })

  it('raises an alarm while neither shows it', async () => {
    const nodes = await startNodes()
    const opened = await open(nodes)
    nodes.both(noLogs)
    await pay(opened)
    await nodes.place.chain.mine(1)
    assert.equal(brief(await check(opened)), 'awaiting_payment 0.00')
    const lines = nodes.alarms('unseen_balance').filter((line) => line.includes(opened.id))
    assert.equal(lines.length, 1)
    // The chain causes the credit, and not the report.
    assert.equal(brief(await report(opened, `0x${'12'.repeat(32)}`)), 'awaiting_payment 0.00')
  })
})

// Payments in the native coin on a real chain (anvil): no event shows them, the balance does.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Address, skipAnvil } from '../support/chain/anvil.ts'
import { Ledger, startWatched } from '../support/chain/evm-gateway.ts'

function addressOf({ pay_address }: { pay_address: string }): Address {
  return `0x${pay_address.slice(2)}`
}

describe('payments in the native coin', { skip: skipAnvil }, () => {
  const one = 10n ** 16n

  it('are observed from a wallet and from a contract, by the balance', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const destination = await watched.checkout('eth', 'ETH')
    assert.equal(destination.pay_amount, one)
    assert.equal(destination.payment_uri, `ethereum:${destination.pay_address}@8453?value=${one}`)
    const payout = await chain.deployPayout()
    await chain.send(payout, 10n * one)
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    const { transactionHash } = await chain.send(addressOf(destination), one)
    await chain.mine(4)
    await chain.call({ to: payout, name: 'pay' }, addressOf(destination), 2n * one)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, [`ETH ${one} confirmed 6`, `ETH ${2n * one} seen 1`])
    await chain.mine(20)
    await ledger.observe(gateway)
    await ledger.observe(gateway)
    // It is no longer looked for below the blocks that are read again, so it has at least as many.
    assert.deepEqual(ledger.all, [`ETH ${one} confirmed 7`, `ETH ${2n * one} confirmed 7`])
    const [direct, paidOut] = ledger.payments.values()
    assert.equal(direct?.transaction_id, transactionHash)
    assert.match(paidOut?.id ?? '', new RegExp(`/${one}-${3n * one}$`))
    const other = new Ledger(destination)
    await other.observe(gateway)
    assert.deepEqual([...other.payments.keys()], [...ledger.payments.keys()])
  })

  it('are orphaned by a reorganisation', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const destination = await watched.checkout('eth', 'ETH')
    const ledger = new Ledger(destination)
    await chain.mine(10)
    await chain.send(addressOf(destination), one)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, [`ETH ${one} seen 1`])
    await chain.reorganise(3)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, [`ETH ${one} orphaned 0`])
  })

  it('are orphaned where a larger one took their place', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const destination = await watched.checkout('eth', 'ETH')
    const ledger = new Ledger(destination)
    await chain.mine(20)
    for (const units of [2n, 1n]) await chain.send(addressOf(destination), units)
    await ledger.observe(gateway)
    await chain.reorganise(11)
    await chain.send(addressOf(destination), 5n)
    await chain.mine(8)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['ETH 2 orphaned 0', 'ETH 1 orphaned 0', 'ETH 5 confirmed 9'])
  })
})

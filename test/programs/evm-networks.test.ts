// The EVM gateway on several networks, and unusual payments and acts of owners of addresses.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Address, otherPayer, payer, skipAnvil, startChain } from '../support/chain/anvil.ts'
import { Ledger, networkOf, startWatched } from '../support/chain/evm-gateway.ts'

function addressOf({ pay_address }: { pay_address: string }): Address {
  return `0x${pay_address.slice(2)}`
}

async function startTwoNetworks() {
  const watched = await startWatched()
  const second = await startChain({ chain_id: 1 })
  const token = await second.deployToken()
  const gateway = await watched.reopen(
    networkOf({ rpc_urls: [watched.chain.url], token: watched.token }),
    networkOf({ name: 'ethereum', chain_id: 1, rpc_urls: [second.url], token }),
  )
  return { ...watched, gateway, second, secondToken: token }
}

describe('two networks', { skip: skipAnvil }, () => {
  it('each have their assets', async () => {
    const { gateway } = await startTwoNetworks()
    const assets = await gateway.assets()
    assert.deepEqual(
      assets.map(({ asset, network, decimals, pegged_to }) => [
        asset,
        network,
        decimals,
        pegged_to,
      ]),
      [
        ['USDC', 'base', 6, 'USD'],
        ['ETH', 'base', 18, null],
        ['USDC', 'ethereum', 6, 'USD'],
        ['ETH', 'ethereum', 18, null],
      ],
    )
  })

  it('are watched for every address: a payment on the wrong one shows its network', async () => {
    const { checkout, gateway, second, secondToken } = await startTwoNetworks()
    const destination = await checkout('one')
    await second.call({ to: secondToken, name: 'mint' }, addressOf(destination), 5n)
    await second.mine(2)
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    const [payment] = ledger.payments.values()
    assert.deepEqual(
      [payment?.network, payment?.reference, payment?.state],
      ['ethereum', destination.reference, 'confirmed'],
    )
    assert.match(payment?.id ?? '', /^eip155:1\//)
  })

  it('fail apart: one that is down is named, and the other goes on', async () => {
    const { chain, token, checkout, gateway, second } = await startTwoNetworks()
    const destination = await checkout('one')
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    await second.stop()
    await chain.call({ to: token, name: 'mint' }, addressOf(destination), 5n)
    const { unavailable } = await ledger.observe(gateway)
    assert.deepEqual(unavailable, ['ethereum'])
    assert.deepEqual(ledger.all, ['USDC 5 seen 1'])
  })
})

describe('a transaction that a reorganisation moves', { skip: skipAnvil }, () => {
  it('to another place in its block is the same payment', async () => {
    const { chain, token, checkout, gateway } = await startWatched()
    const destination = await checkout('one')
    const ledger = new Ledger(destination)
    await chain.mine(10)
    const mint = { to: token, name: 'mint' } as const
    const mine = await chain.sign(mint, addressOf(destination), {
      account: payer,
      tip: 1_000_000_000n,
      value: 5n,
    })
    await chain.mineSigned(mine)
    await ledger.observe(gateway)
    await chain.reorganise(2)
    const other = { account: otherPayer, tip: 9_000_000_000n, value: 1n }
    await chain.mineSigned(mine, await chain.sign(mint, otherPayer.address, other))
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 seen 1'])
  })

  it('to another block, at the same place, is the same payment', async () => {
    const { chain, token, checkout, gateway } = await startWatched()
    const destination = await checkout('one')
    const ledger = new Ledger(destination)
    await chain.mine(10)
    const signing = { account: payer, tip: 1_000_000_000n, value: 5n }
    const mint = { to: token, name: 'mint' } as const
    const mine = await chain.sign(mint, addressOf(destination), signing)
    await chain.mineSigned(mine)
    await chain.mine(2)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 confirmed 3'])
    await chain.reorganise(3)
    await chain.mineSigned(mine)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 seen 1'])
  })
})

describe('a transfer by authorization (EIP-3009)', { skip: skipAnvil }, () => {
  it('is observed by the id that its submitter can make of the receipt', async () => {
    const { chain, token, checkout, gateway } = await startWatched()
    const destination = await checkout('one')
    await chain.call({ to: token, name: 'mint' }, otherPayer.address, 9n)
    const nonce: Address = `0x${'5a'.repeat(32)}`
    const made = { token, to: addressOf(destination), value: 9n, nonce }
    const { transactionHash } = await chain.settle(made)
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    const transfer = `${token}/${destination.pay_address}/0`.toLowerCase()
    assert.deepEqual([...ledger.payments.keys()], [`eip155:8453/${transactionHash}/${transfer}`])
    assert.deepEqual(ledger.all, ['USDC 9 seen 1'])
    await assert.rejects(chain.settle(made))
  })
})

describe('an address that its owner has spent from', { skip: skipAnvil }, () => {
  it('keeps its payments, is credited no native coin, and raises an alarm', async () => {
    const { chain, checkout, gateway, lines } = await startWatched()
    const destination = await checkout('eth', 'ETH')
    const ledger = new Ledger(destination)
    await chain.mine(10)
    await chain.send(addressOf(destination), 10n ** 18n)
    await chain.mine(3)
    await ledger.observe(gateway)
    const before = ledger.all
    assert.match(before.join(), /confirmed/)
    await chain.sendFrom(addressOf(destination), 10n ** 17n)
    await chain.send(addressOf(destination), 10n ** 18n)
    await chain.mine(3)
    const { payments } = await ledger.observe(gateway)
    assert.deepEqual(payments, [])
    assert.deepEqual(ledger.all, before)
    assert.ok(lines.some(({ alarm }) => alarm === 'deposit_address_spent'))
  })
})

// The EVM gateway on a real chain (anvil): payments, reorganizations, and restarts of the gateway.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Destination, GatewayUnavailable } from '../../src/adapters/gateway/port.ts'
import { type Address, payer, skipAnvil } from '../support/chain/anvil.ts'
import { Ledger, networkOf, startWatched, type Watched } from '../support/chain/evm-gateway.ts'

function addressOf({ pay_address }: { pay_address: string }): Address {
  return `0x${pay_address.slice(2)}`
}

async function pay({ chain, token }: Watched, to: { pay_address: string }, units: bigint) {
  await chain.call({ to: token, name: 'mint' }, addressOf(to), units)
}

describe('payments in a stablecoin', { skip: skipAnvil }, () => {
  it('are seen, and confirmed as deep as the network requires', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const destination = await watched.checkout('one')
    assert.equal(destination.pay_amount, 25_000_000n)
    assert.equal(
      destination.payment_uri,
      `ethereum:${watched.token.toLowerCase()}@8453/transfer` +
        `?address=${destination.pay_address}&uint256=25000000`,
    )
    assert.equal(destination.path, '0/0')
    assert.equal((await watched.checkout('one')).pay_address, destination.pay_address)
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, [])
    await pay(watched, destination, 25_000_000n)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 25000000 seen 1'])
    await chain.mine(1)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 25000000 seen 2'])
    await chain.mine(1)
    const { withheld, unavailable } = await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 25000000 confirmed 3'])
    assert.deepEqual([withheld, unavailable], [[], []])
    const [payment] = ledger.payments.values()
    assert.match(payment?.id ?? '', /^eip155:8453\/0x[0-9a-f]{64}(\/0x[0-9a-f]{40}){2}\/0$/)
    assert.equal(payment?.reference, destination.reference)
  })

  it('are each observed: too little, too much, twice, two in a transaction', async () => {
    const watched = await startWatched()
    const { chain, token, gateway } = watched
    const under = await watched.checkout('under')
    const over = await watched.checkout('over')
    const ledger = new Ledger(under, over)
    await pay(watched, under, 1n)
    await pay(watched, over, 26_000_000n)
    await pay(watched, over, 25_000_000n)
    await chain.call({ to: token, name: 'mint' }, payer.address, 2n)
    await chain.call({ to: token, name: 'transferTwice' }, addressOf(under), 1n)
    await chain.mine(3)
    await ledger.observe(gateway)
    assert.deepEqual(
      ledger.all.map((line) => line.replace(/ [0-9]+$/, '')),
      [
        'USDC 1 confirmed',
        'USDC 26000000 confirmed',
        'USDC 25000000 confirmed',
        'USDC 1 confirmed',
        'USDC 1 confirmed',
      ],
    )
    const references = [...ledger.payments.values()].map(({ reference }) => reference)
    assert.deepEqual(references, [
      under.reference,
      over.reference,
      over.reference,
      under.reference,
      under.reference,
    ])
  })
})

describe('observations', { skip: skipAnvil }, () => {
  it('go on after a restart from the cursor, some blocks at a time', async () => {
    const watched = await startWatched()
    const { chain, token } = watched
    const destination = await watched.checkout('one')
    const ledger = new Ledger(destination)
    await chain.mine(10)
    await ledger.observe(watched.gateway)
    await chain.mine(3)
    await pay(watched, destination, 7n)
    await chain.mine(30)
    await pay(watched, destination, 8n)
    await chain.mine(2)
    const again = await watched.reopen(networkOf({ rpc_urls: [chain.url], token, max_blocks: 10 }))
    const seen: number[] = []
    for (let round = 0; round < 6; round += 1) {
      await ledger.observe(again)
      seen.push(ledger.payments.size)
    }
    assert.deepEqual(seen, [1, 1, 1, 1, 2, 2])
    assert.deepEqual(
      [...ledger.payments.values()].map(({ amount, state }) => [amount, state]),
      [
        [7n, 'confirmed'],
        [8n, 'confirmed'],
      ],
    )
  })

  it('of a thousand addresses are made in batches', async () => {
    const watched = await startWatched()
    const { gateway } = watched
    const ids = Array.from({ length: 1000 }, (_, at) => `c${at}`)
    const destinations: Destination[] = []
    // There are fewer at once than connections that a loaded anvil may refuse.
    for (let from = 0; from < ids.length; from += 50)
      destinations.push(
        ...(await Promise.all(ids.slice(from, from + 50).map((id) => watched.checkout(id)))),
      )
    assert.equal(new Set(destinations.map(({ pay_address }) => pay_address)).size, 1000)
    for (const [at, destination] of destinations.entries())
      if ([0, 99, 100, 555, 999].includes(at)) await pay(watched, destination, BigInt(at + 1))
    const ledger = new Ledger(...destinations)
    await ledger.observe(gateway)
    const amounts = [...ledger.payments.values()].map(({ amount }) => amount)
    assert.deepEqual(amounts, [1n, 100n, 101n, 556n, 1000n])
  })
})

describe('transfers of a token', { skip: skipAnvil }, () => {
  it('of another contract with the same symbol are not observed, nor those of value 0', async () => {
    const watched = await startWatched()
    const { chain, token, gateway } = watched
    const destination = await watched.checkout('one')
    const fake = await chain.deployToken('USDC')
    await chain.call({ to: fake, name: 'mint' }, addressOf(destination), 25_000_000n)
    await chain.call({ to: token, name: 'transfer' }, addressOf(destination), 0n)
    await chain.mine(5)
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, [])
    assert.notEqual(ledger.cursor, null)
  })
})

describe('a reorganisation', { skip: skipAnvil }, () => {
  it('takes a payment away that was seen; sent again, it is another one', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const destination = await watched.checkout('one')
    const ledger = new Ledger(destination)
    await chain.mine(10)
    await pay(watched, destination, 5n)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 seen 1'])
    await chain.reorganise(2)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 orphaned 0'])
    await pay(watched, destination, 6n)
    await chain.mine(2)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 orphaned 0', 'USDC 6 confirmed 3'])
  })

  it('deeper than the confirmations and the cursor orphans a confirmed payment', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const destination = await watched.checkout('one')
    const ledger = new Ledger(destination)
    await chain.mine(20)
    await ledger.observe(gateway)
    await pay(watched, destination, 5n)
    await chain.mine(10)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 confirmed 11'])
    await chain.reorganise(15)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 orphaned 0'])
    await pay(watched, destination, 9n)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 5 orphaned 0', 'USDC 9 seen 1'])
    assert.ok(
      watched.lines.some(
        ({ message }) => message === 'chain reorganised: its blocks are read again',
      ),
    )
  })
})

describe('a gateway whose chain is not the configured one', { skip: skipAnvil }, () => {
  it('does not start with another chain id, or other decimals', async () => {
    const { chain, token, reopen } = await startWatched()
    const rpc_urls = [chain.url]
    await assert.rejects(reopen(networkOf({ rpc_urls, token, chain_id: 1 })), {
      name: 'GatewaySettingError',
      message: 'RPC 1 of base: its chain id is 8453, not 1',
    })
    await assert.rejects(reopen(networkOf({ rpc_urls, token, decimals: 18 })), {
      message: 'RPC 1 of base: USDC has 6 decimals, not 18',
    })
  })

  it('is unavailable while its endpoint is down, and opens no checkout', async () => {
    const watched = await startWatched()
    const destination = await watched.checkout('one')
    await watched.chain.stop()
    const isUnavailable = (error: unknown) => error instanceof GatewayUnavailable
    await assert.rejects(new Ledger(destination).observe(watched.gateway), isUnavailable)
    await assert.rejects(watched.checkout('two'), isUnavailable)
  })
})

describe('a quote', { skip: skipAnvil }, () => {
  it('is at the peg in its currency, else at the rate, rounded up to base units', async () => {
    const watched = await startWatched()
    assert.equal((await watched.checkout('usd')).pay_amount, 25_000_000n)
    // 25.00 EUR are 31.25 USD, at 0.8 EUR for one.
    assert.equal((await watched.checkout('eur', 'USDC', 'EUR')).pay_amount, 31_250_000n)
    watched.exchanges.set('ETHUSD', { price: '3000.00' })
    assert.equal((await watched.checkout('eth', 'ETH')).pay_amount, 8_333_333_333_333_334n)
  })

  it('is refused, and payments are withheld, while a stablecoin is off its peg or has no rate', async () => {
    const watched = await startWatched()
    const { chain, gateway, exchanges } = watched
    const destination = await watched.checkout('one')
    const ledger = new Ledger(destination)
    await pay(watched, destination, 25_000_000n)
    await chain.mine(3)
    exchanges.set('USDCUSD', { price: '0.9899' })
    const key = { asset: 'USDC', network: 'base' }
    assert.deepEqual((await ledger.observe(gateway)).withheld, [{ ...key, reason: 'off_peg' }])
    await assert.rejects(watched.checkout('two'), /USDC is off its peg/)
    exchanges.set('USDCUSD', { price: '1.02' }, 'kraken')
    assert.deepEqual((await ledger.observe(gateway)).withheld, [{ ...key, reason: 'no_rate' }])
    await assert.rejects(gateway.quote(key, 'USD'), GatewayUnavailable)
    exchanges.set('USDCUSD', { price: '1.00' })
    assert.deepEqual((await ledger.observe(gateway)).withheld, [])
    assert.deepEqual(ledger.all, ['USDC 25000000 confirmed 4'])
  })
})

describe('the list of funded addresses', { skip: skipAnvil }, () => {
  it('has every address with a balance, of each asset', async () => {
    const watched = await startWatched()
    const { chain, gateway } = watched
    const [first, , third] = [
      await watched.checkout('one'),
      await watched.checkout('two'),
      await watched.checkout('three'),
    ]
    await pay(watched, first, 5n)
    await chain.send(addressOf(third), 7n)
    const places = [0, 1, 2].map((index) => ({ branch: 0, index }))
    assert.deepEqual(await gateway.funded(places), [
      { path: '0/0', address: first.pay_address, network: 'base', asset: 'USDC', balance: 5n },
      { path: '0/2', address: third.pay_address, network: 'base', asset: 'ETH', balance: 7n },
    ])
  })
})

// The EVM gateway and endpoints that fail or answer falsely: no payment is observed that did not
// happen.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayUnavailable } from '../../src/adapters/gateway/port.ts'
import { type Address, skipAnvil } from '../support/chain/anvil.ts'
import { Ledger, networkOf, startWatched } from '../support/chain/evm-gateway.ts'
import { type Fault, startRpcProxy } from '../support/chain/rpc-proxy.ts'

const other: Address = `0x${'77'.repeat(20)}`
const otherHash: Address = `0x${'77'.repeat(32)}`

const changed = (method: string, change: (result: unknown) => unknown): Fault => ({
  kind: 'changed',
  method,
  change,
})
const changedLog = (fields: Record<string, unknown>) =>
  changed('eth_getLogs', (logs) => [logs].flat().map((log) => ({ ...Object(log), ...fields })))
const faults: Record<string, Fault> = {
  'does not answer': { kind: 'silent' },
  'stops in the middle of its answer': { kind: 'trickle' },
  'answers garbage': { kind: 'garbage' },
  'answers with a page': { kind: 'html' },
  'answers 10 MB': { kind: 'huge' },
  redirects: { kind: 'redirect' },
  'answers 500': { kind: 'error' },
  'is of another chain': changed('eth_chainId', () => '0x1'),
  'is behind': changed('eth_blockNumber', () => '0x1'),
  'shows no number': changed('eth_blockNumber', () => 'latest'),
  'shows another contract': changedLog({ address: other }),
  'shows another block hash': changedLog({ blockHash: otherHash }),
  'shows a removed log': changedLog({ removed: true }),
  'shows a pending log': changedLog({ blockNumber: null }),
  'shows a log of another block': changedLog({ blockNumber: '0x1' }),
  'shows logs that are none': changed('eth_getLogs', () => [{}]),
}

async function startProxied(count: 1 | 2) {
  const watched = await startWatched()
  const { chain, token } = watched
  const first = await startRpcProxy(chain.url)
  const second = await startRpcProxy(chain.url)
  const rpc_urls = [first.url, second.url].slice(0, count)
  const gateway = await watched.reopen(networkOf({ rpc_urls, token, both_rpcs_above: '10' }))
  const destination = await watched.checkout('one')
  const ledger = new Ledger(destination)
  await chain.mine(20)
  await ledger.observe(gateway)
  const pay = (units: bigint) =>
    chain.call({ to: token, name: 'mint' }, `0x${destination.pay_address.slice(2)}`, units)
  return { ...watched, gateway, first, second, ledger, pay }
}

describe('an endpoint', { skip: skipAnvil }, () => {
  for (const [title, fault] of Object.entries(faults))
    it(`that ${title} makes its network unavailable, and the next observation finds all`, async () => {
      const { gateway, first, ledger, pay, lines } = await startProxied(1)
      await pay(5n)
      const { cursor } = ledger
      first.fault = fault
      await assert.rejects(ledger.observe(gateway), (error) => {
        assert.ok(error instanceof GatewayUnavailable, String(error))
        assert.doesNotMatch(error.message, /secret-key|127\.0\.0\.1/)
        return true
      })
      assert.doesNotMatch(JSON.stringify(lines), /secret-key/)
      assert.equal(ledger.cursor, cursor)
      const { state, trouble } = gateway.health()
      assert.equal(state, 'down')
      assert.match(
        trouble ?? '',
        /^RPC 1 of base (cannot|serves another|is behind|sent contradictory)/,
      )
      first.fault = { kind: 'none' }
      await ledger.observe(gateway)
      assert.deepEqual(gateway.health(), { state: 'up', trouble: null })
      assert.deepEqual(ledger.all, ['USDC 5 seen 1'])
    })

  it('that limits its answers is asked for fewer blocks at a time', async () => {
    const { chain, gateway, first, ledger, pay } = await startProxied(1)
    for (const units of [5n, 6n, 7n]) {
      await pay(units)
      await chain.mine(5)
    }
    first.fault = { kind: 'limited', blocks: 3 }
    await ledger.observe(gateway)
    const amounts = [...ledger.payments.values()].map(({ amount }) => amount)
    assert.deepEqual(amounts, [5n, 6n, 7n])
    first.fault = { kind: 'limited', blocks: 0 }
    await assert.rejects(ledger.observe(gateway), GatewayUnavailable)
  })

  it('that fails is replaced by the second', async () => {
    const { gateway, first, ledger, pay } = await startProxied(2)
    await pay(5n)
    first.fault = { kind: 'error' }
    const { unavailable } = await ledger.observe(gateway)
    assert.deepEqual(unavailable, [])
    assert.deepEqual(ledger.all, ['USDC 5 seen 1'])
  })
})

describe('a payment above the limit', { skip: skipAnvil }, () => {
  it('is confirmed when both endpoints show it', async () => {
    const { chain, gateway, second, ledger, pay } = await startProxied(2)
    await pay(10_000_000n)
    await pay(10_000_001n)
    await chain.mine(3)
    const states = () => [...ledger.payments.values()].map(({ state }) => state)
    for (const fault of [
      changed('eth_getTransactionReceipt', () => null),
      changed('eth_blockNumber', () => '0x1'),
      { kind: 'error' } as const,
    ]) {
      second.fault = fault
      await ledger.observe(gateway)
      assert.deepEqual(states(), ['confirmed', 'seen'])
    }
    second.fault = { kind: 'none' }
    await ledger.observe(gateway)
    assert.deepEqual(states(), ['confirmed', 'confirmed'])
  })

  it('is not orphaned while the second endpoint shows it', async () => {
    const { chain, gateway, first, ledger, pay } = await startProxied(2)
    await pay(5n)
    await chain.mine(10)
    await ledger.observe(gateway)
    const before = ledger.all
    await chain.mine(10)
    await ledger.observe(gateway)
    first.fault = changed('eth_getTransactionReceipt', () => null)
    await chain.mine(1)
    const { payments } = await ledger.observe(gateway)
    assert.deepEqual(payments, [])
    assert.notDeepEqual(ledger.all, before)
    assert.match(ledger.all.join(), /confirmed/)
  })

  it('in the place of a known one is not reported before both endpoints agree', async () => {
    const { chain, gateway, second, checkout, lines } = await startProxied(2)
    const destination = await checkout('eth', 'ETH')
    const ledger = new Ledger(destination)
    await chain.send(`0x${destination.pay_address.slice(2)}`, 2n)
    await ledger.observe(gateway)
    await chain.reorganise(11)
    await chain.send(`0x${destination.pay_address.slice(2)}`, 5n)
    await chain.mine(8)
    second.fault = changed('eth_getBalance', () => '0x2')
    await assert.rejects(ledger.observe(gateway), GatewayUnavailable)
    assert.match(
      lines.map(({ message }) => message).join('\n'),
      /no other endpoint confirms the balance/,
    )
    assert.deepEqual(ledger.all, ['ETH 2 seen 1'])
    second.fault = { kind: 'none' }
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['ETH 2 orphaned 0', 'ETH 5 confirmed 9'])
  })
})

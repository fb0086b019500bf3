// The x402 adapter on a real chain (anvil): payments that the official client signs are verified,
// submitted by a gas wallet and read back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { lowerAddress } from '../../src/adapters/gateway/evm/networks.ts'
import {
  authorizationFor,
  paymentRequired,
  readPayment,
} from '../../src/adapters/x402/payment-headers.ts'
import type { Authorization, GasWallet, Terms } from '../../src/adapters/x402/port.ts'
import { openX402 } from '../../src/adapters/x402/x402.ts'
import { type Address, otherPayer, skipAnvil, startChain } from '../support/chain/anvil.ts'
import { networkOf, xpub } from '../support/chain/evm-gateway.ts'
import { paymentFor, type Signer } from '../support/chain/x402-client.ts'

const domain = { name: 'USD Coin', version: '2' }
const resource = { url: 'https://registrar.example/top-ups', description: 'A top-up' }
const receiver: Address = '0x00000000000000000000000000000000000000aa'
const gwei = 1_000_000_000n

async function startX402({ most_gas_price = 100n * gwei } = {}) {
  const chain = await startChain()
  const token = await chain.deployToken()
  const network = networkOf({ rpc_urls: [chain.url], token, eip3009: domain })
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key).address
  await chain.client.setBalance({ address: wallet, value: 10n ** 18n })
  const settle_by = { kind: 'wallet', key, most_gas_price } as const
  const x402 = openX402({ xpub, networks: [network], settle_by, timeout_ms: 2_000 })
  const { settler } = x402
  assert.ok(settler.kind === 'wallet')
  const terms: Terms = {
    chain_id: 8453,
    token: lowerAddress(token),
    domain,
    pay_to: receiver,
    units: 25_000_000n,
  }
  await chain.call({ to: token, name: 'mint' }, otherPayer.address, 100_000_000n)
  return { chain, token, x402, settler, terms, wallet }
}

async function signed(terms: Terms, signer: Signer = otherPayer): Promise<Authorization> {
  const header = await paymentFor(paymentRequired({ terms, error: 'pay', resource }), signer)
  const payment = readPayment(header)
  assert.ok(payment)
  const authorization = authorizationFor(payment, terms, new Date())
  assert.ok(typeof authorization === 'object', String(authorization))
  return authorization
}

async function submit(settler: GasWallet, terms: Terms, authorization: Authorization) {
  const made = await settler.prepare(terms, authorization, null)
  await settler.send(terms, authorization, made)
  return made
}

describe('the x402 adapter', { skip: skipAnvil }, () => {
  it('verifies, submits and reads back a payment of the official client', async () => {
    const { chain, x402, settler, terms } = await startX402()
    const [asset] = x402.assets
    assert.ok(asset)
    await x402.checkDomain(asset)
    const authorization = await signed(terms)
    assert.equal(await x402.verify(terms, authorization), null)
    assert.deepEqual(await x402.read(terms, authorization, []), { state: 'open', reverted: [] })
    const { transaction_id, gas_nonce } = await submit(settler, terms, authorization)
    const settled = { state: 'settled', transaction_id, is_final: false }
    assert.deepEqual(await x402.read(terms, authorization, [transaction_id]), settled)
    assert.deepEqual(await x402.read(terms, authorization, []), settled, 'by its event alone')
    assert.equal(await settler.isSpent(8453, gas_nonce), true)
    await chain.mine(2)
    assert.deepEqual(await x402.read(terms, authorization, []), { ...settled, is_final: true })
    assert.equal(await x402.verify(terms, authorization), 'invalid_exact_evm_nonce_already_used')
  })

  it('replaces a transaction that is not mined by one of the same nonce that pays more', async () => {
    const { chain, x402, settler, terms } = await startX402()
    const authorization = await signed(terms)
    await chain.client.setAutomine(false)
    const first = await submit(settler, terms, authorization)
    const second = await settler.prepare(terms, authorization, first)
    assert.equal(second.gas_nonce, first.gas_nonce)
    assert.ok(second.max_fee * 100n >= first.max_fee * 113n)
    assert.ok(second.priority_fee * 100n >= first.priority_fee * 113n)
    await assert.rejects(() => settler.send(terms, authorization, first), /already imported/)
    await settler.send(terms, authorization, second)
    await chain.mine(1)
    const { transaction_id } = second
    assert.deepEqual(
      await x402.read(terms, authorization, [first.transaction_id, transaction_id]),
      {
        state: 'settled',
        transaction_id,
        is_final: false,
      },
    )
  })
})

describe('the x402 adapter refuses', { skip: skipAnvil }, () => {
  it('another signer, too little money, and what the contract refuses', async () => {
    const { chain, token, x402, terms } = await startX402()
    const authorization = await signed(terms)
    const other = privateKeyToAccount(generatePrivateKey())
    const forged = { ...authorization, payer: lowerAddress(other.address) }
    assert.equal(await x402.verify(terms, forged), 'invalid_exact_evm_signature')
    const elsewhere = { ...terms, pay_to: lowerAddress(other.address) }
    assert.equal(await x402.verify(elsewhere, authorization), 'invalid_exact_evm_signature')
    const poor = await signed(terms, other)
    assert.equal(await x402.verify(terms, poor), 'invalid_exact_evm_insufficient_balance')
    await chain.client.increaseTime({ seconds: 86_400 })
    await chain.mine(1)
    assert.equal(
      await x402.verify(terms, authorization),
      'invalid_exact_evm_transaction_simulation_failed',
    )
    assert.deepEqual(await x402.read(terms, authorization, []), { state: 'expired' })
    const wrong = { ...terms, asset: 'USDC', network: 'base', domain: { ...domain, version: '1' } }
    await assert.rejects(() => x402.checkDomain(wrong), /EIP-712 domain/)
    assert.equal(terms.token, lowerAddress(token))
  })

  it('gas above its limit, and names no URL where a chain cannot be read', async () => {
    const { chain, x402, settler, terms, wallet } = await startX402({ most_gas_price: 1n })
    const authorization = await signed(terms)
    assert.equal(await x402.verify(terms, authorization), null)
    await assert.rejects(
      () => settler.prepare(terms, authorization, null),
      /X402_MOST_GAS_PRICE_GWEI/,
    )
    await chain.client.setBalance({ address: wallet, value: 0n })
    await chain.stop()
    await assert.rejects(
      () => x402.verify(terms, authorization),
      (error: Error) => {
        assert.ok(!error.message.includes(chain.url), error.message)
        return error.name === 'GatewayUnavailable'
      },
    )
  })
})

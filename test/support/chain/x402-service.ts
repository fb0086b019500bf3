// A service that takes top-ups by x402 on a chain of its own, and an agent with a wallet.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startSimulatedExchanges } from '../../../sandbox/rates/index.ts'
import { type Address, type Chain, otherPayer, startChain } from './anvil.ts'
import { xpub } from './evm-gateway.ts'

export type X402Place = Awaited<ReturnType<typeof startX402Place>>

type PlaceOptions = {
  /** Also payments in ETH. */
  native?: boolean
  /** The service's endpoints, given the chain's own. */
  endpoints?: (url: string) => Promise<string[]>
}

/** Settings of a service; two confirmations. The payer has 1000 USDC. */
export async function startX402Place({
  native = false,
  endpoints = async (url) => [url],
}: PlaceOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-x402-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const chain = await startChain()
  const token = await chain.deployToken()
  const exchanges = await startSimulatedExchanges({ USDCUSD: '1.00', ETHUSD: '2500.00' })
  after(() => exchanges.close())
  const gas_key = generatePrivateKey()
  const wallet = privateKeyToAccount(gas_key).address
  await chain.client.setBalance({ address: wallet, value: 10n ** 18n })
  await chain.call({ to: token, name: 'mint' }, otherPayer.address, 1_000_000_000n)
  const eip3009 = { name: 'USD Coin', version: '2' }
  const asset = { symbol: 'USDC', contract: token, decimals: 6, pegged_to: 'USD', eip3009 }
  const network = {
    name: 'base',
    chain_id: chain.chain_id,
    rpc_urls: await endpoints(chain.url),
    confirmations: 2,
    ...(native && { native: { symbol: 'ETH' } }),
    assets: [asset],
  }
  const EVM_NETWORKS_FILE = join(folder, 'networks.json')
  writeFileSync(EVM_NETWORKS_FILE, JSON.stringify({ networks: [network] }))
  const settings: Record<string, string> = {
    GATEWAY: 'evm',
    EVM_XPUB: xpub,
    EVM_NETWORKS_FILE,
    KRAKEN_URL: exchanges.kraken_url,
    BITSTAMP_URL: exchanges.bitstamp_url,
    X402_GAS_KEY: gas_key,
    CHECKOUT_WATCH_SECONDS: '1',
  }
  const { client } = chain
  const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
  const args = [otherPayer.address] as const
  return {
    chain,
    client,
    token,
    exchanges,
    settings,
    wallet,
    payer: otherPayer,
    /** So much has left the payer. */
    spent: async () =>
      1_000_000_000n -
      (await client.readContract({ address: token, abi, functionName: 'balanceOf', args })),
    /** A PAYMENT-SIGNATURE, as anybody could. */
    submit: (payment: string) => submitted(chain, token, payment),
  }
}

async function submitted({ wallet, mined }: Chain, to: Address, payment: string): Promise<void> {
  const { payload } = Object(JSON.parse(Buffer.from(payment, 'base64').toString()))
  const { from, to: receiver, value, validAfter, validBefore, nonce } = payload.authorization
  const times = [BigInt(validAfter), BigInt(validBefore)] as const
  const data = encodeFunctionData({
    abi: parseAbi([
      'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
    ]),
    args: [from, receiver, BigInt(value), ...times, nonce, payload.signature],
  })
  await mined(await wallet.sendTransaction({ to, data, chain: null }))
}

export function x402Path(customer_id: string): string {
  return `/v1/customers/${customer_id}/billing/x402/top-ups`
}

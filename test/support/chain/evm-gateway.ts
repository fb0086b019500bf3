// The EVM gateway on a chain of its own, with checkouts to pay.
import { after } from 'node:test'
import { HDKey } from '@scure/bip32'
import { startSimulatedExchanges } from '../../../sandbox/rates/index.ts'
import { openEvmGateway } from '../../../src/adapters/gateway/evm/evm-gateway.ts'
import { type EvmNetwork, parseNetworks } from '../../../src/adapters/gateway/evm/networks.ts'
import type {
  Destination,
  Observation,
  ObservedPayment,
  ObserveInput,
} from '../../../src/adapters/gateway/port.ts'
import { openPublicRates } from '../../../src/adapters/rates/public-rates.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import type { Currency } from '../../../src/kit/money.ts'
import { type Address, startChain } from './anvil.ts'

const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'")
export const xpub = account.publicExtendedKey
export const xprv = account.privateExtendedKey

type Line = Record<string, unknown> & { level: string; message: string }

/** Keeps all lines. */
export function recordedLog() {
  const lines: Line[] = []
  const write = (level: string) => (fields: unknown, message?: string) => {
    lines.push({ ...Object(fields), level, message: message ?? '' })
  }
  return { lines, log: { error: write('error'), warn: write('warn') } }
}

/** Paths as the core allocates them: one for each checkout. */
export function paths(branch = 0) {
  const taken = new Map<string, { branch: number; index: number }>()
  return async (checkout_id: string) => {
    const path = taken.get(checkout_id) ?? { branch, index: taken.size }
    taken.set(checkout_id, path)
    return path
  }
}

type NetworkOptions = {
  rpc_urls: readonly string[]
  token: Address
  chain_id?: number
  max_blocks?: number
  decimals?: number
  name?: string
  both_rpcs_above?: string
  eip3009?: { name: string; version: string }
}

/** Three confirmations; USDC with 6 decimals, and the native coin. */
export function networkOf(options: NetworkOptions) {
  const written = {
    name: options.name ?? 'base',
    chain_id: options.chain_id ?? 8453,
    rpc_urls: options.rpc_urls,
    confirmations: 3,
    rescan_blocks: 6,
    max_blocks: options.max_blocks ?? 500,
    native: { symbol: 'ETH' },
    assets: [
      {
        symbol: 'USDC',
        contract: options.token,
        decimals: options.decimals ?? 6,
        pegged_to: 'USD',
        both_rpcs_above: options.both_rpcs_above ?? '1000',
        ...(options.eip3009 && { eip3009: options.eip3009 }),
      },
    ],
  }
  const [network] = parseNetworks({ networks: [written] }, 'networks.json')
  if (!network) throw new Error('no network')
  return network
}

export type Watched = Awaited<ReturnType<typeof startWatched>>

/** A gateway on a new chain, whose observations are kept as the core keeps them. */
export async function startWatched() {
  const exchanges = await startSimulatedExchanges({
    ETHUSD: '2500.00',
    USDCUSD: '1.0001',
    EURUSD: '1.25',
  })
  after(() => exchanges.close())
  const { kraken_url, bitstamp_url } = exchanges
  const rates = openPublicRates({ clock: systemClock, kraken_url, bitstamp_url, refresh_ms: 0 })
  const chain = await startChain()
  const token = await chain.deployToken()
  const { lines, log } = recordedLog()
  const common = { xpub, nextPath: paths(), rates, clock: systemClock, log, timeout_ms: 2000 }
  const reopen = (...networks: EvmNetwork[]) => openEvmGateway({ ...common, networks })
  const gateway = await reopen(networkOf({ rpc_urls: [chain.url], token }))
  const checkout = (id: string, asset = 'USDC', currency: Currency = 'USD') =>
    gateway.open({
      checkout_id: id,
      asset,
      network: 'base',
      currency,
      amount_cents: 2500n,
      expires_at: new Date(Date.now() + 3_600_000),
    })
  return { chain, token, gateway, reopen, checkout, lines, exchanges }
}

/** Keeps payments and cursor over observations, as rows of the database would. */
export class Ledger {
  readonly payments = new Map<string, ObservedPayment>()
  readonly #destinations: readonly Destination[]
  cursor: string | null = null

  constructor(...destinations: Destination[]) {
    this.#destinations = destinations
  }

  async observe(gateway: { observe: (input: ObserveInput) => Promise<Observation> }) {
    const known = [...this.payments.values()].filter(({ state }) => state !== 'orphaned')
    const seen = await gateway.observe({
      destinations: this.#destinations,
      known: known.map(({ state, confirmations, value, ...facts }) => ({
        ...facts,
        is_credited: state === 'confirmed',
      })),
      cursor: this.cursor,
    })
    this.cursor = seen.cursor
    for (const payment of seen.payments) this.payments.set(payment.id, payment)
    return seen
  }

  /** By time of arrival: amount, state and confirmations. */
  get all() {
    return [...this.payments.values()].map(
      ({ asset, amount, state, confirmations }) => `${asset} ${amount} ${state} ${confirmations}`,
    )
  }
}

// The gateway adapter of EVM chains: stablecoins and native coins, which are paid straight to
// addresses below the operator's extended public key and watched over JSON-RPC. It only observes,
// and cannot move anything.

import type { Logger } from 'pino'
import type { Clock } from '../../../kit/clock.ts'
import type { Currency } from '../../../kit/money.ts'
import type { CheckoutId } from '../../../kit/random.ts'
import type { PeerState } from '../../../kit/telemetry.ts'
import type { Rates } from '../../rates/port.ts'
import {
  type Asset,
  type AssetKey,
  type Gateway,
  GatewayUnavailable,
  type Observation,
  type ObservedPayment,
  type ObserveInput,
  type PaymentRequest,
  type Quote,
} from '../port.ts'
import { configuredAsset, type Found, quoteOf, withheldOf } from './asset-prices.ts'
import { type ChainReader, type Hash, openChainReader } from './chain-reader.ts'
import {
  type Checkpoints,
  type Cursor,
  nextCursorBlock,
  readCursor,
  withCheckpoint,
} from './cursor.ts'
import { type DepositPath, openDeposits } from './deposit-addresses.ts'
import { type FundedAddress, readFunded } from './funded-addresses.ts'
import { openHoldings } from './holdings.ts'
import {
  firstNativePayments,
  knownNativePayment,
  nativePayments,
  nativeSteps,
} from './native-payments.ts'
import { type Address, type EvmNetwork, lowerAddress } from './networks.ts'
import {
  batches,
  checkNetwork,
  type OpenNetwork,
  type Round,
  startRound,
} from './observation-round.ts'
import { parsePaymentId } from './payment-ids.ts'
import { paymentUri, unitsFor } from './quotes.ts'
import { knownTokenPayment, tokenPayments } from './token-payments.ts'

type EvmOptions = {
  xpub: string
  networks: readonly EvmNetwork[]
  /**
   * Allocates the path of a checkout. The same checkout always gets the same path, and no path is
   * ever given to another checkout, not even after a database was restored.
   */
  nextPath: (checkout_id: CheckoutId) => Promise<DepositPath>
  rates: Rates
  clock: Clock
  log: Pick<Logger, 'error' | 'warn'>
  /** The time limit for each answer of an endpoint. */
  timeout_ms?: number
}

type EvmGateway = Gateway & {
  /** The balances that the operator's wallet can collect, at these paths and no others. */
  funded: (paths: readonly DepositPath[]) => Promise<FundedAddress[]>
}

/**
 * Rejects with GatewaySettingError if an endpoint serves another chain, or a token has other
 * decimals. An endpoint that cannot be read does not stop the start; its network is unavailable
 * until it can be read.
 */
export async function openEvmGateway(options: EvmOptions): Promise<EvmGateway> {
  const { networks, rates, clock, log, timeout_ms = 10_000 } = options
  const derive = openDeposits(options.xpub)
  const open = networks.map(
    (network): OpenNetwork => ({
      network,
      readers: network.rpc_urls.map((url, at) =>
        openChainReader({
          url,
          name: `RPC ${at + 1} of ${network.name}`,
          timeout_ms,
          batch: network.addresses_per_call,
        }),
      ),
    }),
  )
  await Promise.all(open.map((one) => checkEndpoints(one, log)))
  const find = (key: AssetKey) => configuredAsset(open, key)
  const quote = async (key: AssetKey, currency: Currency) =>
    quoteOf(find(key).asset, currency, { rates, now: clock.now() })
  return {
    name: 'evm',
    reads_on: true,
    assets: async () => networks.flatMap(assetsOf),
    health: () => healthOf(open),
    quote,
    open: async (request) => openDestination(request, { ...options, derive, find, quote }),
    observe: (input) => observeAll(open, input, { rates, log }),
    holdings: openHoldings(open),
    funded: async (paths) =>
      (await Promise.all(open.map((one) => readFunded(one, paths, derive)))).flat(),
  }
}

/** The gateway is down if a network has failing endpoints and none that works. */
function healthOf(open: readonly OpenNetwork[]): PeerState {
  const found = open.map(({ readers }) =>
    readers.map(({ name, health }) => ({ name, ...health.read() })),
  )
  const stateOf = (one: readonly PeerState[]) =>
    one.find(({ state }) => state === 'up')?.state ??
    one.find(({ state }) => state === 'down')?.state
  const states = found.map(stateOf)
  const sentence = (one: PeerState & { name: string }) => `${one.name} ${one.trouble}`
  const troubles = found.flat().filter(({ trouble }) => trouble !== null)
  return {
    state: states.find((one) => one === 'down') ?? states.find((one) => one === 'up') ?? 'idle',
    trouble: troubles.length > 0 ? troubles.map(sentence).join('; ') : null,
  }
}

async function checkEndpoints({ network, readers }: OpenNetwork, log: Round['log']): Promise<void> {
  const check = async (reader: ChainReader) =>
    checkNetwork(reader, network).catch((error) => {
      if (!(error instanceof GatewayUnavailable)) throw error
      log.error({ network: network.name, alarm: 'rpc_unavailable' }, error.message)
    })
  await Promise.all(readers.map(check))
}

function assetsOf({ name, confirmations, assets }: EvmNetwork): Asset[] {
  return assets.map(({ symbol, decimals, pegged_to }) => ({
    asset: symbol,
    network: name,
    decimals,
    pegged_to,
    required_confirmations: confirmations,
  }))
}

type Opening = EvmOptions & {
  derive: (path: DepositPath) => string
  find: (key: AssetKey) => Found
  quote: (key: AssetKey, currency: Currency) => Promise<Quote>
}

/** No address is shown for a network that cannot be read, because a payment would not be seen. */
async function openDestination(request: PaymentRequest, parts: Opening) {
  const { network, readers, asset } = parts.find(request)
  const quote = await parts.quote(request, request.currency)
  await startRound({ network, readers }, { checkpoints: [], references: new Map(), log: parts.log })
  const path = await parts.nextPath(request.checkout_id)
  const address = parts.derive(path)
  const units = unitsFor(request.amount_cents, quote)
  return {
    asset: asset.symbol,
    network: network.name,
    reference: address,
    pay_address: address,
    pay_amount: units,
    payment_uri: paymentUri({ ...network, ...asset, address, units }),
    quote,
    path: `${path.branch}/${path.index}`,
  }
}

type Observing = { rates: Rates; log: Round['log'] }

/** Rejects if no network can be read at all. */
async function observeAll(
  open: readonly OpenNetwork[],
  input: ObserveInput,
  { rates, log }: Observing,
): Promise<Observation> {
  const cursor = readCursor(input.cursor)
  const rounds = await Promise.allSettled(
    open.map((one) => observeNetwork(one, input, { cursor, log })),
  )
  const payments: ObservedPayment[] = []
  const unavailable: string[] = []
  for (const [at, { network, readers }] of open.entries()) {
    const round = rounds[at]
    if (round?.status === 'fulfilled') {
      payments.push(...round.value.payments)
      cursor[network.chain_id] = round.value.checkpoints
    } else {
      if (!(round?.reason instanceof GatewayUnavailable)) throw round?.reason
      log.error({ network: network.name, alarm: 'rpc_unavailable' }, round.reason.message)
      const used = readers.find(({ health }) => health.read().state === 'up')
      used?.health.note('sent contradictory responses')
      unavailable.push(network.name)
    }
  }
  if (unavailable.length === open.length)
    throw new GatewayUnavailable(`no network can be read: ${unavailable.join(', ')}`)
  const withheld = await withheldOf(open, payments, rates)
  return { payments, unavailable, withheld, cursor: JSON.stringify(cursor) }
}

type NetworkObserving = { cursor: Cursor; log: Round['log'] }

/**
 * Every address is looked at on every network, so that a payment on another network than agreed is
 * found as well.
 */
async function observeNetwork(
  one: OpenNetwork,
  { destinations, known }: ObserveInput,
  { cursor, log }: NetworkObserving,
): Promise<{ payments: ObservedPayment[]; checkpoints: Checkpoints }> {
  const { network } = one
  const mine = known.filter((payment) => payment.network === network.name)
  const references = new Map<Address, string>(
    [
      ...destinations,
      ...mine.map((payment) => ({ ...payment, pay_address: payment.reference })),
    ].map(({ pay_address, reference }) => [lowerAddress(pay_address), reference]),
  )
  const checkpoints = cursor[network.chain_id] ?? []
  const round = await startRound(one, { checkpoints, references, log })
  const found = new Map([
    ...(await tokenPayments(round, reportedTo(destinations))),
    ...(await nativePayments(round, nativeAddresses(round, { destinations, known: mine }))),
    ...(await firstNativePayments(round, unpaidAddresses(destinations))),
  ])
  const absent = mine.filter(({ id }) => !found.has(id))
  const steps = nativeSteps(network.chain_id, found.keys())
  const look = (payment: Known) => knownPayments(round, payment, steps)
  for (const some of batches(absent, network))
    for (const payment of (await Promise.all(some.map(look))).flat()) found.set(payment.id, payment)
  return { payments: [...found.values()], checkpoints: await nextCheckpoints(round) }
}

/** A text that is not the hash of a transaction is on no network. */
function reportedTo(destinations: ObserveInput['destinations']): Hash[] {
  const reported = destinations.flatMap((one) => one.reported ?? [])
  return reported.flatMap((text) => {
    const [, digits] = /^0x([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? []
    return digits === undefined ? [] : [`0x${digits}` as const]
  })
}

/** The addresses of checkouts in the native coin alone, since each costs its own reading. */
function nativeAddresses(
  { network }: Round,
  { destinations, known }: Pick<ObserveInput, 'destinations' | 'known'>,
): Address[] {
  const native = network.assets.find(({ contract }) => contract === null)
  const paid = known.map((payment) => ({ ...payment, pay_address: payment.reference }))
  const addresses = [...destinations, ...paid]
    .filter((one) => one.network === network.name && one.asset === native?.symbol)
    .map(({ pay_address }) => lowerAddress(pay_address))
  return [...new Set(addresses)]
}

/** The addresses of the destinations that are looked at thoroughly, on each network. */
function unpaidAddresses(destinations: ObserveInput['destinations']): Address[] {
  const unpaid = destinations.filter(({ thorough }) => thorough === true)
  return unpaid.map(({ pay_address }) => lowerAddress(pay_address))
}

type Known = ObserveInput['known'][number]

async function knownPayments(
  round: Round,
  payment: Known,
  found: ReturnType<typeof nativeSteps>,
): Promise<ObservedPayment[]> {
  const key = parsePaymentId(round.network.chain_id, payment.id)
  if (key === undefined) return []
  if (key.kind !== 'native') return knownTokenPayment(round, payment, key)
  const one = await knownNativePayment(round, payment, { key, found })
  return one ? [one] : []
}

async function nextCheckpoints(round: Round): Promise<Checkpoints> {
  const { reader, network, kept } = round
  const number = nextCursorBlock(round, network)
  if (number === null) return kept
  return withCheckpoint(kept, await reader.block(number), network)
}

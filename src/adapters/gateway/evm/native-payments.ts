// Payments in the native coin, found by the difference of an address's balance: a payout of a
// contract has no event, and no transaction that is addressed to us. The balance of an address that
// has never sent anything only grows, so each block in which it grew is one payment, the same for
// every observer.
import { GatewayUnavailable, type ObservedPayment, type ObserveInput } from '../port.ts'
import type { Block, ChainReader } from './chain-reader.ts'
import { shownGone } from './gone-payments.ts'
import type { Address, EvmAsset } from './networks.ts'
import { assetKey, blocksOf, confirmationsOf, type Round, stateOf } from './observation-round.ts'
import { nativePaymentId, type PaymentKey, parsePaymentId } from './payment-ids.ts'

type Known = ObserveInput['known'][number]
type NativeKey = Extract<PaymentKey, { kind: 'native' }>
/** The block in which the balance grew. */
type Step = { address: Address; block: bigint; before: bigint; after: bigint }
type Bounds = { low: bigint; high: bigint; before: bigint; after: bigint }

/** The payments of the round's blocks, by id. */
export async function nativePayments(
  round: Round,
  addresses: readonly Address[],
): Promise<Map<string, ObservedPayment>> {
  return round.to < round.from ? new Map() : paymentsWithin(round, await grown(round, addresses))
}

/**
 * Everything that these addresses have ever received, by id. A checkout in a token is only read now
 * and then, so the payment may have arrived before the round's blocks.
 */
export async function firstNativePayments(
  round: Round,
  addresses: readonly Address[],
): Promise<Map<string, ObservedPayment>> {
  const { reader, network, head } = round
  const balances = await balancesAt(reader, addresses, head)
  const paid = addresses.filter((address) => balances.get(address) !== 0n)
  const funded = await neverSpent(round, paid)
  const low = head > BigInt(network.max_blocks) ? head - BigInt(network.max_blocks) : -1n
  const earlier = await balancesAt(reader, funded, low)
  // Before the blocks that the endpoint certainly has, nothing is known, so the new addresses are
  // found among the funded ones.
  const fresh = funded.filter((address) => earlier.get(address) === 0n)
  const bounds = fresh.map((address) => ({
    address,
    low,
    high: head,
    before: 0n,
    after: balances.get(address) ?? 0n,
  }))
  return paymentsWithin(round, bounds)
}

type Grown = Bounds & { address: Address }

async function paymentsWithin(
  round: Round,
  all: readonly Grown[],
): Promise<Map<string, ObservedPayment>> {
  const asset = round.network.assets.find(({ contract }) => contract === null)
  const payments = new Map<string, ObservedPayment>()
  if (!asset) return payments
  const steps: Step[] = []
  for (const { address, ...bounds } of all)
    steps.push(...(await stepsBetween(round.reader, address, bounds)))
  const blocks = await blocksOf(
    round,
    steps.map(({ block }) => block),
  )
  for (const step of steps) {
    const within = blocks.get(step.block)
    if (within === undefined) throw new Error(`block ${step.block} was not read`)
    const payment = await paymentOf(round, asset, { ...step, within })
    payments.set(payment.id, payment)
  }
  return payments
}

/** The addresses whose balance differs between the two ends of the round's blocks. */
async function grown(round: Round, addresses: readonly Address[]): Promise<Grown[]> {
  const { reader, from, to } = round
  const after = await balancesAt(reader, addresses, to)
  const funded = await neverSpent(
    round,
    [...after.keys()].filter((one) => after.get(one) !== 0n),
  )
  const before = await balancesAt(reader, funded, from - 1n)
  return funded
    .map((address) => ({
      address,
      low: from - 1n,
      high: to,
      before: before.get(address) ?? 0n,
      after: after.get(address) ?? 0n,
    }))
    .filter((one) => one.before !== one.after)
}

/** Before the first block every balance is counted as 0. */
async function balancesAt(reader: ChainReader, addresses: readonly Address[], block: bigint) {
  const balances = block < 0n ? [] : await reader.balances(addresses, block)
  return new Map(addresses.map((address, at) => [address, balances[at] ?? 0n]))
}

/** Once its owner has moved coins away, a balance no longer shows what arrived. */
async function neverSpent(round: Round, addresses: readonly Address[]): Promise<Address[]> {
  const nonces = await round.reader.nonces(addresses, round.to)
  const spent = addresses.filter((_, at) => nonces[at] !== 0)
  if (spent.length > 0)
    round.log.warn(
      { network: round.network.name, addresses: spent, alarm: 'deposit_address_spent' },
      'native coins at these addresses are no longer credited: they have sent transactions',
    )
  return addresses.filter((_, at) => nonces[at] === 0)
}

/**
 * Bisection: a balance that only grows is the same at both ends if nothing arrived between them.
 */
async function stepsBetween(
  reader: ChainReader,
  address: Address,
  { low, high, before, after }: Bounds,
): Promise<Step[]> {
  if (before === after) return []
  if (before > after)
    throw new GatewayUnavailable(
      `${reader.name}: the balance of ${address} fell without an outgoing transaction`,
    )
  if (high - low === 1n) return [{ address, block: high, before, after }]
  const middle = (low + high) / 2n
  const [balance = 0n] = middle < 0n ? [] : await reader.balances([address], middle)
  const lower = { low, high: middle, before, after: balance }
  const upper = { low: middle, high, before: balance, after }
  return [
    ...(await stepsBetween(reader, address, lower)),
    ...(await stepsBetween(reader, address, upper)),
  ]
}

async function paymentOf(
  round: Round,
  asset: EvmAsset,
  step: Step & { within: Block },
): Promise<ObservedPayment> {
  const { network, reader, references } = round
  const { address, block, before, after, within } = step
  const confirmations = confirmationsOf(round, block)
  const units = after - before
  const deep = { asset, units, confirmations }
  return {
    ...assetKey(network, asset),
    id: nativePaymentId(network.chain_id, step),
    reference: references.get(address) ?? address,
    transaction_id: (await reader.directPayment(block, address, units)) ?? within.hash,
    amount: units,
    state: await stateOf(round, deep, async (other) => {
      const head = await other.head()
      if (confirmationsOf({ head }, block) < network.confirmations) return false
      const earlier = await balancesAt(other, [address], block - 1n)
      const later = await balancesAt(other, [address], block)
      return earlier.get(address) === before && later.get(address) === after
    }),
    confirmations,
    value: null,
    at: within.at,
    block: { number: block, hash: within.hash },
  }
}

/**
 * A known payment that is not in the round's blocks: it arrived before them, or is gone. `found`
 * are the payments of the round's blocks. It is undefined if nothing is certain.
 */
export async function knownNativePayment(
  round: Round,
  known: Known,
  { key, found }: { key: NativeKey; found: ReadonlySteps },
): Promise<ObservedPayment | undefined> {
  const { reader, head, from, to } = round
  // If it was stored without its block, the changed balance is the only evidence.
  const gone = (by: Known) => shownGone(round, by, (one) => agreesOnBalance(round, one, key))
  if (found.get(key.address)?.some((other) => overlap(other, key))) {
    const is_credited = known.is_credited && known.block !== null
    const orphaned = await gone({ ...known, is_credited })
    if (orphaned) return orphaned
    // Both would count the same coins, so neither is reported before it is certain.
    throw new GatewayUnavailable(
      `${reader.name}: no other endpoint confirms the balance of ${key.address}`,
    )
  }
  const low = from > 0n ? from - 1n : 0n
  if (await hasReceived(reader, key, low)) return settledPayment(round, known, { key, low })
  // It may be in a later block, either behind a fork or on the way to the head.
  if (to < head && (await hasReceived(reader, key, head))) return undefined
  const [nonce] = await reader.nonces([key.address], head)
  return nonce === 0 ? gone(known) : undefined
}

/** Whether the endpoint shows the same balance as the round's own one. */
async function agreesOnBalance(round: Round, other: ChainReader, key: NativeKey): Promise<boolean> {
  return other === round.reader || haveSameBalance([round.reader, other], key, round.head)
}

/** The payments of the round's blocks, by address. */
type ReadonlySteps = ReadonlyMap<Address, readonly NativeKey[]>

export function nativeSteps(chain_id: number, ids: Iterable<string>): ReadonlySteps {
  const keys = [...ids].map((id) => parsePaymentId(chain_id, id))
  const steps = new Map<Address, NativeKey[]>()
  for (const key of keys)
    if (key?.kind === 'native') steps.set(key.address, [...(steps.get(key.address) ?? []), key])
  return steps
}

/** After a reorganization, one payment may have replaced others within the same balance. */
function overlap(one: NativeKey, other: NativeKey): boolean {
  return one.before < other.after && other.before < one.after
}

async function hasReceived(reader: ChainReader, key: NativeKey, block: bigint): Promise<boolean> {
  const [balance = 0n] = await reader.balances([key.address], block)
  return balance >= key.after
}

async function haveSameBalance(readers: ChainReader[], { address }: NativeKey, block: bigint) {
  const balances = await Promise.all(readers.map((one) => one.balances([address], block)))
  return new Set(balances.flat()).size === 1
}

/**
 * Its confirmations are those of the block before the round's blocks, because it has at least as
 * many.
 */
async function settledPayment(
  round: Round,
  known: Known,
  { key, low }: { key: NativeKey; low: bigint },
): Promise<ObservedPayment | undefined> {
  const asset = round.network.assets.find(({ contract }) => contract === null)
  if (!asset) return undefined
  const confirmations = confirmationsOf(round, low)
  const deep = { asset, units: known.amount, confirmations }
  const state = await stateOf(round, deep, (other) => hasReceived(other, key, low))
  const { is_credited: _credited, ...facts } = known
  return { ...facts, state, confirmations, value: null }
}

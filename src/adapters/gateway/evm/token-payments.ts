// Payments in tokens: transfers of the configured contracts to our addresses. Logs name the
// transactions, but the receipt of each is what counts, because an answer of logs may lack one and
// endpoints number them differently. A token with the same symbol has another contract.
import { GatewayUnavailable, type ObservedPayment, type ObserveInput } from '../port.ts'
import type { Block, ChainReader, Hash, Transfer, TransferFilter } from './chain-reader.ts'
import { shownGone } from './gone-payments.ts'
import type { Address } from './networks.ts'
import {
  assetKey,
  batches,
  blocksOf,
  confirmationsOf,
  type Round,
  stateOf,
  whereReadable,
} from './observation-round.ts'
import { type PaymentKey, tokenPaymentId } from './payment-ids.ts'
import { AnswerTooLarge } from './rpc-client.ts'

type Known = ObserveInput['known'][number]
type TokenKey = Extract<PaymentKey, { kind: 'token' | 'log' }>
type Positioned = Transfer & { ordinal: number }
type Payments = Map<string, ObservedPayment>

/** The transfers of the round's blocks, and of transactions that were reported, by id. */
export async function tokenPayments(round: Round, reported: readonly Hash[]): Promise<Payments> {
  const logged = new Map((await transfersIn(round)).map((log) => [log.transaction_id, log]))
  const transfers: Positioned[] = []
  const ids = [...new Set([...logged.keys(), ...reported])]
  for (const some of batches(ids, round.network)) {
    const found = await Promise.all(some.map((id) => readable(round, id, logged.get(id))))
    transfers.push(...found.flat())
  }
  const ours = transfers.filter(
    ({ to, units, contract }) =>
      units > 0n && round.references.has(to) && contractsOf(round).includes(contract),
  )
  const blocks = await blocksOf(
    round,
    ours.map(({ block }) => block),
  )
  const payments: Payments = new Map()
  for (const transfer of ours) {
    const block = blocks.get(transfer.block)
    if (block?.hash !== transfer.block_hash)
      throw new GatewayUnavailable(`${round.reader.name}: the chain changed while it was read`)
    const payment = await paymentOf(round, transfer, block)
    if (payment) payments.set(payment.id, payment)
  }
  return payments
}

/** Transfers of value 0 do not count, because anybody can send them in anybody's name. */
async function transfersIn(round: Round): Promise<Transfer[]> {
  const { network, reader, from, to, references } = round
  const contracts = contractsOf(round)
  if (contracts.length === 0 || to < from) return []
  const transfers: Transfer[] = []
  for (const addresses of batches([...references.keys()], network))
    transfers.push(
      ...(await readRange(reader, { contracts, to: addresses, from_block: from, to_block: to })),
    )
  return transfers.filter(({ units }) => units > 0n)
}

/**
 * Reads in halves if there are too many, so that many small transfers cannot stop the observation.
 */
export async function readRange(reader: ChainReader, filter: TransferFilter): Promise<Transfer[]> {
  try {
    return await reader.transfers(filter)
  } catch (error) {
    const { from_block, to_block } = filter
    if (!(error instanceof AnswerTooLarge) || from_block === to_block) throw error
    const middle = (from_block + to_block) / 2n
    const lower = await readRange(reader, { ...filter, to_block: middle })
    return [...lower, ...(await readRange(reader, { ...filter, from_block: middle + 1n }))]
  }
}

function contractsOf({ network }: Round): Address[] {
  return network.assets.flatMap(({ contract }) => (contract === null ? [] : [contract]))
}

/**
 * The transfers of a transaction, from the endpoint's receipt or else from that of the other
 * endpoint. There are none if neither has a receipt; the payment is then found by the balance of
 * its address.
 */
async function readable(
  round: Round,
  transaction_id: Hash,
  log: Transfer | undefined,
): Promise<Positioned[]> {
  const { reader, second, network } = round
  const fits = (found: readonly Transfer[] | null | undefined): found is readonly Transfer[] =>
    found != null && (log === undefined || found.some((one) => one.block_hash === log.block_hash))
  const own = await reader.transfersOf(transaction_id)
  if (fits(own)) return positioned(own)
  if (own !== null)
    throw new GatewayUnavailable(`${reader.name}: the chain changed while it was read`)
  const other = second && (await whereReadable(() => second.transfersOf(transaction_id)))
  if (fits(other)) return positioned(other)
  if (log)
    round.log.error(
      { network: network.name, transaction_id, alarm: 'payment_unreadable' },
      'an endpoint shows a log, and no receipt of its transaction',
    )
  return []
}

/** Sorts by the order of execution, which every endpoint shows. */
function positioned(transfers: readonly Transfer[]): Positioned[] {
  const counts = new Map<string, number>()
  return transfers.map((transfer) => {
    const key = `${transfer.contract} ${transfer.to}`
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    return { ...transfer, ordinal }
  })
}

async function paymentOf(
  round: Round,
  transfer: Positioned,
  block: Block,
): Promise<ObservedPayment | undefined> {
  const { network, references } = round
  const asset = network.assets.find(({ contract }) => contract === transfer.contract)
  const reference = references.get(transfer.to)
  if (!asset || reference === undefined) return undefined
  const confirmations = confirmationsOf(round, transfer.block)
  const deep = { asset, units: transfer.units, confirmations }
  return {
    ...assetKey(network, asset),
    id: tokenPaymentId(network.chain_id, transfer),
    reference,
    transaction_id: transfer.transaction_id,
    amount: transfer.units,
    state: await stateOf(round, deep, (other) => isShown(other, transfer, round)),
    confirmations,
    value: null,
    at: block.at,
    block: { number: block.number, hash: block.hash },
  }
}

async function isShown(reader: ChainReader, transfer: Positioned, { network }: Round) {
  const [there, head] = await Promise.all([
    reader.transfersOf(transfer.transaction_id),
    reader.head(),
  ])
  const same = positioned(there ?? []).some(
    (one) =>
      one.ordinal === transfer.ordinal &&
      one.block_hash === transfer.block_hash &&
      one.contract === transfer.contract &&
      one.to === transfer.to &&
      one.units === transfer.units,
  )
  return same && confirmationsOf({ head }, transfer.block) >= network.confirmations
}

/**
 * A known payment that is not in the round's blocks, found by the receipt of its transaction. An
 * empty list means that nothing is certain. There can be several if it was stored by the number of
 * a log: then all that resemble it.
 */
export async function knownTokenPayment(
  round: Round,
  known: Known,
  key: TokenKey,
): Promise<ObservedPayment[]> {
  const { reader } = round
  const there = await transfersLike(reader, known, { round, key })
  if (there.length === 0) {
    const isAbsent = async (one: ChainReader) =>
      (await transfersLike(one, known, { round, key })).length === 0
    const gone = await shownGone(round, known, isAbsent)
    return gone ? [gone] : []
  }
  const payments: ObservedPayment[] = []
  for (const one of there) {
    const payment = await paymentOf(round, one, await reader.block(one.block))
    if (payment) payments.push(payment)
  }
  return payments
}

/**
 * Their contract may no longer be configured, because a payment is not undone when it is no longer
 * accepted.
 */
async function transfersLike(
  reader: ChainReader,
  { reference, asset, amount }: Known,
  { round, key }: { round: Round; key: TokenKey },
): Promise<Positioned[]> {
  const all = positioned((await reader.transfersOf(key.transaction_id)) ?? [])
  const paid = all.filter(({ to, units }) => units > 0n && round.references.get(to) === reference)
  if (key.kind === 'token')
    return paid.filter(
      (one) =>
        one.contract === key.contract &&
        one.to === key.to &&
        one.ordinal === key.ordinal &&
        one.units === amount,
    )
  const { contract } = round.network.assets.find(({ symbol }) => symbol === asset) ?? {}
  const like = paid.filter((one) => one.contract === contract)
  return like.some(({ units }) => units === amount) ? like : []
}

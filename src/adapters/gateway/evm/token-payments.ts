// Payments in tokens: Transfer events of the configured contracts to our addresses. A token of the
// same symbol has another contract, so that its events are not asked for.
import { GatewayUnavailable, type ObservedPayment, type ObserveInput } from '../port.ts'
import type { Block, ChainReader, Transfer, TransferFilter } from './chain-reader.ts'
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
type TokenKey = Extract<PaymentKey, { kind: 'token' }>

/** Those of the round's blocks, by id. */
export async function tokenPayments(round: Round): Promise<Map<string, ObservedPayment>> {
  const transfers = await transfersIn(round)
  const blocks = await blocksOf(
    round,
    transfers.map(({ block }) => block),
  )
  const payments = new Map<string, ObservedPayment>()
  for (const transfer of transfers) {
    const block = blocks.get(transfer.block)
    if (block?.hash !== transfer.block_hash)
      throw new GatewayUnavailable(`${round.reader.name}: the chain changed while it was read`)
    const payment = await paymentOf(round, transfer, block)
    if (payment) payments.set(payment.id, payment)
  }
  return payments
}

/** None of value 0, which anybody can send in anybody's name. */
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

/** In halves where it is too much, so that many small transfers cannot stop the observation. */
async function readRange(reader: ChainReader, filter: TransferFilter): Promise<Transfer[]> {
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

async function paymentOf(
  round: Round,
  transfer: Transfer,
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
  }
}

async function isShown(reader: ChainReader, transfer: Transfer, { network }: Round) {
  const [there, head] = await Promise.all([
    reader.transfersOf(transfer.transaction_id),
    reader.head(),
  ])
  const same = there?.some(
    (one) =>
      one.log_index === transfer.log_index &&
      one.block_hash === transfer.block_hash &&
      one.contract === transfer.contract &&
      one.to === transfer.to &&
      one.units === transfer.units,
  )
  return same === true && confirmationsOf({ head }, transfer.block) >= network.confirmations
}

/**
 * A known payment that the round's blocks do not contain, by the receipt of its transaction.
 * Undefined: nothing certain, as the endpoints do not agree that it is gone.
 */
export async function knownTokenPayment(
  round: Round,
  known: Known,
  key: TokenKey,
): Promise<ObservedPayment | undefined> {
  const found = await transferAt(round.reader, known, { round, key })
  if (found) return paymentOf(round, found, await round.reader.block(found.block))
  const { second } = round
  if (second) {
    const other = await whereReadable(() => transferAt(second, known, { round, key }))
    if (other !== null) return undefined
  }
  return { ...known, state: 'orphaned', confirmations: 0, value: null }
}

/**
 * Null: it is not in the endpoint's canonical chain. Also of a contract that is no longer
 * configured: that a payment is not accepted today does not undo it.
 */
async function transferAt(
  reader: ChainReader,
  { reference }: Known,
  { round, key }: { round: Round; key: TokenKey },
): Promise<Transfer | null> {
  const transfers = await reader.transfersOf(key.transaction_id)
  const at = transfers?.find(({ log_index }) => log_index === key.log_index)
  return at && round.references.get(at.to) === reference ? at : null
}

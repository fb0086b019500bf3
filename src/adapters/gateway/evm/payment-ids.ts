// Identifiers of payments on a chain: they are the same for every observer, and never shared by two
// payments.
import type { Hash } from './chain-reader.ts'
import { type Address, lowerAddress } from './networks.ts'

/** A transfer of a transaction, or a step of an address's native balance. */
export type PaymentKey =
  | ({ kind: 'token' } & TokenPosition)
  /** The former form, with a number that endpoints give differently. */
  | { kind: 'log'; transaction_id: Hash; log_index: number }
  | { kind: 'native'; address: Address; before: bigint; after: bigint }

type TokenPosition = {
  transaction_id: Hash
  contract: Address
  to: Address
  /** Its index among the transfers of this contract to this address in the transaction, from 0. */
  ordinal: number
}

/**
 * The id does not contain the number of a log, because some endpoints count logs in the block and
 * some in the transaction.
 */
export function tokenPaymentId(
  chain_id: number,
  { transaction_id, contract, to, ordinal }: TokenPosition,
): string {
  return `eip155:${chain_id}/${transaction_id}/${contract}/${to}/${ordinal}`
}

/**
 * Made of the totals that the address had received before and after it: amounts of an address never
 * overlap, whichever blocks an observer compares.
 */
export function nativePaymentId(
  chain_id: number,
  step: {
    address: Address
    before: bigint
    after: bigint
  },
): string {
  return `eip155:${chain_id}/native/${step.address}/${step.before}-${step.after}`
}

const hash = '(0x[0-9a-f]{64})'
const address = '(0x[0-9a-f]{40})'
const tokenForm = new RegExp(`^${hash}/${address}/${address}/([0-9]{1,9})$`)
const logForm = new RegExp(`^${hash}/([0-9]{1,9})$`)
const nativeForm = new RegExp(`^native/${address}/([0-9]+)-([0-9]+)$`)

/** It is undefined for an id of another chain or of another gateway. */
export function parsePaymentId(chain_id: number, id: string): PaymentKey | undefined {
  const prefix = `eip155:${chain_id}/`
  if (!id.startsWith(prefix)) return undefined
  const rest = id.slice(prefix.length)
  const [, transaction = '', contract = '', to = '', ordinal] = tokenForm.exec(rest) ?? []
  if (ordinal !== undefined)
    return {
      kind: 'token',
      transaction_id: hashOf(transaction),
      contract: lowerAddress(contract),
      to: lowerAddress(to),
      ordinal: Number(ordinal),
    }
  const [, of = '', log_index] = logForm.exec(rest) ?? []
  if (log_index !== undefined)
    return { kind: 'log', transaction_id: hashOf(of), log_index: Number(log_index) }
  const [, owner = '', before = '', after] = nativeForm.exec(rest) ?? []
  if (after === undefined) return undefined
  return {
    kind: 'native',
    address: lowerAddress(owner),
    before: BigInt(before),
    after: BigInt(after),
  }
}

function hashOf(text: string): Hash {
  return `0x${text.slice(2)}`
}

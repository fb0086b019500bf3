// Identifiers of payments on a chain: the same for every observer, and never of two payments.
import type { Hash } from './chain-reader.ts'
import { type Address, lowerAddress } from './networks.ts'

/** An event of a transaction, or a step of an address's native balance. */
export type PaymentKey =
  | { kind: 'token'; transaction_id: Hash; log_index: number }
  | { kind: 'native'; address: Address; before: bigint; after: bigint }

export function tokenPaymentId(
  chain_id: number,
  { transaction_id, log_index }: { transaction_id: Hash; log_index: number },
): string {
  return `eip155:${chain_id}/${transaction_id}/${log_index}`
}

/**
 * By all that the address has received before and after it: amounts of an address never overlap,
 * whichever blocks an observer compares.
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

/** Undefined for an id of another chain, or of another gateway. */
export function parsePaymentId(chain_id: number, id: string): PaymentKey | undefined {
  const prefix = `eip155:${chain_id}/`
  if (!id.startsWith(prefix)) return undefined
  const rest = id.slice(prefix.length)
  const token = /^0x([0-9a-f]{64})\/([0-9]{1,9})$/.exec(rest)
  if (token) return { kind: 'token', transaction_id: `0x${token[1]}`, log_index: Number(token[2]) }
  const native = /^native\/(0x[0-9a-f]{40})\/([0-9]+)-([0-9]+)$/.exec(rest)
  if (!native) return undefined
  const [, address = '', before = '', after = ''] = native
  return {
    kind: 'native',
    address: lowerAddress(address),
    before: BigInt(before),
    after: BigInt(after),
  }
}

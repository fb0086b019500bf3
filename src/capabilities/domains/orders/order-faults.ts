// The faults that a paid request of each kind can meet once its price is agreed, as one table:
// operations declare them from it, and orders are answered from it, so that none is undeclared.
import type { FaultType } from '../../../kit/fault.ts'
import { approvalDeclined, tooManyApprovals } from '../../approvals/index.ts'
import {
  approvalRequired,
  buyerEnded,
  currencyNotAllowed,
  domainNotAllowed,
  priceAboveLimit,
  spendLimitExceeded,
} from '../../limits/index.ts'
import * as faults from '../faults.ts'
import type { OrderType } from './order.ts'
import type { PlacementResult } from './order-batcher.ts'
import { quoteFaults } from './quotes/quote-faults.ts'

/** The faults with which an order ends; a code that is not listed is the registry's refusal. */
const ends: Record<OrderType, readonly FaultType[]> = {
  register: [faults.domainTaken, faults.priceChanged],
  renew: [faults.priceChanged, faults.expiryChanged],
  transfer: [
    faults.authCodeWrong,
    faults.transferRefused,
    faults.transferRejected,
    faults.transferCancelled,
    faults.priceChanged,
  ],
  restore: [faults.priceChanged],
}

/** Why an order is not placed, besides balance, limits, approvals and deleted contacts. */
type Obstacle = Exclude<
  PlacementResult['outcome'],
  'placed' | 'insufficient_funds' | 'limit' | 'contact_deleted' | 'unapproved' | 'unquoted'
>
const acquiring = { open_order: faults.domainTaken, known_key: faults.keyInUse }
const extending = {
  fence_mismatch: faults.expiryChanged,
  open_order: faults.orderOpen,
  known_key: faults.keyInUse,
}
const notPlaced: Record<OrderType, Record<Obstacle, FaultType>> = {
  register: { ...acquiring, fence_mismatch: faults.domainTaken },
  transfer: { ...acquiring, fence_mismatch: faults.heldHere },
  renew: extending,
  restore: extending,
}

/** The faults for an operation's `fails`, each once. */
export function orderFaults(type: OrderType): readonly FaultType[] {
  return [
    ...new Set([
      ...ends[type],
      ...Object.values(notPlaced[type]),
      faults.insufficientFunds,
      ...[buyerEnded, domainNotAllowed],
      ...[currencyNotAllowed, priceAboveLimit, spendLimitExceeded],
      ...[approvalRequired, approvalDeclined, tooManyApprovals],
      ...quoteFaults,
      faults.orderOpen,
      faults.keyInUse,
      faults.registryRefused,
      faults.registryUnreachable,
    ]),
  ]
}

/** The fault of an order of this kind that ended with a code. */
export function endFault(type: OrderType, code: string | null): FaultType {
  return ends[type].find((fault) => fault.code === code) ?? faults.registryRefused
}

export function notPlacedFault(type: OrderType, outcome: Obstacle): FaultType {
  return notPlaced[type][outcome]
}

/** The code of an order whose release waits because an earlier attempt may still be applied. */
export const releaseDeferred = 'release_deferred'

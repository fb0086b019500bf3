// Evidence about a parked order: whether the registry shows all that was bought, and whether that
// is billed or about to be. Both answers are generous, because an operator may know another
// explanation. Pure.

import type { RegistryDomain, RegistryTransfer } from '../../../adapters/registry/port.ts'
import { addYears } from '../../../kit/clock.ts'
import { compile, wordOf } from '../../../kit/schema.ts'
import { type Order, orderTypes, renewCommand } from '../orders/order.ts'
import { isOfThisOrder } from '../orders/reconcile/reconcile.ts'

export type Evidence = {
  /** The domain, with any sponsor, or null if the registry does not show it to us. */
  found: RegistryDomain | null
  /** The last transfer of the domain, for a transfer order. */
  transfer: RegistryTransfer | null
  /** Our name at the registry. */
  us: string
  /** Whether a customer of ours holds the name. */
  held: boolean
}

type Ordered = Pick<Order, 'type' | 'command' | 'first_sent_at'>

const readRenewal = compile(renewCommand)
const dayMs = 86_400_000

/** Whether the domain is ours with all that the order bought; only such an order is settled. */
export function isAsBought(order: Ordered, evidence: Evidence): boolean {
  const { found, us } = evidence
  if (found?.sponsor !== us) return false
  const { epp_statuses, rgp_statuses } = found
  const isLeaving =
    epp_statuses.includes('pendingDelete') || rgp_statuses.includes('redemptionPeriod')
  switch (wordOf(orderTypes, order.type)) {
    case 'register':
      return isOfThisOrder(found.created_at, order) && !epp_statuses.includes('pendingCreate')
    case 'transfer':
      return isMoved(order, found) || isApproved(evidence)
    case 'restore':
      return !isLeaving && !rgp_statuses.includes('pendingRestore')
    case 'renew': {
      const { registry_expiry, send_years } = readRenewal.parse(order.command)
      const wanted = addYears(new Date(registry_expiry), send_years).getTime()
      const isThere = Date.parse(found.expires_at) > wanted - dayMs
      return !isLeaving && !epp_statuses.includes('pendingRenew') && isThere
    }
  }
}

/**
 * Whether the registry has done or accepted (1001) the order, so that a release would give it away.
 * A name that is ours and that no customer holds can only come from an order of ours, because the
 * clocks of two parties may differ by more than we think.
 */
export function isBilled(order: Ordered, evidence: Evidence): boolean {
  const { found, us, held } = evidence
  if (isAsBought(order, evidence)) return true
  const ours = found?.sponsor === us ? found : null
  const has = (status: string) =>
    ours !== null && [...ours.epp_statuses, ...ours.rgp_statuses].includes(status)
  switch (wordOf(orderTypes, order.type)) {
    case 'register':
      return has('pendingCreate') || (ours !== null && !held)
    case 'transfer':
      return isApproved(evidence) || (ours !== null && !held)
    case 'restore':
      return has('pendingRestore')
    case 'renew':
      return has('pendingRenew')
  }
}

function isMoved(order: Ordered, { transferred_at }: RegistryDomain): boolean {
  return transferred_at !== null && isOfThisOrder(transferred_at, order)
}

/** Whether the last transfer of the domain was requested by us and is done. */
function isApproved({ transfer, us }: Evidence): boolean {
  if (transfer?.requested_by !== us) return false
  return transfer.status === 'clientApproved' || transfer.status === 'serverApproved'
}

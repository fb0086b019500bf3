// Reconciliation of a restore with the registry state. Pure.
import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import {
  decideAbsent,
  decideByRead,
  heldElsewhere,
  type ReadDecision,
  type ReadReason,
  type ReconciledOrder,
  release,
} from './reconcile.ts'

/**
 * The state is the fence: a domain that is not in redemption cannot be restored again, and while
 * this order is open no other order of ours tries.
 */
export function reconcileRestore(
  read: Outcome<RegistryDomain>,
  order: ReconciledOrder,
  why: ReadReason,
): ReadDecision | { do: 'report' } {
  return decideByRead(read, why, {
    found: (domain) => reconcileFound(domain, order, why),
    not_ours: () => heldElsewhere,
    absent: () => decideAbsent(why),
  })
}

function reconcileFound(
  found: RegistryDomain,
  order: ReconciledOrder,
  why: ReadReason,
): ReadDecision | { do: 'report' } {
  const { sponsor, rgp_statuses: rgp, epp_statuses: epp, expires_at, created_at } = found
  if (sponsor !== order.sponsor) return heldElsewhere
  // It is paid already, and without its report it would be undone (RFC 3915 section 2).
  if (rgp.includes('pendingRestore')) return { do: 'report' }
  if (rgp.includes('redemptionPeriod')) return notRestored(why)
  if (rgp.includes('pendingDelete') || epp.includes('pendingDelete')) {
    // A request that was paid and never reported also ends here (RFC 3915 section 2).
    if (why.after === 'silence')
      return { do: 'park', detail: 'The registry is deleting it; the request may have been paid.' }
    const message = 'It is too late: the registry is deleting the domain.'
    return release(why.after === 'refusal' ? why.refused : { reason: 'status', message })
  }
  return { do: 'capture', purchased: { expires_at, created_at } }
}

function notRestored(why: ReadReason): ReadDecision {
  switch (why.after) {
    case 'refusal':
      return release(why.refused)
    case 'acceptance':
      return release({ reason: 'policy', message: 'The registry declined the restore.' })
    case 'silence':
      return { do: 'send' }
  }
}

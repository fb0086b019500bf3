// Reconciliation of a renewal with the registry state. Pure.
import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import { addYears, dayOf } from '../../../../kit/clock.ts'
import { sameDay } from '../../registry-dates.ts'
import type { RenewOrder } from '../order.ts'
import {
  decideAbsent,
  decideByRead,
  heldElsewhere,
  type ReadDecision,
  type ReadReason,
  type ReconciledOrder,
  release,
  waiting,
} from './reconcile.ts'

/**
 * `now` is the registries' time, which decides whether the registry may have auto-renewed.
 * `shows_pending` is whether an accepted renewal shows as pendingRenew until it is decided (RFC
 * 5731).
 */
type ReconciledRenewal = ReconciledOrder & {
  command: RenewOrder
  now: Date
  shows_pending: boolean
}

/**
 * The fence is the expiry that the order began with. The registry has what was bought when its
 * expiry is the fence plus the years sent: then either our command did it, or the registry
 * auto-renewed; each adds one year and bills it once, and after one of them the other is refused.
 * So the money is captured once for a year that the registrar pays once. An operator decides only
 * if the year may have been added twice, or cannot be explained.
 */
export function reconcileRenewal(
  read: Outcome<RegistryDomain>,
  order: ReconciledRenewal,
  why: ReadReason,
): ReadDecision {
  return decideByRead(read, why, {
    found: (domain) => reconcileFound(domain, order, why),
    not_ours: () => heldElsewhere,
    absent: () => decideAbsent(why),
  })
}

function reconcileFound(
  found: RegistryDomain,
  order: ReconciledRenewal,
  why: ReadReason,
): ReadDecision {
  const { command } = order
  if (found.sponsor !== order.sponsor) return heldElsewhere
  if (found.expiry_computed && command.send_years > 0) return withoutExpiry(why)
  const fence = new Date(command.registry_expiry)
  const expiry = new Date(found.expires_at)
  const purchased = { expires_at: found.expires_at, created_at: found.created_at }
  const unmoved = dayOf(expiry) === dayOf(fence)
  if (command.send_years === 0)
    return unmoved && !leaving(found) ? { do: 'capture', purchased } : park(shows(found, fence))
  if (unmoved) return reconcileUnmoved(found, order, why)
  if (sameDay(expiry, addYears(fence, command.send_years)) && explained(found, order))
    return { do: 'capture', purchased }
  return park(shows(found, fence))
}

/**
 * The registry shows no expiry, so only its answers say whether an attempt was done. The fence is
 * still compared there, so after silence the same may be sent again.
 */
function withoutExpiry(why: ReadReason): ReadDecision {
  if (why.after === 'silence') return { do: 'send' }
  return park('The registry shows no expiry, so a renewal of it cannot be read back.')
}

/** Decides if no year was added. */
function reconcileUnmoved(
  found: RegistryDomain,
  order: ReconciledRenewal,
  why: ReadReason,
): ReadDecision {
  const undecided = why.after === 'acceptance' && !order.shows_pending
  if (found.epp_statuses.includes('pendingRenew') || undecided)
    return waiting('accepted', 'pending_renew', 'The registry has not decided yet.')
  switch (why.after) {
    case 'refusal':
      // An earlier attempt may have moved the expiry, and this reading may be out of date.
      if (why.refused.reason === 'expiry_mismatch')
        return park('The fence was refused as not the expiry, and is read as the expiry.')
      return release(why.refused)
    case 'acceptance':
      return release({ reason: 'policy', message: 'The registry declined the renewal.' })
    case 'silence':
      return { do: 'send' }
  }
}

/**
 * One year may also be the registry's own renewal, which is impossible before the fence's day. If
 * the registry shows grace periods, either is fine (see above). If it shows none and the day has
 * come, both may have happened one after the other.
 */
function explained(found: RegistryDomain, { command, now }: ReconciledRenewal): boolean {
  if (command.send_years !== 1) return true
  if (now.getTime() < Date.parse(command.registry_expiry)) return true
  return found.rgp_statuses.some((status) => /^(auto)?renewPeriod$/i.test(status))
}

function leaving({ epp_statuses, rgp_statuses }: RegistryDomain): boolean {
  return epp_statuses.includes('pendingDelete') || rgp_statuses.includes('redemptionPeriod')
}

function shows({ expires_at, rgp_statuses }: RegistryDomain, fence: Date): string {
  const graces = rgp_statuses.length > 0 ? ` (${rgp_statuses.join(', ')})` : ''
  return `It expires ${expires_at}${graces}, from ${dayOf(fence)}: this order does not explain it.`
}

function park(detail: string): ReadDecision {
  return { do: 'park', detail }
}

// What the registry shows of a restore, judged. Pure.
import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import {
  decideAbsent,
  type Judged,
  type ReadVerdict,
  readRefused,
  release,
  unread,
  type Why,
} from './reconcile.ts'

/**
 * The state is the fence: a domain that is not in redemption cannot be restored again, and while
 * this order is open nobody else of ours tries.
 */
export function judgeRestore(
  read: Outcome<RegistryDomain>,
  order: Judged,
  why: Why,
): ReadVerdict | { do: 'report' } {
  switch (read.kind) {
    case 'done':
      return judgeFound(read.value, order, why)
    case 'refused':
      if (read.reason === 'absent') return decideAbsent(why)
      if (read.reason === 'not_ours')
        return { do: 'park', detail: 'Another registrar holds the domain now.' }
      return readRefused(read.message, why)
    case 'accepted':
    case 'unknown':
      return unread(read, why)
  }
}

function judgeFound(
  found: RegistryDomain,
  order: Judged,
  why: Why,
): ReadVerdict | { do: 'report' } {
  const { sponsor, rgp_statuses: rgp, epp_statuses: epp, expires_at, created_at } = found
  if (sponsor !== order.sponsor)
    return { do: 'park', detail: 'Another registrar holds the domain now.' }
  // Paid for by now; without its report it would fall back (RFC 3915 section 2).
  if (rgp.includes('pendingRestore')) return { do: 'report' }
  if (rgp.includes('redemptionPeriod')) return notRestored(why)
  if (rgp.includes('pendingDelete') || epp.includes('pendingDelete')) {
    // A request that was paid and never reported ends here, too (RFC 3915 section 2).
    if (why.after === 'silence')
      return { do: 'park', detail: 'The registry is deleting it; the request may have been paid.' }
    const message = 'It is too late: the registry is deleting the domain.'
    return release(why.after === 'refusal' ? why.refused : { reason: 'status', message })
  }
  return { do: 'capture', bought: { expires_at, created_at } }
}

function notRestored(why: Why): ReadVerdict {
  switch (why.after) {
    case 'refusal':
      return release(why.refused)
    case 'acceptance':
      return release({ reason: 'policy', message: 'The registry declined the restore.' })
    case 'silence':
      return { do: 'send' }
  }
}

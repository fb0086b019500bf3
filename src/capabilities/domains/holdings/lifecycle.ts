// Lifecycle of a domain: its status and its finer state by its stored facts at a moment, and the
// time of the next reading from its registry. Pure.
import type { Status } from '../schemas.ts'

export type LifecycleFacts = {
  /** The time until which the customer has paid. */
  expiry: Date
  registry_expiry: Date
  epp_statuses: readonly string[]
  rgp_statuses: readonly string[]
}

/** The status of a holding that has not ended, by the registry's facts, then by the date. */
export function lifecycleStatus(facts: LifecycleFacts, now: Date): Status {
  const { epp_statuses: epp, rgp_statuses: rgp } = facts
  if (rgp.includes('redemptionPeriod') || rgp.includes('pendingRestore')) return 'redemption'
  if (rgp.includes('pendingDelete') || epp.includes('pendingDelete')) return 'pending_delete'
  if (epp.includes('pendingTransfer')) return 'transfer_pending'
  return facts.expiry.getTime() <= now.getTime() ? 'expired' : 'active'
}

/**
 * The states of a name for its customer: while it is only ordered, while it is held, and once that
 * has ended. They are finer than the status, because states of one status may allow different
 * actions.
 */
export const domainStatesBy = {
  ordered: ['pending', 'transfer_in'],
  held: [
    'active',
    'expired',
    'deleting',
    'redemption',
    'restoring',
    'pending_delete',
    'transfer_out',
  ],
  ended: ['transferred_away', 'failed'],
} as const
export type Phase = keyof typeof domainStatesBy
export type DomainState = (typeof domainStatesBy)[Phase][number]
export const domainStates: readonly DomainState[] = [
  ...domainStatesBy.ordered,
  ...domainStatesBy.held,
  ...domainStatesBy.ended,
]

/** The state of a holding that has not ended, at `now` (the registries' time). */
export function domainStateOf(
  holding: LifecycleFacts & { deletion_at: Date | null },
  now: Date,
): DomainState {
  const status = lifecycleStatus(holding, now)
  if (status === 'transfer_pending') return 'transfer_out'
  if (status === 'redemption')
    return holding.rgp_statuses.includes('pendingRestore') ? 'restoring' : 'redemption'
  if (status === 'pending_delete' || holding.deletion_at === null) return status
  return 'deleting'
}

/** The state of a name that has an order and no holding (yet). */
export function domainStateOfOrder(order: {
  type: string
  state: string
  closed_at: Date | null
}): DomainState {
  if (order.closed_at) return 'failed'
  return order.type === 'transfer' && order.state === 'accepted' ? 'transfer_in' : 'pending'
}

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const near_ms = 3 * day_ms

/**
 * When the registry is read next out of turn: hourly near an expiry and while anything but "active"
 * is shown, and soon after the moment at which a registry auto-renews. Null if the daily reading,
 * at the holding's own time of day, is enough. `spread`, from 0 to 1, takes up to a tenth off, so
 * that holdings of one hour do not all come due in one minute forever.
 */
export function nextSync(
  facts: LifecycleFacts,
  { now, spread }: { now: Date; spread: number },
): Date | null {
  const at = now.getTime()
  const dates = [facts.expiry.getTime(), facts.registry_expiry.getTime()]
  const near = dates.some((date) => Math.abs(date - at) < near_ms)
  const isStable = lifecycleStatus(facts, now) === 'active' && !near
  if (isStable) return null
  const next = at + hour_ms * (1 - 0.1 * spread)
  const soonAfter = dates.map((date) => date + 60_000).filter((date) => date > at)
  return new Date(Math.min(next, ...soonAfter))
}

// Where a name stands with its customer: finer than the one flat status, since two situations of
// one status may allow different things.
import { type LifeFacts, lifeStatus } from './lifecycle.ts'

/** Those with nothing but an open order, those of a holding, and those that are over. */
export const situationsBy = {
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
export type Phase = keyof typeof situationsBy
export type Situation = (typeof situationsBy)[Phase][number]
export const situations: readonly Situation[] = [
  ...situationsBy.ordered,
  ...situationsBy.held,
  ...situationsBy.ended,
]

/** Of a holding that has not ended, at `now` (the registries' time). */
export function situationOf(
  holding: LifeFacts & { deletion_at: Date | null },
  now: Date,
): Situation {
  const status = lifeStatus(holding, now)
  if (status === 'transfer_pending') return 'transfer_out'
  if (status === 'redemption')
    return holding.rgp_statuses.includes('pendingRestore') ? 'restoring' : 'redemption'
  if (status === 'pending_delete' || holding.deletion_at === null) return status
  return 'deleting'
}

/** Of a name that has an order and no holding (yet). */
export function situationOfOrder(order: {
  type: string
  state: string
  closed_at: Date | null
}): Situation {
  if (order.closed_at) return 'failed'
  return order.type === 'transfer' && order.state === 'accepted' ? 'transfer_in' : 'pending'
}

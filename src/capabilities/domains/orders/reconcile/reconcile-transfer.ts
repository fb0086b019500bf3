// Reconciliation of a transfer in with the registry state. Pure.
import type {
  Outcome,
  RegistryDomain,
  RegistryTransfer,
} from '../../../../adapters/registry/port.ts'
import {
  decideByRead,
  isOfThisOrder,
  type ReadDecision,
  type ReadReason,
  type ReconciledOrder,
  release,
  unread,
  waiting,
} from './reconcile.ts'

/**
 * Decides by the registry's record of the transfer; `read_domain` if only the domain can show it.
 */
export function reconcileTransfer(
  query: Outcome<RegistryTransfer>,
  order: ReconciledOrder,
  why: ReadReason,
): ReadDecision | { do: 'read_domain' } {
  switch (query.kind) {
    case 'done':
      return reconcileFound(query.value, order, why)
    case 'refused':
      return { do: 'read_domain' }
    case 'accepted':
    case 'unknown':
      return unread(query, why)
  }
}

function reconcileFound(
  transfer: RegistryTransfer,
  order: ReconciledOrder,
  why: ReadReason,
): ReadDecision | { do: 'read_domain' } {
  const ours = transfer.requested_by === order.sponsor
  if (!ours || !isOfThisOrder(transfer.requested_at, order)) {
    // The record is another registrar's, or of another time, so the domain shows this order's
    // effect.
    if (transfer.status !== 'pending' || why.after !== 'refusal') return { do: 'read_domain' }
    // Two clocks may differ by more than we think, and this transfer would bring the domain here.
    const detail = 'A transfer of ours is pending, but older than this order.'
    return ours ? { do: 'park', detail } : release(why.refused)
  }
  switch (transfer.status) {
    case 'pending':
      return waiting('accepted', 'transfer_pending', 'The other registrar has not answered yet.')
    case 'clientApproved':
    case 'serverApproved':
      return { do: 'read_domain' }
    case 'clientRejected':
      return ended('transfer_rejected', 'The other registrar rejected the transfer.', why)
    case 'serverCancelled':
      return ended('transfer_rejected', 'The registry canceled the transfer.', why)
    case 'clientCancelled':
      return ended('transfer_cancelled', 'The transfer was canceled.', why)
  }
}

/**
 * The record may be the end of an earlier order of the same minutes. While it is not known that
 * this order has reached the registry, it is not the end of this one.
 */
function ended(
  code: 'transfer_rejected' | 'transfer_cancelled',
  detail: string,
  why: ReadReason,
): ReadDecision {
  return why.after === 'silence' ? { do: 'send' } : { do: 'release', code, detail }
}

/** Whether the registry's own record shows the transfer of this order as approved. */
export function isApproved(
  { requested_by, requested_at, status }: RegistryTransfer,
  order: ReconciledOrder,
): boolean {
  const approved = status === 'clientApproved' || status === 'serverApproved'
  return approved && requested_by === order.sponsor && isOfThisOrder(requested_at, order)
}

/**
 * Decides by the domain if the transfer's record does not. trDate is optional (RFC 5731 section
 * 3.1.2): if none is shown, `record` decides since when the domain is ours.
 */
export function reconcileMoved(
  read: Outcome<RegistryDomain>,
  order: ReconciledOrder,
  { why, record }: { why: ReadReason; record: RegistryTransfer | undefined },
): ReadDecision {
  return decideByRead(read, why, {
    found({ sponsor, transferred_at, expires_at, created_at }): ReadDecision {
      if (sponsor !== order.sponsor) return notMoved(why)
      const isNew =
        transferred_at === null
          ? record !== undefined && isApproved(record, order)
          : isOfThisOrder(transferred_at, order)
      if (isNew) return { do: 'capture', purchased: { expires_at, created_at } }
      return { do: 'park', detail: 'The domain is ours, but not since this order.' }
    },
    not_ours: () => notMoved(why),
    absent: () => notThere(why),
  })
}

/** A single "does not exist" does not end an order that the registry has accepted. */
function notThere(why: ReadReason): ReadDecision {
  return why.after === 'refusal' && why.refused.reason === 'absent'
    ? release(why.refused)
    : notMoved(why)
}

function notMoved(why: ReadReason): ReadDecision {
  switch (why.after) {
    case 'refusal':
      // With 2300 without a transfer, or 2106 without the domain, one of them is about to change.
      return why.refused.reason === 'pending_transfer'
        ? waiting('unknown', 'contradiction', why.refused.message)
        : release(why.refused)
    case 'acceptance':
      return waiting('accepted', 'transfer_unseen', 'The registry shows no end of it yet.')
    case 'silence':
      return { do: 'send' }
  }
}

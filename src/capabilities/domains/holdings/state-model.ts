// The state model of names and of paid operations in words: the meaning of each state, its next
// actions, and its transitions. Answers take their next_actions from here, and GET /v1/state-model
// returns it.
import type { operationStates, Status } from '../schemas.ts'
import type { DomainState } from './lifecycle.ts'
import type { DomainAction } from './state-rules.ts'

type Advice = {
  type: string
  hint: string
  operation: DomainAction | 'check_domain_availability' | 'scan_dns_zone'
  /** The condition under which it is advised in this state. */
  when?: string
}
/** `to` is null if no customer here holds it any more, so that get_domain answers 404. */
type Transition = { to: DomainState | null; by: string; operation?: DomainAction }
type State = {
  status: Status
  /** How an answer distinguishes it from another state of the same status. */
  shown_by?: string
  meaning: string
  next: readonly Advice[]
  transitions: readonly Transition[]
}

const readBack: Advice = {
  type: 'read_back',
  hint: 'GET /v1/domains/{domain} until operation.state is succeeded or failed.',
  operation: 'get_domain',
}
const watch: Advice = {
  type: 'read_back',
  hint: 'GET /v1/domains/{domain} until its status changes: the registry is working on it.',
  operation: 'get_domain',
}
const renewal: Advice = {
  type: 'renew',
  hint: 'POST /v1/domains/{domain}/renew, with expected_expiry set to "expiry".',
  operation: 'renew_domain',
}
const otherName = {
  type: 'choose_alternative',
  operation: 'check_domain_availability',
} as const

export const states: Readonly<Record<DomainState, State>> = {
  pending: {
    status: 'pending',
    meaning: 'Ordered; the registry has not answered yet. The money is held.',
    next: [readBack],
    transitions: [
      { to: 'active', by: 'The registry registered or transferred it; the money is paid.' },
      { to: 'transfer_in', by: 'The registry accepted the transfer.' },
      { to: 'failed', by: 'The registry refused it; the money is released.' },
    ],
  },
  transfer_in: {
    status: 'transfer_pending',
    shown_by: '"transfer" is null: it is a transfer in.',
    meaning: 'The registrar that holds it has up to five days to answer. The money is held.',
    next: [
      readBack,
      {
        type: 'cancel_transfer',
        hint: 'POST /v1/domains/{domain}/transfer/cancel ends it unpaid.',
        operation: 'cancel_transfer',
      },
      {
        type: 'scan_dns_zone',
        hint:
          'POST /v1/domains/{domain}/records/scan finds its present DNS records, so that they ' +
          'are here before its name servers change.',
        operation: 'scan_dns_zone',
      },
    ],
    transitions: [
      {
        to: 'active',
        by: 'The other registrar approved it, or did not answer; the money is paid.',
      },
      { to: 'failed', by: 'The other registrar rejected it; the money is released.' },
      { to: 'failed', by: 'It is canceled.', operation: 'cancel_transfer' },
    ],
  },
  active: {
    status: 'active',
    meaning: 'Held and paid for until "expiry".',
    next: [{ ...renewal, when: 'Within 60 days of "expiry".' }],
    transitions: [
      {
        to: 'active',
        by: 'Years are added, automatically with auto_renew.',
        operation: 'renew_domain',
      },
      { to: 'expired', by: '"expiry" passes without a renewal.' },
      { to: 'transfer_out', by: 'Another registrar requests it with its code.' },
    ],
  },
  expired: {
    status: 'expired',
    meaning: 'Not renewed. The registry still has it; after 35 days it is deleted.',
    next: [{ ...renewal, hint: `${renewal.hint} Without it, the domain will be deleted.` }],
    transitions: [
      { to: 'active', by: 'It is renewed.', operation: 'renew_domain' },
      { to: 'deleting', by: 'It is not renewed for 35 days.' },
      { to: 'transfer_out', by: 'Another registrar requests it with its code.' },
    ],
  },
  deleting: {
    status: 'expired',
    shown_by: 'next_actions has no renew.',
    meaning: 'Not renewed for 35 days: the service is deleting it at the registry.',
    next: [watch],
    transitions: [
      { to: 'redemption', by: 'The registry deleted it.' },
      { to: null, by: 'The registry deleted it without a redemption.' },
    ],
  },
  redemption: {
    status: 'redemption',
    meaning: 'Deleted, and out of the DNS. It can be restored, usually for 30 days.',
    next: [
      {
        type: 'restore',
        hint: 'POST /v1/domains/{domain}/restore restores it at the price of a restore.',
        operation: 'restore_domain',
      },
    ],
    transitions: [
      { to: 'active', by: 'It is restored, with a year.', operation: 'restore_domain' },
      { to: 'restoring', by: 'The registry needs time for it.', operation: 'restore_domain' },
      { to: 'pending_delete', by: 'It is not restored in time.' },
    ],
  },
  restoring: {
    status: 'redemption',
    shown_by: '"rgp_statuses" has pendingRestore.',
    meaning: 'A restore was requested, and the registry is working on it.',
    next: [readBack],
    transitions: [
      { to: 'active', by: 'It is restored; the money is paid.' },
      { to: 'redemption', by: 'The registry refused it; the money is released.' },
    ],
  },
  pending_delete: {
    status: 'pending_delete',
    meaning: 'It can no longer be kept. In a few days anyone can register it.',
    next: [{ ...otherName, hint: 'It can no longer be kept; it becomes available in a few days.' }],
    transitions: [{ to: null, by: 'The registry drops it.' }],
  },
  transfer_out: {
    status: 'transfer_pending',
    shown_by: '"transfer.direction" is "out".',
    meaning: 'Another registrar requests it. Unanswered, it moves at "transfer.acts_at".',
    next: [
      {
        type: 'approve_transfer',
        hint: 'POST /v1/domains/{domain}/transfer/approve moves it to the other registrar.',
        operation: 'approve_transfer',
      },
      {
        type: 'reject_transfer',
        hint: 'POST /v1/domains/{domain}/transfer/reject keeps it; unanswered, it moves in 5 days.',
        operation: 'reject_transfer',
      },
    ],
    transitions: [
      { to: 'transferred_away', by: 'The transfer is approved.', operation: 'approve_transfer' },
      {
        to: 'active',
        by: 'The transfer is rejected (expired, if it is not renewed).',
        operation: 'reject_transfer',
      },
      { to: 'transferred_away', by: 'Five days pass without an answer.' },
      { to: 'active', by: 'The other registrar cancels its request.' },
    ],
  },
  transferred_away: {
    status: 'transferred_away',
    meaning: 'Another registrar has it; this is its last state here.',
    next: [
      {
        type: 'choose_alternative',
        hint: 'POST /v1/domains/transfer transfers it back.',
        operation: 'transfer_domain',
      },
    ],
    transitions: [
      { to: 'transfer_in', by: 'It is requested with its code.', operation: 'transfer_domain' },
    ],
  },
  failed: {
    status: 'failed',
    meaning: 'The order was finally refused. Nothing was charged.',
    next: [{ ...otherName, hint: 'Nothing was charged; check other names.' }],
    transitions: [
      {
        to: 'pending',
        by: 'It is ordered again, if it is available.',
        operation: 'register_domain',
      },
      { to: 'pending', by: 'Its transfer is ordered again.', operation: 'transfer_domain' },
    ],
  },
}

type OperationStateName = (typeof operationStates)[number]
type OperationState = {
  meaning: string
  money: 'held' | 'paid' | 'given_back'
  final: boolean
  next: readonly Advice[]
}

export const operationStateWords: Readonly<Record<OperationStateName, OperationState>> = {
  pending: {
    meaning: 'In progress. Other paid requests for the name are refused with order_open.',
    money: 'held',
    final: false,
    next: [readBack],
  },
  unknown: {
    meaning:
      'The registry did not answer. It is asked until the result is known; do not pay again ' +
      'until then.',
    money: 'held',
    final: false,
    next: [readBack],
  },
  succeeded: {
    meaning: 'The registry shows the purchase.',
    money: 'paid',
    final: true,
    next: [],
  },
  failed: {
    meaning: 'Finally refused; "error" says why.',
    money: 'given_back',
    final: true,
    next: [{ ...otherName, hint: 'Follow "error", or choose another name.' }],
  },
}

export const orderStates = [
  'pending',
  'accepted',
  'unknown',
  'parked',
  'succeeded',
  'failed',
] as const

/** How the state of an order is shown; a parked or unanswered order is still being settled. */
export const shownState = {
  pending: 'pending',
  accepted: 'pending',
  unknown: 'unknown',
  parked: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
} as const satisfies Record<(typeof orderStates)[number], OperationStateName>

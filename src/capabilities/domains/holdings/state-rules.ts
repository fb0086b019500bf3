// Table of the actions that each state of a domain allows. Operations take their refusals from
// here, and GET /v1/state-model returns it.
import type { FaultType } from '../../../kit/fault.ts'
import {
  authCodeWrong,
  dnsNotHosted,
  domainAlreadyHeld,
  domainNotFound,
  domainPending,
  domainTaken,
  heldHere,
  noTransferPending,
  notChangeable,
  notInRedemption,
  notRenewable,
  notTransferable,
  orderOpen,
} from '../faults.ts'
import { type DomainState, domainStates, domainStatesBy, type Phase } from './lifecycle.ts'

/** The actions on a name, each of which is a tool and the action in the audit log. */
export const domainActions = [
  'get_domain',
  'register_domain',
  'transfer_domain',
  'renew_domain',
  'restore_domain',
  'cancel_transfer',
  'set_auto_renew',
  'lock_domain',
  'unlock_domain',
  'get_transfer_auth_code',
  'regenerate_transfer_auth_code',
  'approve_transfer',
  'reject_transfer',
  'update_nameservers',
  'configure_dns_record',
  'list_dns_records',
] as const
export type DomainAction = (typeof domainActions)[number]

/**
 * `possible` are the states that allow the action. In others the fault of their phase is the
 * answer.
 */
type Rule = {
  possible: readonly DomainState[]
  /**
   * The faults that may still refuse it, besides those about price, funds and a silent registry.
   */
  unless?: readonly FaultType[]
  /** Why an agent needs its owner's consent or limit first; absent if the action is harmless. */
  confirm?: string
} & Record<Phase, FaultType>

const { held, ended } = domainStatesBy
const paid = 'It spends money: stay within the limit of your owner, with max_price.'
const code = 'The code is all that it takes to move the domain away once it is unlocked.'
const aboutHolding = { ordered: domainPending, ended: domainNotFound }
const change = { possible: ['active', 'expired'], held: notChangeable, ...aboutHolding } as const
const answer = {
  possible: ['transfer_out'],
  held: noTransferPending,
  ...aboutHolding,
} as const
const purchase = { possible: ended, held: domainAlreadyHeld, ordered: orderOpen } as const

export const rules: Readonly<Record<DomainAction, Rule>> = {
  get_domain: { possible: domainStates, held: domainNotFound, ...aboutHolding },
  register_domain: { ...purchase, ended: domainTaken, unless: [domainTaken], confirm: paid },
  transfer_domain: {
    ...purchase,
    ended: notTransferable,
    unless: [notTransferable, heldHere, authCodeWrong],
    confirm: paid,
  },
  renew_domain: {
    possible: ['active', 'expired'],
    held: notRenewable,
    ordered: orderOpen,
    ended: domainNotFound,
    confirm: paid,
  },
  restore_domain: {
    possible: ['redemption'],
    held: notInRedemption,
    ordered: orderOpen,
    ended: domainNotFound,
    confirm: paid,
  },
  cancel_transfer: {
    possible: ['transfer_in'],
    ordered: domainPending,
    held: noTransferPending,
    ended: noTransferPending,
  },
  // Only `true` is refused while it is being deleted.
  set_auto_renew: {
    possible: held,
    held: domainNotFound,
    ...aboutHolding,
    unless: [notRenewable],
  },
  lock_domain: change,
  unlock_domain: { ...change, confirm: 'An unlocked domain can be taken away with its code.' },
  get_transfer_auth_code: { ...change, confirm: code },
  regenerate_transfer_auth_code: { ...change, confirm: code },
  approve_transfer: { ...answer, confirm: 'The domain leaves the account permanently.' },
  reject_transfer: answer,
  update_nameservers: change,
  configure_dns_record: {
    possible: held,
    held: domainNotFound,
    ...aboutHolding,
    unless: [dnsNotHosted],
  },
  list_dns_records: { possible: held, held: domainNotFound, ...aboutHolding },
}

/** The fault with which the state refuses the action, or undefined if it is possible. */
export function refusalOf(state: DomainState, action: DomainAction): FaultType | undefined {
  const rule = rules[action]
  if (rule.possible.includes(state)) return undefined
  return rule[phaseOf(state)]
}

/** The phase of a state: only an order, a holding, or neither any more. */
function phaseOf(state: DomainState): Phase {
  const of = (phase: Phase) => domainStatesBy[phase].some((one) => one === state)
  return of('ordered') ? 'ordered' : of('held') ? 'held' : 'ended'
}

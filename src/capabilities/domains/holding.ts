// How a holding or an order looks to its owner: one shape for every domain answer.

import { toUnicode } from 'tr46'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Row } from '../../db/statement.ts'
import { wordOf } from '../../kit/schema.ts'
import { lifeStatus } from './life.ts'
import { type Order, purchaseCommandOf } from './order.ts'
import {
  contactIds,
  type DomainStatus,
  type domainListEntry,
  operationTypes,
  type Status,
  statuses,
  transferOut,
} from './shapes.ts'

export type Holding = Row<'domains_by_name'>
type Operation = NonNullable<DomainStatus['operation']>
const readContacts = Compile(contactIds)
const readTransferOut = Compile(transferOut)

/** A holding with its last order, as the owner reads it at `now` (the registries' time). */
export function statusOfHolding(
  holding: Holding,
  order: Order | undefined,
  now: Date,
): DomainStatus {
  const status = lifeStatus(holding, now)
  return { ...factsOf(holding, order), status, next_actions: nextActionsOf(status, holding) }
}

/** A holding that has ended, as its owner had it last. */
export function lastStatusOf(holding: Holding, order: Order | undefined): DomainStatus {
  const status = wordOf(statuses, holding.status)
  return { ...factsOf(holding, order), status, next_actions: nextActionsOf(status, holding) }
}

function factsOf(
  holding: Holding,
  order: Order | undefined,
): Omit<DomainStatus, 'status' | 'next_actions'> {
  return {
    domain: holding.name,
    domain_unicode: toUnicode(holding.name).domain,
    expiry: holding.expiry.toISOString(),
    nameservers: [...holding.nameservers],
    period_years: holding.period_years,
    registry_expiry: holding.registry_expiry.toISOString(),
    epp_statuses: [...holding.epp_statuses],
    rgp_statuses: [...holding.rgp_statuses],
    locked: holding.locked,
    auto_renew: holding.auto_renew,
    contacts: readContacts.Parse(holding.contacts),
    operation: order ? operationOf(order) : null,
    transfer: transferOf(holding),
  }
}

function transferOf({ transfer_out: wanted }: Holding): DomainStatus['transfer'] {
  return wanted === null ? null : { direction: 'out', ...readTransferOut.Parse(wanted) }
}

/**
 * An order that made no holding (yet): failed when it was refused, else pending; a transfer that
 * the registry took on is transfer_pending for days.
 */
export function statusOfOrder(order: Order): DomainStatus {
  const command = purchaseCommandOf(order)
  const open = order.type === 'transfer' && order.state === 'accepted'
  const status = order.closed_at ? 'failed' : open ? 'transfer_pending' : 'pending'
  return {
    domain: order.domain,
    domain_unicode: toUnicode(order.domain).domain,
    status,
    expiry: null,
    nameservers: command.nameservers ?? [],
    period_years: command.period_years,
    registry_expiry: null,
    epp_statuses: [],
    rgp_statuses: [],
    locked: false,
    auto_renew: false,
    contacts: command.contacts,
    operation: operationOf(order),
    transfer: null,
    next_actions: open ? incomingActions : nextActionsOf(status),
  }
}

/** The same facts as a list shows them: `expires_at` in place of `expiry` (interface 2.7). */
export function listEntryOf(status: DomainStatus): Static<typeof domainListEntry> {
  const { expiry, price: _price, dry_run: _dryRun, ...rest } = status
  return { ...rest, expires_at: expiry }
}

/**
 * The order as the contract's `operation`. A parked or silent order is `unknown`: it is still being
 * settled.
 */
export function operationOf(order: Order): Operation {
  return {
    id: order.id,
    type: wordOf(operationTypes, order.type),
    state: operationState(order.state),
    error: errorOf(order),
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
}

/** That the registry took it on is no error. */
function errorOf({ state, error_code, error_detail }: Order): Operation['error'] {
  if (error_code === null || state === 'accepted') return null
  return { code: error_code, detail: error_detail }
}

export function operationState(state: string): Operation['state'] {
  if (state === 'succeeded' || state === 'failed') return state
  return state === 'pending' || state === 'accepted' ? 'pending' : 'unknown'
}

type NextActions = DomainStatus['next_actions']
const readBack = {
  type: 'read_back',
  hint: 'GET /v1/domains/{domain} until operation.state is succeeded or failed.',
}
const incomingActions: NextActions = [
  readBack,
  { type: 'cancel_transfer', hint: 'POST /v1/domains/{domain}/transfer/cancel ends it unpaid.' },
]
const renewal = {
  type: 'renew',
  hint: 'POST /v1/domains/{domain}/renew, with expected_expiry set to "expiry".',
}
const actions: Record<Status, NextActions> = {
  pending: [readBack],
  active: [],
  expired: [{ ...renewal, hint: `${renewal.hint} Unpaid, it will be deleted.` }],
  redemption: [
    {
      type: 'restore',
      hint: 'POST /v1/domains/{domain}/restore brings it back at the price of a restore.',
    },
  ],
  pending_delete: [
    { type: 'choose_alternative', hint: 'It can no longer be kept; it is free again in days.' },
  ],
  transfer_pending: [
    {
      type: 'approve_transfer',
      hint: 'POST /v1/domains/{domain}/transfer/approve lets it go to the other registrar.',
    },
    {
      type: 'reject_transfer',
      hint: 'POST /v1/domains/{domain}/transfer/reject keeps it; unanswered, it goes in 5 days.',
    },
  ],
  transferred_away: [
    { type: 'choose_alternative', hint: 'POST /v1/domains/transfer would bring it back.' },
  ],
  failed: [{ type: 'choose_alternative', hint: 'Nothing was charged; check other names.' }],
}
const soonMs = 60 * 86_400_000

/** What may be done now with a domain in this status. */
export function nextActionsOf(status: Status, holding?: Holding): NextActions {
  if (status === 'redemption' && holding?.rgp_statuses.includes('pendingRestore')) return [readBack]
  if (status !== 'active' || !holding) return actions[status]
  const near = holding.expiry.getTime() - (holding.synced_at ?? holding.created_at).getTime()
  return near < soonMs ? [renewal] : []
}

// How a holding or an order looks to its owner: one shape for every domain answer.

import { toUnicode } from 'tr46'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Row } from '../../db/statement.ts'
import { wordOf } from '../../kit/schema.ts'
import type { Order } from './order.ts'
import { registerOrderOf } from './order.ts'
import {
  contactIds,
  type DomainStatus,
  type domainListEntry,
  operationTypes,
  statuses,
} from './shapes.ts'

export type Holding = Row<'domains_by_name'>
type Operation = NonNullable<DomainStatus['operation']>
const readContacts = Compile(contactIds)

/** A holding with its last order, as the owner reads it. */
export function statusOfHolding(holding: Holding, order: Order | undefined): DomainStatus {
  const status = wordOf(statuses, holding.status)
  return {
    domain: holding.name,
    domain_unicode: toUnicode(holding.name).domain,
    status,
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
    next_actions: nextActionsOf(status),
  }
}

/** An order that made no holding (yet): pending while it is open, failed when it was refused. */
export function statusOfOrder(order: Order): DomainStatus {
  const command = registerOrderOf(order)
  return {
    domain: order.domain,
    domain_unicode: toUnicode(order.domain).domain,
    status: order.closed_at ? 'failed' : 'pending',
    expiry: null,
    nameservers: command.nameservers,
    period_years: command.period_years,
    registry_expiry: null,
    epp_statuses: [],
    rgp_statuses: [],
    locked: false,
    auto_renew: false,
    contacts: command.contacts,
    operation: operationOf(order),
    next_actions: nextActionsOf(order.closed_at ? 'failed' : 'pending'),
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
    error: order.error_code ? { code: order.error_code, detail: order.error_detail } : null,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
}

export function operationState(state: string): Operation['state'] {
  if (state === 'succeeded' || state === 'failed') return state
  return state === 'pending' || state === 'accepted' ? 'pending' : 'unknown'
}

type NextActions = DomainStatus['next_actions']
const pendingActions: NextActions = [
  {
    type: 'read_back',
    hint: 'GET /v1/domains/{domain} until operation.state is succeeded or failed.',
  },
]
const failedActions: NextActions = [
  { type: 'choose_alternative', hint: 'Nothing was charged; check other names.' },
]

export function nextActionsOf(status: DomainStatus['status']): NextActions {
  if (status === 'pending') return pendingActions
  return status === 'failed' ? failedActions : []
}

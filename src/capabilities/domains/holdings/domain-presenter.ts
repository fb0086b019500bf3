// How a holding or an order looks to its owner: one shape for every domain answer.

import { toUnicode } from 'tr46'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Row } from '../../../db/statement.ts'
import { wordOf } from '../../../kit/schema.ts'
import { type Order, purchaseCommandOf } from '../orders/order.ts'
import {
  contactIds,
  type DomainStatus,
  type domainListEntry,
  operationTypes,
  statuses,
  transferOut,
} from '../schemas.ts'
import { lifeStatus } from './lifecycle.ts'
import { situationOf, situationOfOrder } from './situation.ts'
import { type NextAction, nextActionsIn, orderStates, shownState, states } from './state-model.ts'

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
  return { ...factsOf(holding, order), status, next_actions: nextActionsOf(holding, now) }
}

/** A holding that went to another registrar, as its owner had it last. */
export function lastStatusOf(holding: Holding, order: Order | undefined): DomainStatus {
  const status = wordOf(statuses, holding.status)
  const next_actions = nextActionsIn('transferred_away', { soon: false })
  return { ...factsOf(holding, order), status, next_actions }
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
    ...pendingNameservers(holding),
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

/** Name servers that were ordered and are not at the registry yet. */
export function pendingNameservers({
  wanted_nameservers,
}: {
  wanted_nameservers: readonly string[] | null
}): Pick<DomainStatus, 'pending_nameservers'> {
  return wanted_nameservers === null ? {} : { pending_nameservers: [...wanted_nameservers] }
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
  const situation = situationOfOrder(order)
  return {
    domain: order.domain,
    domain_unicode: toUnicode(order.domain).domain,
    status: states[situation].status,
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
    next_actions: nextActionsIn(situation, { soon: false }),
  }
}

/** The same facts as a list shows them: `expires_at` in place of `expiry` (interface 2.7). */
export function listEntryOf(status: DomainStatus): Static<typeof domainListEntry> {
  const { expiry, price: _price, dry_run: _dryRun, not_checked: _left, ...rest } = status
  return { ...rest, status: wordOf(statuses, status.status), expires_at: expiry }
}

/** The order as the contract's `operation`. */
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
  return shownState[wordOf(orderStates, state)]
}

const soonMs = 60 * 86_400_000

/** What may be done now with a holding that has not ended. */
function nextActionsOf(holding: Holding, now: Date): NextAction[] {
  const near = holding.expiry.getTime() - (holding.synced_at ?? holding.created_at).getTime()
  return nextActionsIn(situationOf(holding, now), { soon: near < soonMs })
}

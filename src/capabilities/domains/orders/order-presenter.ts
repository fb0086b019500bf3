// Presenter of an order: as the contract's `operation`, as the domain that it is to make, and
// beside its holding.

import Type from 'typebox'
import { compile, nullable, wordOf } from '../../../kit/schema.ts'
import type { PriceBody } from '../../pricing/index.ts'
import {
  type Holding,
  nextActionsIn,
  type Operation,
  pendingNameservers,
  presentDomain,
  statusOfHolding,
} from '../holdings/domain-presenter.ts'
import { domainStateOfOrder } from '../holdings/lifecycle.ts'
import { orderStates, shownState, states } from '../holdings/state-model.ts'
import { contactIds, type DomainStatus, operationTypes } from '../schemas.ts'
import type { Order } from './order.ts'
import type { HoldingFacts } from './order-batcher.ts'

/** A holding with its last order, as the owner reads it at `now` (the registries' time). */
export function statusWithOrder(
  holding: Holding,
  order: Order | undefined,
  now: Date,
): DomainStatus {
  return statusOfHolding(holding, order ? operationOf(order) : null, now)
}

/**
 * The status by an order that has made no holding (yet): failed if it was refused, transfer_pending
 * for a transfer that the registry has accepted (1001), or else pending.
 */
export function statusOfOrder(order: Order): DomainStatus {
  const state = domainStateOfOrder(order)
  return presentDomain(order.domain, {
    status: states[state].status,
    ...orderedFacts(order),
    operation: operationOf(order),
    next_actions: nextActionsIn(state, { soon: false }),
  })
}

/** The status of a registration at its capture, equal to a later read of its rows. */
export function registeredStatus(
  order: Pick<Order, 'id' | 'domain' | 'created_at'> & { command: unknown },
  holding: HoldingFacts,
  { price, now }: { price: PriceBody; now: Date },
): DomainStatus {
  return presentDomain(order.domain, {
    ...orderedFacts(order),
    status: 'active',
    expiry: holding.paid_until,
    registry_expiry: holding.registry_expiry,
    nameservers: holding.nameservers,
    ...pendingNameservers(holding),
    epp_statuses: holding.epp_statuses ?? [],
    rgp_statuses: holding.rgp_statuses ?? [],
    locked: holding.locked,
    operation: {
      id: order.id,
      type: 'register',
      state: 'succeeded',
      error: null,
      created_at: order.created_at.toISOString(),
      updated_at: now.toISOString(),
    },
    next_actions: nextActionsIn('active', { soon: false }),
    price,
  })
}

const purchaseCommand = compile(
  Type.Object({
    period_years: Type.Integer({ minimum: 1, maximum: 10 }),
    nameservers: Type.Optional(nullable(Type.Array(Type.String()))),
    kept: Type.Optional(Type.Object({ nameservers: Type.Array(Type.String()) })),
    contacts: Type.Optional(contactIds),
  }),
)

/** The facts of the future holding in any order's command. */
export function orderedFacts(order: { command: unknown }) {
  const { nameservers, kept, contacts = {}, period_years } = purchaseCommand.parse(order.command)
  return { nameservers: nameservers ?? kept?.nameservers ?? [], contacts, period_years }
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

/** The error of an order; acceptance (1001) is none. */
function errorOf({ state, error_code, error_detail }: Order): Operation['error'] {
  if (error_code === null || state === 'accepted') return null
  return { code: error_code, detail: error_detail }
}

function operationState(state: string): Operation['state'] {
  return shownState[wordOf(orderStates, state)]
}

// Presenter of a domain's status: the one shape in which answers show a holding, an order, or both.

import { toUnicode } from 'tr46'
import Type, { type Static } from 'typebox'
import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { faultWith } from '../../../kit/fault.ts'
import { compile, nullable, wordOf } from '../../../kit/schema.ts'
import type { PriceBody } from '../../pricing/index.ts'
import type { Order } from '../orders/order.ts'
import type { HoldingFacts } from '../orders/order-batcher.ts'
import {
  contactIds,
  type DomainStatus,
  type domainListEntry,
  operationTypes,
  statuses,
  transferOut,
} from '../schemas.ts'
import {
  type DomainState,
  domainStateOf,
  domainStateOfOrder,
  lifecycleStatus,
} from './lifecycle.ts'
import { orderStates, shownState, states } from './state-model.ts'
import { type DomainAction, refusalOf } from './state-rules.ts'

export type Holding = Row<'domains_by_name'>
type Operation = NonNullable<DomainStatus['operation']>
const readContacts = compile(contactIds)
const readTransferOut = compile(transferOut)

/** The required facts of a presentation; the others default to a name without a holding. */
type Presented = Pick<
  DomainStatus,
  'status' | 'nameservers' | 'period_years' | 'contacts' | 'next_actions'
> &
  Partial<DomainStatus>

/** The one place that knows the shape of a domain's status. */
export function presentDomain(domain: string, presented: Presented): DomainStatus {
  const { status, nameservers, period_years, contacts, next_actions, ...known } = presented
  return {
    domain,
    domain_unicode: toUnicode(domain).domain,
    status,
    expiry: null,
    nameservers,
    period_years,
    registry_expiry: null,
    epp_statuses: [],
    rgp_statuses: [],
    locked: false,
    protected: false,
    from_reserve: false,
    auto_renew: false,
    contacts,
    operation: null,
    transfer: null,
    next_actions,
    ...known,
  }
}

/** The next_actions of a state, as answers have them. */
function nextActionsIn(
  state: DomainState,
  { soon }: { soon: boolean },
): DomainStatus['next_actions'] {
  return states[state].next
    .filter(({ when }) => when === undefined || soon)
    .map(({ when: _when, ...advice }) => advice)
}

/** A holding with its last order, as the owner reads it at `now` (the registries' time). */
export function statusOfHolding(
  holding: Holding,
  order: Order | undefined,
  now: Date,
): DomainStatus {
  const near = holding.expiry.getTime() - (holding.synced_at ?? holding.created_at).getTime()
  const next_actions = nextActionsIn(domainStateOf(holding, now), { soon: near < soonMs })
  return presentHolding(holding, order, { status: lifecycleStatus(holding, now), next_actions })
}

const soonMs = 60 * 86_400_000

/** Throws the fault with which its state refuses the order, and its status. */
export function refuseOrderByState(
  app: Pick<App, 'calendar'>,
  holding: Holding,
  action: DomainAction,
) {
  const now = app.calendar.now()
  const refusal = refusalOf(domainStateOf(holding, now), action)
  if (!refusal) return
  throw faultWith(refusal, {
    detail: `Its status is "${lifecycleStatus(holding, now)}".`,
    facts: { holding: statusOfHolding(holding, undefined, now) },
  })
}

/** A holding that went to another registrar, as its owner had it last. */
export function lastStatusOf(holding: Holding, order: Order | undefined): DomainStatus {
  const next_actions = nextActionsIn('transferred_away', { soon: false })
  return presentHolding(holding, order, { status: 'transferred_away', next_actions })
}

function presentHolding(
  holding: Holding,
  order: Order | undefined,
  state: Pick<DomainStatus, 'status' | 'next_actions'>,
): DomainStatus {
  return presentDomain(holding.name, {
    ...state,
    expiry: holding.expiry.toISOString(),
    nameservers: [...holding.nameservers],
    ...pendingNameservers(holding),
    period_years: holding.period_years,
    registry_expiry: holding.registry_expiry.toISOString(),
    epp_statuses: [...holding.epp_statuses],
    rgp_statuses: [...holding.rgp_statuses],
    locked: holding.locked,
    protected: holding.protected,
    from_reserve: holding.from_reserve,
    auto_renew: holding.auto_renew,
    contacts: readContacts.parse(holding.contacts),
    operation: order ? operationOf(order) : null,
    transfer: transferOf(holding),
  })
}

/** Name servers that were ordered and are not at the registry yet. */
function pendingNameservers({
  wanted_nameservers,
}: {
  wanted_nameservers: readonly string[] | null
}): Pick<DomainStatus, 'pending_nameservers'> {
  return wanted_nameservers === null ? {} : { pending_nameservers: [...wanted_nameservers] }
}

function transferOf({ transfer_out: wanted }: Holding): DomainStatus['transfer'] {
  return wanted === null ? null : { direction: 'out', ...readTransferOut.parse(wanted) }
}

/**
 * An order that made no holding (yet): failed when it was refused, else pending; a transfer that
 * the registry has accepted (1001) is transfer_pending for days.
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

/** A registration at its capture, as a later read of its rows shows it. */
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

/** The same facts as a list shows them: `expires_at` in place of `expiry`. */
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

/** Acceptance (1001) is no error. */
function errorOf({ state, error_code, error_detail }: Order): Operation['error'] {
  if (error_code === null || state === 'accepted') return null
  return { code: error_code, detail: error_detail }
}

function operationState(state: string): Operation['state'] {
  return shownState[wordOf(orderStates, state)]
}

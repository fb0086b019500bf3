// Presenter of a domain's status: the one shape in which answers show a holding, and, through
// order-presenter.ts, an order.

import { toUnicode } from 'tr46'
import type { Static } from 'typebox'
import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { faultWith } from '../../../kit/fault.ts'
import type { DomainName } from '../../../kit/random.ts'
import { compile, wordOf } from '../../../kit/schema.ts'
import {
  contactIds,
  type DomainStatus,
  type domainListEntry,
  statuses,
  transferOut,
} from '../schemas.ts'
import { type DomainState, domainStateOf, lifecycleStatus } from './lifecycle.ts'
import { states } from './state-model.ts'
import { type DomainAction, refusalOf } from './state-rules.ts'

export type Holding = Row<'domains_by_name'>
export type Operation = NonNullable<DomainStatus['operation']>
const readContacts = compile(contactIds)
const readTransferOut = compile(transferOut)

/** The required facts of a presentation; the others default to a name without a holding. */
type Presented = Pick<
  DomainStatus,
  'status' | 'nameservers' | 'period_years' | 'contacts' | 'next_actions'
> &
  Partial<DomainStatus>

/** The one place that knows the shape of a domain's status. */
export function presentDomain(domain: DomainName, presented: Presented): DomainStatus {
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
export function nextActionsIn(
  state: DomainState,
  { soon }: { soon: boolean },
): DomainStatus['next_actions'] {
  return states[state].next
    .filter(({ when }) => when === undefined || soon)
    .map(({ when: _when, ...advice }) => advice)
}

/** A holding with its last operation, as the owner reads it at `now` (the registries' time). */
export function statusOfHolding(
  holding: Holding,
  operation: Operation | null,
  now: Date,
): DomainStatus {
  const near = holding.expiry.getTime() - (holding.synced_at ?? holding.created_at).getTime()
  const next_actions = nextActionsIn(domainStateOf(holding, now), { soon: near < soonMs })
  return presentHolding(holding, operation, { status: lifecycleStatus(holding, now), next_actions })
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
    facts: { holding: statusOfHolding(holding, null, now) },
  })
}

/** A holding that went to another registrar, as its owner had it last. */
export function lastStatusOf(holding: Holding, operation: Operation | null): DomainStatus {
  const next_actions = nextActionsIn('transferred_away', { soon: false })
  return presentHolding(holding, operation, { status: 'transferred_away', next_actions })
}

function presentHolding(
  holding: Holding,
  operation: Operation | null,
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
    operation,
    transfer: transferOf(holding),
  })
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
  return wanted === null ? null : { direction: 'out', ...readTransferOut.parse(wanted) }
}

/** The same facts as a list shows them: `expires_at` in place of `expiry`. */
export function listEntryOf(status: DomainStatus): Static<typeof domainListEntry> {
  const { expiry, price: _price, dry_run: _dryRun, not_checked: _left, ...rest } = status
  return { ...rest, status: wordOf(statuses, status.status), expires_at: expiry }
}

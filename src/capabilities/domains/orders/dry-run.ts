// Answer to a dry run: the price, and the checks that only the order itself can make.
import type { Registry } from '../../../adapters/registry/port.ts'
import { refuseOverLimits } from '../../limits/index.ts'
import { priceBody } from '../../pricing/index.ts'
import { presentDomain, statusOfHolding } from '../holdings/domain-presenter.ts'
import type { DomainStatus, uncheckedNames } from '../schemas.ts'
import type {
  Agreement,
  OrderHandler,
  PurchaseContext,
  PurchaseRequest,
} from './handlers/order-handler.ts'
import { refuseInsufficientBalance } from './insufficient-funds.ts'
import { orderedFacts } from './order-presenter.ts'

type Unchecked = (typeof uncheckedNames)[number]
type Planned = { action: OrderHandler['action']; registry: Registry }

const details: Readonly<Record<Unchecked, string>> = {
  contacts: 'Whether the registry takes the contacts: they are sent with the order.',
  nameservers: 'Whether the registry takes the name servers: they are sent with the order.',
  auth_code: 'Whether the authorization code is right: only the order itself shows it.',
  transfer_lock: 'Whether a lock, or the 60 days after a registration, prevents a transfer.',
  registry_acceptance: 'Whether a rule of the registry prevents the order.',
}

function uncheckedOf({ action, registry }: Planned): Unchecked[] {
  const contacts: Unchecked[] = registry.profile.contacts === 'prohibited' ? [] : ['contacts']
  switch (action) {
    case 'register_domain':
      return [...contacts, 'nameservers', 'registry_acceptance']
    case 'transfer_domain':
      return ['auth_code', 'transfer_lock', ...contacts, 'nameservers', 'registry_acceptance']
    case 'renew_domain':
    case 'restore_domain':
      return ['registry_acceptance']
  }
}

const goAhead =
  'Every check that can be made passed ("not_checked" names the others). If "price" is within ' +
  'the limit that your owner gave, send the request again without dry_run, with it as ' +
  'max_price; otherwise ask your owner first.'

/** Throws if the balance or the caller's limits do not cover the price at this moment. */
export async function dryRunStatus<R extends PurchaseRequest, V>(
  { app, call, handler, request }: PurchaseContext<R, V>,
  { quote, registry, holding, command, from_reserve = false }: Agreement,
): Promise<DomainStatus> {
  await refuseOverLimits(call, quote, { now: app.clock.now(), approved: false })
  await refuseInsufficientBalance(call, quote, { from_reserve })
  const { action } = handler
  const planned = { action, registry: registry }
  const status = holding
    ? statusOfHolding(holding, null, app.calendar.now())
    : presentDomain(request.domain, {
        ...orderedFacts({ command }),
        status: 'dry_run',
        next_actions: [],
      })
  return {
    ...status,
    status: 'dry_run',
    price: priceBody(quote),
    dry_run: true,
    not_checked: uncheckedOf(planned).map((check) => ({ check, detail: details[check] })),
    next_actions: [{ type: 'confirm_price', hint: goAhead, operation: action }],
  }
}

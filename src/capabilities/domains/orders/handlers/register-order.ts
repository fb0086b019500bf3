// Handler of registrations: its defaults and price, its prerequisites at the registry (contacts,
// hosts), and the create itself.
import {
  type Outcome,
  type Registry,
  type RegistryDomain,
  refusesAuthInfo,
} from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { compile } from '../../../../kit/schema.ts'
import { type Quote, quoteRegistration, yearsText } from '../../../pricing/index.ts'
import * as faults from '../../faults.ts'
import { heldSince } from '../../holdings/holdings.sql.ts'
import type { ParsedName } from '../../names.ts'
import { isSince } from '../../registry-dates.ts'
import {
  chargedPrice,
  checkForPurchase,
  chooseDefaults,
  type Defaults,
  type RequestedOptions,
  refuseAbove,
  refusePeriod,
  refusePremium,
} from '../agreement.ts'
import { newAttempt, sendAttempt, withFacts } from '../attempt.ts'
import { type RegisterOrder, registerCommand } from '../order.ts'
import { registeredStatus } from '../order-presenter.ts'
import { beginAttempt } from '../orders.sql.ts'
import { datedRead } from '../reconcile/computed-expiry.ts'
import { type Purchased, reconcileRegistration } from '../reconcile/reconcile.ts'
import { registeredTerm, shownFacts, termFacts } from '../reconcile/term-verification.ts'
import type {
  Agreement,
  OrderHandler,
  Priced,
  PurchaseContext,
  PurchaseRequest,
  Sending,
} from './order-handler.ts'
import { putContacts, unmetRequirement } from './requirements.ts'

type RegisterRequest = PurchaseRequest &
  RequestedOptions & { name: ParsedName; allow_premium: boolean }
type Validated = Defaults & { registry: Registry }

const readCommand = compile(registerCommand)

export const registerHandler: OrderHandler<RegisterRequest, Validated> = {
  type: 'register',
  action: 'register_domain',
  participle: 'registered',
  acquires: true,
  resends_for_ms: null,
  title: ({ domain, command }) =>
    `Registration of ${domain}, ${yearsText(readCommand.parse(command).period_years)}`,
  async validate({ app, call, request }) {
    const { name, domain, period_years } = request
    refusePeriod(app, name.tld, period_years)
    const registry = app.registries.byTld.get(name.tld)?.registry
    if (!registry) throw faults.domainNotSupported()
    return {
      registry,
      ...(await chooseDefaults(app, call, { requested: request, domain, registry })),
    }
  },
  agreePrice: agreeRegistration,
  explainConflict: async () => undefined,
  approvedPart(command) {
    const { fee: _fee, ...ordered } = readCommand.parse(command)
    return ordered
  },
  send: sendRegister,
  async reconcile(app, { order, registry, why }) {
    const answer = await registry.read(order.domain, 'purchase')
    const read = datedRead(order, answer, app.calendar.now())
    const found = read.kind === 'done' ? read.value : undefined
    const held = found !== undefined && (await isHeldSince(app, found))
    const decision = reconcileRegistration(
      read,
      { ...order, sponsor: registry.profile.client_id, held },
      why,
    )
    return found ? { decision, found } : { decision }
  },
  term: (order, purchased, circumstances) =>
    registeredTerm(readCommand.parse(order.command), purchased, circumstances),
  holding(order, purchased, { term, found }) {
    const command = readCommand.parse(order.command)
    const { nameservers, period_years, contacts, after_create = [] } = command
    return {
      ...termFacts(term),
      registered_at:
        term.mismatch === null && purchased.created_at !== null
          ? purchased.created_at
          : order.first_sent_at.toISOString(),
      nameservers: found?.nameservers ?? sentNameservers(command),
      period_years,
      ...shownFacts(found),
      contacts,
      sync_at: new Date(order.first_sent_at.getTime() + 3_600_000).toISOString(),
      wanted_nameservers: after_create.length > 0 ? nameservers : null,
    }
  },
  answerAtCapture: registeredStatus,
}

/**
 * The name servers in the create command. Hosts that need the name first are set after it
 * (set-ordered-nameservers.job.ts).
 */
function sentNameservers({ nameservers, after_create = [] }: RegisterOrder): string[] {
  return nameservers.filter((host) => !after_create.includes(host))
}

/**
 * Whether a holding explains the domain at the registry. A holding that is older than the domain
 * has ended, and that was not synced yet.
 */
export async function isHeldSince(
  app: Pick<App, 'db'>,
  { domain, created_at }: RegistryDomain,
): Promise<boolean> {
  const held = await app.db.maybe(heldSince, { name: domain })
  return held !== undefined && isSince(held.registered_at, created_at)
}

/** Asks the registry now. Throws the fault that prevents any registration of the name. */
export async function priceRegistration(
  app: App,
  { name, period_years, currency }: Priced,
): Promise<Quote> {
  refusePeriod(app, name.tld, period_years)
  const checked = await checkForPurchase(app, name, {
    fees: ['create', 'renew'],
    several: { verb: 'create', years: period_years },
  })
  if (!checked.available) throw faults.domainTaken()
  const quoteOf = await quoteRegistration(app, currency)
  const quote = quoteOf({ tld: name.tld, years: period_years, checked })
  if (!quote) throw faults.priceUnavailable()
  return quote
}

async function agreeRegistration(
  context: PurchaseContext<RegisterRequest, Validated>,
  { registry, ...defaults }: Validated,
): Promise<Agreement> {
  const { app, request } = context
  const { period_years, max_price } = request
  const quote = chargedPrice(context, await priceRegistration(app, request))
  refusePremium(quote, request)
  refuseAbove(quote, max_price)
  const command: RegisterOrder = { ...defaults, period_years, fee: quote.fee }
  return { registry, quote, command, contacts: defaults.contacts }
}

async function sendRegister(app: App, sending: Sending): Promise<Outcome<Purchased>> {
  const { order, attempt, registry } = sending
  const command = readCommand.parse(order.command)
  const contacts = await putContacts(app, sending, command.contacts)
  if (contacts.kind !== 'done') return unmetRequirement(contacts, attempt)
  const nameservers = sentNameservers(command)
  const hosts = await registry.ensureHosts(nameservers, 'purchase')
  if (hosts.kind !== 'done') return unmetRequirement(hosts, attempt)
  const { registrant } = contacts.value
  const create = {
    domain: order.domain,
    period_years: command.period_years,
    nameservers,
    ...(command.glue && { glue: command.glue }),
    registrant,
    contacts: contacts.value.contacts,
    fee: command.fee,
  }
  const done = await withAuthInfo<Purchased>(app, sending, (used) =>
    sendAttempt(app, used, (sent) =>
      registry.register({ ...create, auth_info: used.attempt.auth_info }, sent),
    ),
  )
  return withFacts(sending, done)
}

/**
 * Sends a create again, with a new clTRID and authorization information, if the registry refuses
 * that of the attempt. The order knows the new fingerprint before a byte leaves,
 * so that a create whose answer is lost is authenticated by it.
 */
async function withAuthInfo<T>(
  app: App,
  sending: Sending,
  create: (used: Sending) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { order, attempt, registry } = sending
  const outcome = await create(sending)
  if (!registry.sends_auth_info || !refusesAuthInfo(outcome)) return outcome
  const another = newAttempt(order.id, attempt.number, 'alphanumeric')
  if (
    !(await app.db.maybe(beginAttempt, {
      id: order.id,
      lease_token: order.lease_token,
      fingerprint: another.fingerprint,
      answered_codes: [''],
    }))
  )
    return { kind: 'unknown', cause: 'not_sent', message: 'Another sender has the order' }
  order.fingerprints.push(another.fingerprint)
  return create({ ...sending, attempt: another })
}

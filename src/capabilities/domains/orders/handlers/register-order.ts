// Handler of registrations: its defaults and price, its prerequisites at the registry (contacts,
// hosts), and the create itself.
import {
  type Outcome,
  type RegistryDomain,
  refusesAuthInfo,
} from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { compile } from '../../../../kit/schema.ts'
import { type ContactRole, contactForRegistry } from '../../../contacts/index.ts'
import { type Quote, quoteRegistration, yearsText } from '../../../pricing/index.ts'
import * as faults from '../../faults.ts'
import { heldSince } from '../../holdings/holdings.sql.ts'
import type { DomainName } from '../../names.ts'
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
import { newAttempt, sendAttempt } from '../attempt.ts'
import { type Attempt, type RegisterOrder, registerCommand } from '../order.ts'
import { beginAttempt } from '../orders.sql.ts'
import { isSince, type Purchased, reconcileRegistration } from '../reconcile/reconcile.ts'
import { registeredTerm, shownFacts, termFacts } from '../reconcile/term-verification.ts'
import type {
  Agreement,
  OrderHandler,
  PurchaseContext,
  PurchaseRequest,
  Registrar,
  Sending,
} from './order-handler.ts'

type RegisterRequest = PurchaseRequest &
  RequestedOptions & { name: DomainName; allow_premium: boolean }
type Validated = Defaults & { registrar: Registrar }

type Refs = {
  registrant: string | null
  contacts: { type: 'admin' | 'tech' | 'billing'; id: string }[]
}

const readCommand = compile(registerCommand)

export const registerHandler: OrderHandler<RegisterRequest, Validated> = {
  type: 'register',
  action: 'register_domain',
  participle: 'registered',
  acquires: true,
  title: ({ domain, command }) =>
    `Registration of ${domain}, ${yearsText(readCommand.parse(command).period_years)}`,
  async validate({ app, call, request }) {
    const { name, domain, period_years } = request
    refusePeriod(app, name.tld, period_years)
    const registrar = app.registries.byTld.get(name.tld)
    if (!registrar) throw faults.domainNotSupported()
    const { registry } = registrar
    return {
      registrar,
      ...(await chooseDefaults(app, call, { requested: request, domain, registry })),
    }
  },
  agreePrice: agreeRegistration,
  explainConflict: async () => undefined,
  send: sendRegister,
  async reconcile(app, { order, registrar, why }) {
    const { registry } = registrar
    const read = await registry.read(order.domain, 'purchase')
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
}

/**
 * The name servers within the create itself: hosts that need the name first follow it
 * (set-ordered-nameservers.job.ts).
 */
function sentNameservers({ nameservers, after_create = [] }: RegisterOrder): string[] {
  return nameservers.filter((host) => !after_create.includes(host))
}

/**
 * Whether a holding explains what the registry has. An older one than that has ended, and its end
 * was not synced yet.
 */
export async function isHeldSince(
  app: Pick<App, 'db'>,
  { domain, created_at }: RegistryDomain,
): Promise<boolean> {
  const held = await app.db.maybe(heldSince, { name: domain })
  return held !== undefined && isSince(held.registered_at, created_at)
}

export type Priced = Pick<RegisterRequest, 'name' | 'period_years' | 'currency'>

/** Asks the registry now. Throws what stands against any registration of the name. */
export async function priceRegistration(
  app: App,
  { name, period_years, currency }: Priced,
): Promise<Quote> {
  refusePeriod(app, name.tld, period_years)
  const checked = await checkForPurchase(app, name, ['create', 'renew'])
  if (!checked.available) throw faults.domainTaken()
  const quoteOf = await quoteRegistration(app, currency)
  const quote = quoteOf({ tld: name.tld, years: period_years, checked })
  if (!quote) throw faults.priceUnavailable()
  return quote
}

async function agreeRegistration(
  context: PurchaseContext<RegisterRequest, Validated>,
  { registrar, ...defaults }: Validated,
): Promise<Agreement> {
  const { app, request } = context
  const { period_years, max_price } = request
  const quote = chargedPrice(context, await priceRegistration(app, request))
  refusePremium(quote, request)
  refuseAbove(quote, max_price)
  const command: RegisterOrder = { ...defaults, period_years, fee: quote.fee }
  return { registrar, quote, command, contacts: defaults.contacts }
}

async function sendRegister(app: App, sending: Sending): Promise<Outcome<Purchased>> {
  const { order, attempt, registrar } = sending
  const { registry } = registrar
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
 * Sends a create again, with a new clTRID and authorization information, when the
 * registry refuses that of the attempt. The order knows the new fingerprint before a byte leaves,
 * so that a create whose answer is lost is authenticated by it.
 */
async function withAuthInfo<T>(
  app: App,
  sending: Sending,
  create: (used: Sending) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { order, attempt, registrar } = sending
  const outcome = await create(sending)
  if (!registrar.registry.sends_auth_info || !refusesAuthInfo(outcome)) return outcome
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

/**
 * Adds the registry's facts after the command, so that the answer shows what a later read shows. A
 * read that fails leaves the outcome as it was.
 */
export async function withFacts(
  { order, registrar: { registry } }: Sending,
  outcome: Outcome<Purchased>,
): Promise<Outcome<Purchased>> {
  if (outcome.kind !== 'done' || outcome.value.found) return outcome
  const read = await registry.read(order.domain, 'purchase')
  if (read.kind !== 'done' || read.value.sponsor !== registry.profile.client_id) return outcome
  return { ...outcome, value: { ...outcome.value, found: read.value } }
}

const roleTypes = { admin: 'admin', technical: 'tech', billing: 'billing' } as const
const otherRoles = ['admin', 'technical', 'billing'] as const

/** Makes sure that the registry has the contacts, and returns its ids for them. */
export async function putContacts(
  app: App,
  { order, registrar }: Pick<Sending, 'registrar'> & { order: { customer_id: string } },
  chosen: Partial<Record<ContactRole, number>>,
): Promise<Outcome<Refs>> {
  const { registry } = registrar
  const none: Refs = { registrant: null, contacts: [] }
  if (registry.profile.contacts === 'prohibited')
    return { kind: 'done', value: none, sv_trid: null }
  const ids = new Map<number, string>()
  for (const contactId of new Set(Object.values(chosen))) {
    const contact = await contactForRegistry(app.db, {
      contact_id: BigInt(contactId),
      customer_id: order.customer_id,
      registry: registry.profile.name,
    })
    if (contact.synced) {
      ids.set(contactId, contact.contact.id)
      continue
    }
    const put = await registry.putContact(contact.contact, 'purchase')
    if (put.kind !== 'done') return put
    await contact.markSynced()
    ids.set(contactId, put.value.id)
  }
  const registrant = ids.get(chosen.registrant ?? 0) ?? null
  const contacts = otherRoles.flatMap((role) => {
    const id = ids.get(chosen[role] ?? 0)
    return id === undefined ? [] : [{ type: roleTypes[role], id }]
  })
  return { kind: 'done', value: { registrant, contacts }, sv_trid: null }
}

/**
 * A refused requirement ends a first attempt: nothing was created. Later it says nothing about what
 * an earlier attempt did or may still do, so the order waits; so it does while the registry still
 * works on the requirement.
 */
export function unmetRequirement<T>(
  outcome: Exclude<Outcome<T>, { kind: 'done' }>,
  attempt: Attempt,
): Outcome<never> {
  if (outcome.kind === 'unknown') return outcome
  // Its reason is about the contact or the host: "exists" is not said of the domain.
  if (outcome.kind === 'refused' && attempt.number === 1) return { ...outcome, reason: 'policy' }
  const message = outcome.kind === 'refused' ? outcome.message : 'The registry works on a contact.'
  return { kind: 'unknown', cause: 'server_failed', message }
}

// Handler of transfers in: the transfer is requested once, its price is held for days, and captured
// when the registry shows the domain as ours.

import type { Outcome, Registry, RegistryTransfer } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { compile } from '../../../../kit/schema.ts'
import { openQuotes, type Quote, yearsText } from '../../../pricing/index.ts'
import {
  dropRecordsOfOrder,
  keepOrderedRecords,
  type OrderedRecords,
} from '../../dns/ordered-records/ordered-records.ts'
import * as faults from '../../faults.ts'
import { heldByRegistrar } from '../../holdings/holdings.sql.ts'
import type { Nameservers, ParsedName } from '../../names.ts'
import { delegationOf } from '../../updates/transfer-delegation.ts'
import {
  chargedPrice,
  checkForPurchase,
  chooseContacts,
  type Defaults,
  namedNameservers,
  type RequestedOptions,
  refuseAbove,
  refusePeriod,
  refusePremium,
} from '../agreement.ts'
import { sendAttempt } from '../attempt.ts'
import { type TransferOrder, transferCommand, yearsAdded } from '../order.ts'
import { datedRead } from '../reconcile/computed-expiry.ts'
import { type Purchased, type Refused, release } from '../reconcile/reconcile.ts'
import { isApproved, reconcileMoved, reconcileTransfer } from '../reconcile/reconcile-transfer.ts'
import { shownFacts, termFacts, transferredTerm } from '../reconcile/term-verification.ts'
import type {
  Agreement,
  OrderHandler,
  Priced,
  PurchaseContext,
  PurchaseRequest,
  ReadBack,
  Reconciliation,
} from './order-handler.ts'
import { putContacts, unmetRequirement } from './requirements.ts'

type TransferRequest = PurchaseRequest &
  RequestedOptions & {
    name: ParsedName
    auth_code: string
    allow_premium: boolean
    ordered_records: OrderedRecords | undefined
  }
type Validated = Pick<Defaults, 'contacts'> & {
  registry: Registry
  named: Nameservers | undefined
}

const readCommand = compile(transferCommand)

export const transferHandler: OrderHandler<TransferRequest, Validated> = {
  type: 'transfer',
  action: 'transfer_domain',
  participle: 'transferred',
  acquires: true,
  resends_for_ms: null,
  title({ domain, command }) {
    const years = yearsAdded(readCommand.parse(command))
    return `Transfer of ${domain}, ${years === 0 ? 'no year added' : yearsText(years)}`
  },
  async validate({ app, call, request }) {
    const { name, period_years } = request
    if (period_years !== 1) throw faults.periodNotAllowed({ facts: { periods: oneYear } })
    const registry = app.registries.byTld.get(name.tld)?.registry
    if (!registry) throw faults.domainNotSupported()
    const named = namedNameservers(app, { domain: name.name, registry }, request)
    return {
      registry,
      named,
      contacts: await chooseContacts(call, { requested: request }, registry),
    }
  },
  agreePrice: agreeTransfer,
  async prepare({ app, call, request }, order_id) {
    const { ordered_records: records, customer_id } = request
    if (records) await keepOrderedRecords(app, call, { order_id, customer_id, records })
  },
  async drop({ app, request }, order_id) {
    if (request.ordered_records) await dropRecordsOfOrder(app, order_id)
  },
  explainConflict: async () => undefined,
  approvedPart(command) {
    const { fee: _fee, kept: _kept, ...ordered } = readCommand.parse(command)
    return ordered
  },
  async send(app, sending) {
    const { order, registry } = sending
    const command = readCommand.parse(order.command)
    const { fee } = command
    const period_years = command.without_period ? null : yearsAdded(command)
    const auth_info = order.sealed === null ? undefined : app.encryption.unseal(order.sealed)
    if (auth_info === undefined) return lostKey
    // EPP needs no contacts, but a reseller's API needs them in the request itself.
    const contacts = await putContacts(app, sending, command.contacts)
    if (contacts.kind !== 'done') return unmetRequirement(contacts, sending.attempt)
    const delegation = { ...contacts.value, ...delegationIn(command) }
    const sent = await sendAttempt(app, sending, (attempt) =>
      registry.transferRequest(
        { domain: order.domain, auth_info, period_years, fee, ...delegation },
        attempt,
      ),
    )
    return sent.kind === 'done'
      ? movedAlready(app, sending, sent.value)
      : withoutCode(sent, auth_info)
  },
  reconcile: readTransfer,
  term(order, purchased, circumstances) {
    const period_years = yearsAdded(readCommand.parse(order.command))
    return transferredTerm({ period_years }, purchased, circumstances)
  },
  holding(order, purchased, { term, found }) {
    const { nameservers, contacts, period_years } = readCommand.parse(order.command)
    return {
      ...termFacts(term),
      registered_at: purchased.created_at ?? order.first_sent_at.toISOString(),
      nameservers: found?.nameservers ?? [],
      period_years,
      ...shownFacts(found),
      contacts,
      sync_at: order.first_sent_at.toISOString(),
      wanted_nameservers: nameservers,
    }
  },
  answerAtCapture: () => null,
}

/**
 * Name servers for a registry that takes them with the request: the present ones if they were read,
 * or else those of the request.
 */
function delegationIn({ nameservers, glue = {}, kept }: TransferOrder) {
  if (kept) return kept
  return nameservers ? { nameservers, glue } : { nameservers: [], glue: {} }
}

/** The registry's words are kept and logged, and some registries quote the code in them. */
function withoutCode<T>(outcome: Outcome<T>, code: string): Outcome<T> {
  if (!('message' in outcome)) return outcome
  return { ...outcome, message: outcome.message.replaceAll(code, '[code]') }
}

const lostKey: Outcome<never> = {
  kind: 'unknown',
  cause: 'not_sent',
  message: 'Its authorization information was sealed with another ENCRYPTION_KEY',
}

/** The refusal if another order brought the domain a moment before. */
const broughtHere: Refused = { reason: 'status', message: 'Another order brought the domain here.' }

/** For 1000 at once, since some registries move a domain without asking. */
async function movedAlready(
  app: App,
  looking: Omit<ReadBack, 'why'>,
  answered: RegistryTransfer,
): Promise<Outcome<Purchased>> {
  const why = { after: 'acceptance' } as const
  const { decision, found } = await readTransfer(app, { ...looking, why }, answered)
  if (decision.do !== 'capture') return { kind: 'accepted', sv_trid: null }
  const value = found ? { ...decision.purchased, found } : decision.purchased
  return { kind: 'done', value, sv_trid: null }
}

/** `answered` is the record in the answer to the request, if it cannot be queried. */
async function readTransfer(
  app: App,
  { order, registry, why }: ReadBack,
  answered?: RegistryTransfer,
): Promise<Reconciliation> {
  const ordered = { ...order, sponsor: registry.profile.client_id }
  const query = await registry.transferQuery(order.domain, 'purchase')
  const decision = reconcileTransfer(query, ordered, why)
  if (decision.do !== 'read_domain') return { decision }
  const answer = await registry.read(order.domain, 'purchase')
  const read = datedRead(order, answer, app.calendar.now())
  const record = query.kind === 'done' ? query.value : answered
  const seen = reconcileMoved(read, ordered, { why, record })
  if (seen.do === 'capture' && (await app.db.one(heldByRegistrar, { name: order.domain })).held)
    return { decision: release(why.after === 'refusal' ? why.refused : broughtHere) }
  if (seen.do === 'capture' && read.kind === 'done') {
    // This is the expiry that this transfer caused (RFC 5731 section 3.1.3).
    const transfer_expires_at = record && isApproved(record, ordered) ? record.expires_at : null
    const purchased = { ...seen.purchased, transfer_expires_at }
    return { decision: { ...seen, purchased }, found: read.value }
  }
  return read.kind === 'done' ? { decision: seen, found: read.value } : { decision: seen }
}

const oneYear = { min: 1, max: 1 }

/** Asks the registry now. Throws the fault that prevents any transfer of the name here. */
export async function priceTransfer(
  app: App,
  { name, period_years, currency }: Priced,
): Promise<Quote> {
  if (period_years !== 1) throw faults.periodNotAllowed({ facts: { periods: oneYear } })
  const { held } = await app.db.one(heldByRegistrar, { name: name.name })
  if (held) throw faults.heldHere()
  refusePeriod(app, name.tld, period_years)
  const checked = await checkForPurchase(app, name, { fees: ['transfer', 'renew'] })
  if (checked.available) throw faults.notTransferable()
  const quoteOf = await openQuotes(app, currency)
  const quote = quoteOf({ action: 'transfer', tld: name.tld, years: 1, checked })
  if (!quote) throw faults.priceUnavailable()
  return quote
}

async function agreeTransfer(
  context: PurchaseContext<TransferRequest, Validated>,
  { registry, named, contacts }: Validated,
): Promise<Agreement> {
  const { app, request } = context
  const { domain, period_years, max_price, auth_code } = request
  const quote = chargedPrice(context, await priceTransfer(app, request))
  refusePremium(quote, request)
  refuseAbove(quote, max_price)
  const { ordered_records: brought } = request
  const records = brought && {
    records: { digest: brought.digest, sets_total: brought.plan.sets.size },
  }
  const with_records = brought !== undefined
  const delegation = await delegationOf(app, { domain, registry, named, with_records })
  const { years, send_period } = registry.profile.transfer
  const command: TransferOrder = {
    period_years,
    ...(years !== period_years && { years_added: years }),
    ...(!send_period && { without_period: true }),
    ...delegation,
    contacts,
    fee: quote.fee,
    ...records,
  }
  return {
    registry,
    quote,
    command,
    contacts,
    ...(records && { audited: records }),
    sealed: app.encryption.seal(auth_code),
  }
}

// Handler of renewals: sends the years that the registry has not auto-renewed, with the known
// expiry as their fence. No year is paid twice, and a year that it has auto-renewed is paid, not
// sent.

import type { Outcome, Registry, RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { addYears, dayOf } from '../../../../kit/clock.ts'
import { compile } from '../../../../kit/schema.ts'
import { openQuotes, yearsText } from '../../../pricing/index.ts'
import * as faults from '../../faults.ts'
import {
  type Holding,
  refuseOrderByState,
  statusOfHolding,
} from '../../holdings/domain-presenter.ts'
import { refuseUnexplained } from '../../holdings/expiry-plausibility.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { refreshHolding } from '../../holdings/sync.ts'
import { registryOf } from '../../names.ts'
import { yearsAhead } from '../../registry-dates.ts'
import type { DomainStatus } from '../../schemas.ts'
import { chargedPrice, checkForPurchase, refuseAbove, refusePeriod } from '../agreement.ts'
import { sendAttempt, withFacts } from '../attempt.ts'
import { type RenewOrder, renewCommand } from '../order.ts'
import { statusWithOrder } from '../order-presenter.ts'
import { lastOrder, recentRenewal } from '../orders.sql.ts'
import { datedRead } from '../reconcile/computed-expiry.ts'
import type { Purchased } from '../reconcile/reconcile.ts'
import { reconcileRenewal } from '../reconcile/reconcile-renew.ts'
import { extendedHolding, renewedTerm, shownFacts } from '../reconcile/term-verification.ts'
import type {
  Agreement,
  OpenOrder,
  OrderHandler,
  PurchaseContext,
  PurchaseRequest,
  Sending,
} from './order-handler.ts'

type RenewRequest = PurchaseRequest & {
  expected_expiry?: string
  /** The holding as it was read a moment ago; if absent, it is read now. */
  holding?: Holding
}

const readCommand = compile(renewCommand)

export const renewHandler: OrderHandler<RenewRequest> = {
  type: 'renew',
  action: 'renew_domain',
  participle: 'renewed',
  acquires: false,
  resends_for_ms: null,
  title: ({ domain, command }) =>
    `Renewal of ${domain}, ${yearsText(readCommand.parse(command).period_years)}`,
  validate: async () => null,
  async agreePrice(context) {
    const holding = context.request.holding ?? (await renewableHolding(context))
    return agreeRenewal(context, holding)
  },
  async explainConflict({ app, call, request }) {
    if (!mayRepeat(request)) return
    const { domain, digest } = request
    const holding = await call.sql.maybe(holdingByName, {
      customer_id: call.customer_id,
      name: domain,
    })
    if (holding) await refuseRecent(app, holding, digest)
  },
  approvedPart(command) {
    const {
      fee: _fee,
      registry_expiry: _expiry,
      send_years: _years,
      ...ordered
    } = readCommand.parse(command)
    return ordered
  },
  async send(app, sending) {
    const command = readCommand.parse(sending.order.command)
    if (command.send_years === 0) return alreadyAdded(app, sending)
    const renewed = await sendAttempt(app, sending, (sent) =>
      sending.registry.renew(
        {
          domain: sending.order.domain,
          cur_exp_date: dayOf(new Date(command.registry_expiry)),
          period_years: command.send_years,
          fee: command.fee,
        },
        sent,
      ),
    )
    return withFacts(sending, datesOf(renewed))
  },
  async reconcile(app, { order, registry, why }) {
    const answer = await registry.read(order.domain, 'purchase')
    const read = datedRead(order, answer, app.calendar.now())
    const decision = reconcileRenewal(read, reconciledOf(app, order, registry), why)
    return read.kind === 'done' ? { decision, found: read.value } : { decision }
  },
  term: (order, purchased) => renewedTerm(readCommand.parse(order.command), purchased),
  holding(order, purchased, { term, found }) {
    const { period_years } = readCommand.parse(order.command)
    return {
      ...extendedHolding(order, purchased, { term, found }),
      period_years,
      // Its other facts are read again, unless they were read just now.
      ...(found ? shownFacts(found) : unknownFacts),
    }
  },
  answerAtCapture: () => null,
}

const unknownFacts = { epp_statuses: null, rgp_statuses: null, locked: false }

function datesOf(outcome: Outcome<{ expires_at: string }>): Outcome<Purchased> {
  if (outcome.kind !== 'done') return outcome
  return { ...outcome, value: { expires_at: outcome.value.expires_at, created_at: null } }
}

function reconciledOf(app: App, order: OpenOrder, registry: Registry) {
  return {
    ...order,
    command: readCommand.parse(order.command),
    sponsor: registry.profile.client_id,
    now: app.calendar.now(),
    // A registry without a fence against repeated sending has no such status either.
    shows_pending: registry.resends.renew === 'fenced',
  }
}

/** The registry has auto-renewed: nothing is sent, but the year must still exist. */
async function alreadyAdded(app: App, { order, registry }: Sending): Promise<Outcome<Purchased>> {
  const answer = await registry.read(order.domain, 'purchase')
  const read = datedRead(order, answer, app.calendar.now())
  if (read.kind !== 'done') return read.kind === 'accepted' ? unreadable : read
  const why = { after: 'silence' } as const
  const decision = reconcileRenewal(read, reconciledOf(app, order, registry), why)
  if (decision.do === 'capture') return { ...read, value: decision.purchased }
  const message = shown(read.value)
  return { kind: 'refused', reason: 'status', code: null, message, sv_trid: null }
}

function shown({ expires_at, epp_statuses, rgp_statuses }: RegistryDomain): string {
  const statuses = [...epp_statuses, ...rgp_statuses].join(', ')
  return `The registry has changed it meanwhile: it expires ${expires_at} (${statuses}).`
}

const unreadable: Outcome<never> = {
  kind: 'unknown',
  cause: 'server_failed',
  message: 'The registry answered a read with "action pending".',
}

/** Whether it could be a repeated request, as it has neither a key nor a fence. */
function mayRepeat({ key, expected_expiry, automatic }: RenewRequest): boolean {
  return key === null && expected_expiry === undefined && !automatic
}

async function renewableHolding({
  app,
  call,
  request,
}: PurchaseContext<RenewRequest>): Promise<Holding> {
  const { domain, digest, expected_expiry } = request
  const known = await call.sql.maybe(holdingByName, { customer_id: call.customer_id, name: domain })
  if (!known) throw faults.domainNotFound()
  const holding = await refreshHolding(app, known)
  if (expected_expiry !== undefined) refuseChanged(app, holding, expected_expiry)
  if (mayRepeat(request)) await refuseRecent(app, holding, digest)
  return holding
}

function statusNow(app: App, holding: Holding): DomainStatus {
  return statusOfHolding(holding, null, app.calendar.now())
}

function refuseChanged(app: App, holding: Holding, expected: string): void {
  const secondOf = (ms: number) => Math.floor(ms / 1000)
  if (secondOf(Date.parse(expected)) === secondOf(holding.expiry.getTime())) return
  throw faults.expiryChanged({
    detail: `It expires ${holding.expiry.toISOString()}, not ${expected}.`,
    facts: { holding: statusNow(app, holding) },
  })
}

async function refuseRecent(app: App, holding: Holding, digest: string): Promise<void> {
  const since = new Date(app.calendar.now().getTime() - 86_400_000)
  const { customer_id, name } = holding
  const recent = await app.db.maybe(recentRenewal, { customer_id, domain: name, digest, since })
  if (!recent) return
  const last = await app.db.maybe(lastOrder, { customer_id, domain: name })
  const status = statusWithOrder(holding, last, app.calendar.now())
  throw faults.recentlyRenewed({ facts: { holding: status } })
}

/** The price and the command of this renewal; throws the fault that prevents it. */
async function agreeRenewal(
  context: PurchaseContext<RenewRequest>,
  holding: Holding,
): Promise<Agreement> {
  const { app, call, request } = context
  const { period_years, currency, max_price, automatic } = request
  refuseOrderByState(app, holding, 'renew_domain')
  await refuseUnexplained(app, holding)
  const send_years = yearsToSend(holding, period_years)
  refuseLongTerm(app, holding, { send_years, period_years })
  const tld = holding.name.slice(holding.name.indexOf('.') + 1)
  if (send_years > 0) refusePeriod(app, tld, send_years)
  if (send_years > 0) refuseProhibited(holding)
  const checked = await checkForPurchase(
    app,
    { name: holding.name, tld },
    { fees: ['renew'], several: { verb: 'renew', years: send_years } },
  )
  const quoteOf = await openQuotes(app, currency)
  const current = quoteOf({ action: 'renew', tld, years: period_years, checked })
  if (!current) throw faults.priceUnavailable()
  const quote = chargedPrice(context, current)
  refuseAbove(quote, max_price)
  const sent = send_years > 0 ? quoteOf({ action: 'renew', tld, years: send_years, checked }) : null
  const command: RenewOrder = {
    period_years,
    paid_until: holding.expiry.toISOString(),
    registry_expiry: holding.registry_expiry.toISOString(),
    send_years,
    fee: sent?.fee ?? null,
    ...(automatic && { automatic }),
  }
  const registry = registryOf(app, holding.name)
  if (!registry) throw faults.domainNotSupported()
  const from_reserve = holding.from_reserve && (automatic || call.caller.kind === 'customer')
  return { registry, quote, command, holding, ...(from_reserve && { from_reserve }) }
}

/**
 * We never set this status (RFC 5731 section 2.3): a former registrar did, and an unlock removes
 * it.
 */
function refuseProhibited({ epp_statuses }: Holding): void {
  if (!epp_statuses.includes('clientRenewProhibited')) return
  const detail = 'The status clientRenewProhibited prevents the renewal; nothing was sent.'
  throw faults.notRenewable({ detail, hint: faults.unlockFirst })
}

/**
 * The years to send: without those that the registry has auto-renewed and that are unpaid, and with
 * those that were paid and that it removed (by a deletion within the grace period of a renewal, and
 * then a restore).
 */
function yearsToSend({ expiry, registry_expiry }: Holding, years: number): number {
  return Math.max(0, years - yearsAhead(expiry, registry_expiry))
}

function refuseLongTerm(
  app: App,
  holding: Holding,
  { send_years, period_years }: { send_years: number; period_years: number },
): void {
  const most = registryOf(app, holding.name)?.profile.max_term_years ?? 10
  const latest = addYears(app.calendar.now(), most)
  if (send_years === 0 || addYears(holding.registry_expiry, send_years) <= latest) return
  let years = period_years
  while (years > 0) {
    const sent = yearsToSend(holding, years)
    if (sent === 0 || addYears(holding.registry_expiry, sent) <= latest) break
    years -= 1
  }
  throw faults.termTooLong({
    detail: `It can be paid for until ${latest.toISOString()} at most.`,
    facts: { latest: { period_years: years, expiry: latest.toISOString() } },
  })
}

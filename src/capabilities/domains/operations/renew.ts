// POST /v1/domains/{domain}/renew: more years for a domain, from the balance. Nobody pays twice for
// a year, and what the registry added by itself is paid, not sent.
import Type from 'typebox'
import { type App, type Call, Reply } from '../../../app.ts'
import type { Currency } from '../../../kit/money.ts'
import { dateTime, withDefault } from '../../../kit/schema.ts'
import { openQuotes, priceBody, type Quote } from '../../pricing/index.ts'
import { checkNow } from '../availability.ts'
import * as faults from '../faults.ts'
import { type Holding, statusOfHolding } from '../holdings/domain-presenter.ts'
import { refuseUnexplained } from '../holdings/expiry-plausibility.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { addYears, domainStateOf, lifecycleStatus, yearsAhead } from '../holdings/lifecycle.ts'
import { refusalOf } from '../holdings/state-rules.ts'
import { refreshHolding, registryOf } from '../holdings/sync.ts'
import { dryRunOf } from '../orders/dry-run.ts'
import { madeBefore, unlessMade } from '../orders/duplicate-check.ts'
import { type Key, keyOf } from '../orders/idempotency.ts'
import { digestOf, type RenewOrder } from '../orders/order.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { lastOrder, recentRenewal } from '../orders/orders.sql.ts'
import { buy } from '../orders/place-order.ts'
import { refuseAbove, refuseOddPeriod, refuseShortBalance } from '../orders/price-agreement.ts'
import type { DomainStatus } from '../schemas.ts'
import { domainOperation } from './domain-operation.ts'
import { domainInPath, hostOf, maxPriceOf, paidFields } from './paid-request.ts'

const renewAt = 'POST /v1/domains/{domain}/renew'

export const renewDomain = domainOperation({
  name: 'renew_domain',
  does: 'Renew one domain of yours and pay for it from the balance.',
  more:
    'Send expected_expiry (the "expiry" that you read): a renewal sent twice is then refused, ' +
    'not paid twice. Status "pending" or operation.state "unknown" means that the registry has ' +
    'not answered yet: read get_domain, never renew again.',
  at: renewAt,
  scope: 'domains:purchase',
  takes: Type.Object({
    domain: domainInPath,
    period_years: withDefault(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Years to add and pay for.' }),
      1,
    ),
    expected_expiry: Type.Optional(
      dateTime('The "expiry" that you read, to the second: refused when it is another one now.'),
    ),
    ...paidFields,
  }),
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('renew'),
    faults.domainNotFound,
    faults.domainNotSupported,
    faults.recentlyRenewed,
    faults.termTooLong,
    faults.notRenewable,
    faults.priceUnavailable,
    faults.periodNotAllowed,
  ],
  tools: [
    {
      group: 'registration',
      title: 'Renew a domain',
      examples: [
        {
          domain: 'my-agent.com',
          period_years: 1,
          expected_expiry: '2027-05-01T10:00:00.000Z',
          max_price: '15.00',
          idempotency_key: 'renew-my-agent-2027',
        },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const { period_years, currency, expected_expiry, dry_run } = input
    const key = dry_run ? null : keyOf(renewAt, { ...input, domain })
    const digest = digestOf({ type: 'renew', domain, period_years, currency })
    const maxPrice = maxPriceOf(input)
    const made = () => madeBefore(app, call, { domain, digest, key, gains: false })
    // Without a key and a fence, the same renewal of a moment ago is not made twice.
    const recent = key === null && expected_expiry === undefined ? digest : null
    const again = async () => {
      const before = await made()
      const now = before || !recent ? undefined : await holdingOf(call, domain)
      if (now && recent) await refuseRecent(app, { holding: now, digest: recent })
      return before
    }
    const earlier = await made()
    if (earlier) return earlier
    const agreed = await unlessMade(again, async () => {
      const known = await holdingOf(call, domain)
      if (!known) throw faults.domainNotFound()
      const holding = await refreshHolding(app, known)
      if (expected_expiry !== undefined) refuseChanged(app, holding, expected_expiry)
      if (recent) await refuseRecent(app, { holding, digest: recent })
      const wish = { holding, period_years, currency, maxPrice }
      return { ...wish, ...(await agreeRenewal(app, wish)) }
    })
    if (agreed instanceof Reply) return agreed
    const { holding, quote } = agreed
    if (dry_run) {
      await refuseShortBalance(call, quote)
      const registry = registryOf(app, domain)
      if (!registry) throw faults.domainNotSupported()
      const price = priceBody(quote)
      return dryRunOf(statusNow(app, holding), { operation: 'renew_domain', registry, price })
    }
    return buyRenewal(app, call, { ...agreed, digest, key, again })
  },
})

export type RenewalWish = {
  holding: Holding
  period_years: number
  currency: Currency
  maxPrice?: bigint | undefined
  /** The registrar renews, as the owner asked it to: its end is told by mail. */
  automatic?: boolean
}

/**
 * Renews for the registrar's own reasons (auto-renew): by the facts of a holding that was just
 * read, without a key. Throws what stands against it, as the operation does.
 */
export async function renewHolding(
  app: App,
  call: Call,
  wish: RenewalWish,
): Promise<DomainStatus | Reply<DomainStatus>> {
  const { holding, period_years, currency } = wish
  const digest = digestOf({ type: 'renew', domain: holding.name, period_years, currency })
  const again = async () => undefined
  const agreed = await agreeRenewal(app, wish)
  return buyRenewal(app, call, { ...wish, ...agreed, digest, key: null, again })
}

function holdingOf(call: Call, domain: string): Promise<Holding | undefined> {
  return call.sql.maybe(holdingByName, [call.customer_id, domain])
}

function statusNow(app: App, holding: Holding): DomainStatus {
  return statusOfHolding(holding, undefined, app.calendar.now())
}

function refuseChanged(app: App, holding: Holding, expected: string): void {
  const secondOf = (ms: number) => Math.floor(ms / 1000)
  if (secondOf(Date.parse(expected)) === secondOf(holding.expiry.getTime())) return
  throw faults.expiryChanged({
    detail: `It expires ${holding.expiry.toISOString()}, not ${expected}.`,
    facts: { holding: statusNow(app, holding) },
  })
}

async function refuseRecent(
  app: App,
  { holding, digest }: { holding: Holding; digest: string },
): Promise<void> {
  const since = new Date(app.calendar.now().getTime() - 86_400_000)
  const { customer_id, name } = holding
  const recent = await app.db.maybe(recentRenewal, [customer_id, name, digest, since])
  if (!recent) return
  const last = await app.db.maybe(lastOrder, [customer_id, name])
  const status = statusOfHolding(holding, last, app.calendar.now())
  throw faults.recentlyRenewed({ facts: { holding: status } })
}

type Agreed = { quote: Quote; command: RenewOrder }

/** Throws what stands against this renewal; else its price and what it will send. */
async function agreeRenewal(app: App, wish: RenewalWish): Promise<Agreed> {
  const { holding, period_years, currency, maxPrice, automatic } = wish
  const now = app.calendar.now()
  const refusal = refusalOf(domainStateOf(holding, now), 'renew_domain')
  if (refusal)
    throw refusal({
      detail: `Its status is "${lifecycleStatus(holding, now)}".`,
      facts: { holding: statusNow(app, holding) },
    })
  await refuseUnexplained(app, holding)
  const send_years = yearsToSend(holding, period_years)
  refuseLongTerm(app, holding, { send_years, period_years })
  const tld = holding.name.slice(holding.name.indexOf('.') + 1)
  if (send_years > 0) refuseOddPeriod(app, tld, send_years)
  const checked = await checkNow(app, { name: holding.name, tld }, ['renew'])
  const quoteOf = await openQuotes(app, currency)
  const quote = quoteOf({ action: 'renew', tld, years: period_years, checked })
  if (!quote) throw faults.priceUnavailable()
  refuseAbove(quote, maxPrice)
  const sent = send_years > 0 ? quoteOf({ action: 'renew', tld, years: send_years, checked }) : null
  const command = {
    period_years,
    paid_until: holding.expiry.toISOString(),
    registry_expiry: holding.registry_expiry.toISOString(),
    send_years,
    fee: sent?.fee ?? null,
    ...(automatic && { automatic }),
  }
  return { quote, command }
}

/**
 * Without those that the registry has added by itself and nobody has paid for; with those that were
 * paid for and that it took back (a deletion within the grace of a renewal, and then a restore).
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
    detail: `It may be paid for until ${latest.toISOString()} at most.`,
    facts: { latest: { period_years: years, expiry: latest.toISOString() } },
  })
}

type Renewing = RenewalWish &
  Agreed & { digest: string; key: Key | null; again: Parameters<typeof buy>[2]['again'] }

function buyRenewal(app: App, call: Call, renewing: Renewing) {
  const { holding, quote, command, digest, key, again } = renewing
  const registry = registryOf(app, holding.name)
  if (!registry) throw faults.domainNotSupported()
  return buy(app, call, {
    type: 'renew',
    customer_id: holding.customer_id,
    domain: holding.name,
    registrar: { registry },
    quote,
    command,
    digest,
    key,
    fence: holding.expiry,
    again,
  })
}

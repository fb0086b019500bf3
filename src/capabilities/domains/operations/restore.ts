// POST /v1/domains/{domain}/restore: bring a domain back from redemption, at the price of a
// restore.
import Type from 'typebox'
import { type App, type Call, Reply } from '../../../app.ts'
import type { Currency } from '../../../kit/money.ts'
import { openQuotes, priceBody, type Quote } from '../../pricing/index.ts'
import { checkNow } from '../availability.ts'
import * as faults from '../faults.ts'
import { type Holding, statusOfHolding } from '../holdings/domain-presenter.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { domainStateOf, lifecycleStatus } from '../holdings/lifecycle.ts'
import { refusalOf } from '../holdings/state-rules.ts'
import { refreshHolding, registryOf } from '../holdings/sync.ts'
import { dryRunOf } from '../orders/dry-run.ts'
import { madeBefore, unlessMade } from '../orders/duplicate-check.ts'
import { keyOf } from '../orders/idempotency.ts'
import { digestOf, type RestoreOrder } from '../orders/order.ts'
import { orderFaults } from '../orders/order-faults.ts'
import { buy } from '../orders/place-order.ts'
import { refuseAbove, refuseShortBalance } from '../orders/price-agreement.ts'
import { domainOperation } from './domain-operation.ts'
import { domainInPath, hostOf, maxPriceOf, paidFields } from './paid-request.ts'

const restoreAt = 'POST /v1/domains/{domain}/restore'

export const restoreDomain = domainOperation({
  name: 'restore_domain',
  does: 'Bring one domain of yours back from redemption; the restore is paid from the balance.',
  more:
    'Only while its status is "redemption" (30 days as a rule). A restore costs more than a ' +
    'renewal: use dry_run to see the price.',
  at: restoreAt,
  scope: 'domains:purchase',
  takes: Type.Object({ domain: domainInPath, ...paidFields }),
  in: { idempotency_key: 'header' },
  fails: [
    ...orderFaults('restore'),
    faults.domainNotFound,
    faults.domainNotSupported,
    faults.notInRedemption,
    faults.priceUnavailable,
  ],
  tools: [
    {
      group: 'registration',
      title: 'Restore a domain',
      examples: [
        { domain: 'my-agent.com', dry_run: true },
        { domain: 'my-agent.com', max_price: '90.00', idempotency_key: 'restore-my-agent-1' },
      ],
      destructive: true,
      idempotent: false,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const { currency, dry_run } = input
    const key = dry_run ? null : keyOf(restoreAt, { ...input, domain })
    const digest = digestOf({ type: 'restore', domain, currency })
    const maxPrice = maxPriceOf(input)
    const made = () => madeBefore(app, call, { domain, digest, key, gains: false })
    const earlier = await made()
    if (earlier) return earlier
    const agreed = await unlessMade(made, () =>
      agreeRestore(app, call, { domain, currency, maxPrice }),
    )
    if (agreed instanceof Reply) return agreed
    const { holding, quote } = agreed
    const registry = registryOf(app, domain)
    if (!registry) throw faults.domainNotSupported()
    if (dry_run) {
      await refuseShortBalance(call, quote)
      const held = statusOfHolding(holding, undefined, app.calendar.now())
      const price = priceBody(quote)
      return dryRunOf(held, { operation: 'restore_domain', registry, price })
    }
    const command: RestoreOrder = {
      paid_until: holding.expiry.toISOString(),
      registry_expiry: holding.registry_expiry.toISOString(),
      period_years: 1,
      fee: quote.fee,
    }
    return buy(app, call, {
      type: 'restore',
      customer_id: call.customer_id,
      domain,
      registrar: { registry },
      quote,
      command,
      digest,
      key,
      fence: holding.expiry,
      async again() {
        const before = await made()
        // The same request came a moment before this one and is paid.
        const now = before
          ? undefined
          : await app.db.maybe(holdingByName, [call.customer_id, domain])
        if (now) refuseWell(app, now)
        return before
      },
    })
  },
})

function refuseWell(app: App, holding: Holding): void {
  const now = app.calendar.now()
  const refusal = refusalOf(domainStateOf(holding, now), 'restore_domain')
  if (!refusal) return
  throw refusal({
    detail: `Its status is "${lifecycleStatus(holding, now)}".`,
    facts: { holding: statusOfHolding(holding, undefined, now) },
  })
}

type Terms = { domain: string; currency: Currency; maxPrice: bigint | undefined }

/** Throws what stands against this restore; else the holding as it is now, and the price. */
async function agreeRestore(
  app: App,
  call: Call,
  { domain, currency, maxPrice }: Terms,
): Promise<{ holding: Holding; quote: Quote }> {
  const known = await call.sql.maybe(holdingByName, [call.customer_id, domain])
  if (!known) throw faults.domainNotFound()
  const holding = await refreshHolding(app, known)
  refuseWell(app, holding)
  const tld = domain.slice(domain.indexOf('.') + 1)
  const checked = await checkNow(app, { name: domain, tld }, ['restore', 'renew'])
  const quoteOf = await openQuotes(app, currency)
  const quote = quoteOf({ action: 'restore', tld, years: 1, checked })
  if (!quote) throw faults.priceUnavailable()
  refuseAbove(quote, maxPrice)
  return { holding, quote }
}

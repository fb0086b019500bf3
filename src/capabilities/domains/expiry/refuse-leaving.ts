// Automatic renewal of a name that is being deleted. No renewal keeps it (RFC 3915 section 3.1), so
// turning it on is refused with the operation that helps, and its price.
import type { App } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { currencies } from '../../../kit/money.ts'
import { wordOf } from '../../../kit/schema.ts'
import { openQuotes, type PriceBody, priceBody } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { type Holding, statusOfHolding } from '../holdings/domain-presenter.ts'
import { domainStateOf } from '../holdings/lifecycle.ts'
import { checkForPurchase } from '../orders/agreement.ts'

type Asked = {
  holding: Holding
  auto_renew: boolean | undefined
  last_currency?: string | undefined
}

/**
 * Throws 409 not_renewable for `auto_renew: true` of a name that is being deleted, with the `price`
 * of a restore if one is possible and its registry answers.
 */
export async function refuseLeaving(app: App, asked: Asked): Promise<void> {
  const { holding, auto_renew, last_currency = 'USD' } = asked
  if (!auto_renew) return
  const now = app.calendar.now()
  const state = domainStateOf(holding, now)
  const facts = { holding: statusOfHolding(holding, null, now) }
  if (state === 'pending_delete')
    throw faults.notRenewable({
      detail: 'It is being deleted and can no longer be restored, so that no renewal keeps it.',
      hint: 'It becomes available in some days; register it then.',
      facts,
    })
  if (state !== 'redemption' && state !== 'deleting') return
  const price = await restorePrice(app, holding.name, last_currency)
  const costs = price ? ` A restore costs ${price.amount} ${price.currency}.` : ''
  throw faults.notRenewable({
    detail: `It is being deleted, so that no renewal keeps it.${costs}`,
    hint: 'Restore it (restore_domain, POST /v1/domains/{domain}/restore), then turn it on.',
    facts: price ? { ...facts, price } : facts,
  })
}

/** Null if the price is not known; the domain is then refused without it. */
async function restorePrice(app: App, name: string, currency: string): Promise<PriceBody | null> {
  const tld = name.slice(name.indexOf('.') + 1)
  try {
    const checked = await checkForPurchase(app, { name, tld }, { fees: ['restore', 'renew'] })
    const quoteOf = await openQuotes(app, wordOf(currencies, currency))
    const quote = quoteOf({ action: 'restore', tld, years: 1, checked })
    return quote ? priceBody(quote) : null
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return null
  }
}

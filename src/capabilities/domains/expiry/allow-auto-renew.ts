// Whether a key or an app may turn automatic renewal on: only where it could pay the next year now.
import type { App, Call } from '../../../app.ts'
import { insufficientScope } from '../../../errors/faults.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import { wordOf } from '../../../kit/schema.ts'
import {
  approvalRequired,
  currencyNotAllowed,
  domainNotAllowed,
  isAllowedTld,
  type LimitedBy,
  limitedBy,
  priceAboveLimit,
  refuseOverLimits,
  spendLimitExceeded,
} from '../../limits/index.ts'
import { openQuotes } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { checkForPurchase } from '../orders/agreement.ts'

export const autoRenewFaults = [
  approvalRequired,
  currencyNotAllowed,
  domainNotAllowed,
  priceAboveLimit,
  spendLimitExceeded,
  faults.priceUnavailable,
]

type Asked = { domain: string; auto_renew: boolean | undefined; last_currency: string | undefined }

/**
 * The key, or the consent, that renewals will count for. Throws insufficient_scope without
 * domains:purchase, the fault of the limit that a renewal at today's price would exceed, and 503
 * registry_unreachable where that price is not known.
 */
export async function allowAutoRenew(
  app: App,
  call: Call,
  { domain, auto_renew, last_currency }: Asked,
): Promise<LimitedBy> {
  const { caller } = call
  const by = limitedBy(caller)
  if (!auto_renew || !('scopes' in caller) || caller.kind === 'customer') return by
  if (!caller.scopes.has('domains:purchase'))
    throw insufficientScope({
      detail: 'To turn automatic renewal on spends money: the token lacks domains:purchase.',
      facts: { required_scope: 'domains:purchase' },
      headers: {
        'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="domains:purchase"',
      },
    })
  if (!isAllowedTld(caller, domain)) throw domainNotAllowed({ facts: { domain } })
  if (caller.limits !== null)
    await refuseOverLimits(call, await nextYear(app, domain, last_currency), {
      now: app.clock.now(),
      approved: false,
    })
  return by
}

async function nextYear(app: App, domain: string, last_currency = 'USD') {
  const tld = domain.slice(domain.indexOf('.') + 1)
  const currency: Currency = wordOf(currencies, last_currency)
  const checked = await checkForPurchase(app, { name: domain, tld }, ['renew'])
  const quoteOf = await openQuotes(app, currency)
  const quote = quoteOf({ action: 'renew', tld, years: 1, checked })
  if (!quote) throw faults.priceUnavailable()
  return quote
}

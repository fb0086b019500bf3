// Authorization of automatic renewal: a key or an app may turn it on only if it could pay for the
// next year now.
import type { App, Call } from '../../../app.ts'
import { insufficientScope } from '../../../errors/faults.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import {
  currencyNotAllowed,
  domainNotAllowed,
  isAllowedTld,
  type LimitedBy,
  limitedBy,
  mayAskForTld,
  needsApproval,
  priceAboveLimit,
  refuseOverLimits,
  spendLimitExceeded,
} from '../../limits/index.ts'
import { openQuotes } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { checkForPurchase } from '../orders/agreement.ts'

export const autoRenewFaults = [
  currencyNotAllowed,
  domainNotAllowed,
  priceAboveLimit,
  spendLimitExceeded,
  faults.priceUnavailable,
]

type Asked = {
  domain: DomainName
  auto_renew: boolean | undefined
  last_currency: string | undefined
}

type AutoRenewAllowed = {
  /** The key or the consent for which renewals will count. */
  by: LimitedBy
  /** Whether only the owner's approval is missing. */
  needsApproval: boolean
}

/**
 * Renewals that the owner turned on, or approved, count for no key. Throws insufficient_scope
 * without domains:purchase, the fault of the limit that a renewal at today's price would exceed,
 * and 503 registry_unreachable if that price is not known.
 */
export async function allowAutoRenew(
  app: App,
  call: Call,
  { domain, auto_renew, last_currency }: Asked,
): Promise<AutoRenewAllowed> {
  const { caller } = call
  const by = limitedBy(caller)
  const allowed = { by, needsApproval: false }
  if (!auto_renew || !('scopes' in caller) || caller.kind === 'customer') return allowed
  if (!caller.scopes.has('domains:purchase'))
    throw insufficientScope({
      detail: 'Turning automatic renewal on spends money, and the token lacks domains:purchase.',
      facts: { required_scope: 'domains:purchase' },
      headers: {
        'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="domains:purchase"',
      },
    })
  const isAllowed = isAllowedTld(caller, domain)
  if (!isAllowed && !mayAskForTld(caller, domain)) throw domainNotAllowed({ facts: { domain } })
  if (caller.limits === null) return allowed
  const price = await nextYear(app, domain, last_currency)
  await refuseOverLimits(call, price, { now: app.clock.now(), approved: true })
  if (call.approval) return { by: { api_key_id: null, oauth_grant_id: null }, needsApproval: false }
  return { by, needsApproval: !isAllowed || (await needsApproval(call, price)) }
}

async function nextYear(app: App, domain: DomainName, last_currency = 'USD') {
  const tld = domain.slice(domain.indexOf('.') + 1)
  const currency: Currency = wordOf(currencies, last_currency)
  const checked = await checkForPurchase(app, { name: domain, tld }, { fees: ['renew'] })
  const quoteOf = await openQuotes(app, currency)
  const quote = quoteOf({ action: 'renew', tld, years: 1, checked })
  if (!quote) throw faults.priceUnavailable()
  return quote
}

// Emails to an owner: a transfer request, the end of a holding, the result of a longer order. Pure.

import type { RegistryTransfer } from '../../adapters/registry/port.ts'
import { dayOf } from '../../kit/clock.ts'
import { formatAmount } from '../../kit/money.ts'
import type { DomainName } from '../../kit/random.ts'
import { button, type EmailMessage, link, paragraph, words } from '../mail/index.ts'
import type { Holding } from './holdings/domain-presenter.ts'

/** The page of a domain in the dashboard. */
export function domainPage(dashboard_url: string, name: string): string {
  return `${dashboard_url}/domains/${name}`
}

type Roots = { base_url: string; dashboard_url: string }

/** Reports that another registrar asks for the domain, once for each request. */
export function transferRequestEmail(transfer: RegistryTransfer, roots: Roots): EmailMessage {
  const { domain, requested_by, requested_at, acts_at } = transfer
  const path = `${roots.base_url}/v1/domains/${domain}/transfer`
  return {
    kind: 'transfer_out_requested',
    dedupe_key: `transfer_out_requested:${domain}:${requested_at}`,
    subject: words`Transfer of ${domain} to another registrar requested`,
    happened: [
      paragraph(
        words`The registrar ${requested_by} has requested the transfer of ${domain}.`,
        words`The request has the correct authorization code.`,
      ),
    ],
    todo: [
      paragraph(
        words`If you want this, you do not need to do anything:`,
        words`the domain moves on ${acts_at} at the latest.`,
        words`To approve it immediately by the API: POST ${path}/approve`,
      ),
      paragraph(
        words`If you do not want it, reject it before then, and replace its authorization code.`,
        words`By the API: POST ${path}/reject`,
      ),
      button(words`Open ${domain}`, domainPage(roots.dashboard_url, domain)),
    ],
  }
}

type Ended = Pick<Holding, 'id' | 'name' | 'expiry'>

/** Reports that the domain is with another registrar now. */
export function transferredAwayEmail({ id, name }: Ended, site_url: string): EmailMessage {
  return {
    kind: 'domain_transferred_away',
    dedupe_key: `domain_transferred_away:${id}`,
    subject: words`${name} has moved to another registrar`,
    happened: [
      paragraph(
        words`The registry reports that ${name} is with another registrar now.`,
        words`We no longer manage its name servers or its renewals.`,
      ),
    ],
    todo: [
      words`If you wanted this, you do not need to do anything.`,
      words`If you did not, contact us immediately: ${link(site_url)}`,
    ],
  }
}

/** Reports that the registry has deleted the domain. */
export function domainDroppedEmail({ id, name, expiry }: Ended, base_url: string): EmailMessage {
  return {
    kind: 'domain_dropped',
    dedupe_key: `domain_dropped:${id}`,
    subject: words`${name} was deleted permanently`,
    happened: [
      paragraph(
        words`The registry has deleted ${name}, which was paid until ${dayOf(expiry)}.`,
        words`Anyone can register it now.`,
      ),
    ],
    todo: [
      words`If you no longer want it, you do not need to do anything.`,
      words`If you do, try to register it again: POST ${base_url}/v1/domains`,
    ],
  }
}

/** An order that took longer than its request, as it ended. */
type EndedOrder = {
  id: string
  type: string
  domain: DomainName
  succeeded: boolean
  currency: string
  amount: bigint
  error_detail: string | null
  /** The expiry of the holding, if there is one. */
  expiry: Date | null
}

const titles: Record<string, string> = {
  transfer: 'transfer of',
  restore: 'restore of',
  renew: 'automatic renewal of',
}

export function orderEndedEmail(
  order: EndedOrder,
  { base_url, dashboard_url }: Roots,
): EmailMessage {
  const { id, type, domain, succeeded, expiry, error_detail } = order
  const title = titles[type] ?? type
  const price = `${formatAmount(order.amount)} ${order.currency}`
  const until = expiry ? [words`It is paid until ${dayOf(expiry)}.`] : []
  return {
    kind: succeeded ? `${type}_completed` : `${type}_failed`,
    dedupe_key: `order_ended:${id}`,
    subject: words`The ${title} ${domain} ${succeeded ? 'is done' : 'has failed'}`,
    happened: succeeded
      ? [
          paragraph(
            words`The ${title} ${domain} is done.`,
            ...until,
            words`${price} was taken from your balance.`,
          ),
        ]
      : [
          paragraph(
            words`The ${title} ${domain} has failed.`,
            words`The ${price} held for it is available again.`,
          ),
          ...(error_detail ? [words`The reason: ${error_detail}`] : []),
        ],
    todo: [
      button(words`Open ${domain}`, domainPage(dashboard_url, domain)),
      words`The order in the API: GET ${base_url}/v1/operations/${id}`,
    ],
  }
}

/** Reports that the new name servers of a domain could not be set. */
export function nameserversNotSetEmail(
  { id, name, nameservers }: Pick<Holding, 'id' | 'name' | 'nameservers'>,
  { reason, base_url, dashboard_url }: Roots & { reason: string },
): EmailMessage {
  return {
    kind: 'nameservers_not_set',
    dedupe_key: `nameservers_not_set:${id}`,
    subject: words`The name servers of ${name} could not be set`,
    happened: [
      paragraph(
        words`${name} has been transferred, but its new name servers could not be set.`,
        words`The reason: ${reason}`,
      ),
      words`Its name servers are still: ${nameservers.join(', ') || 'none'}.`,
    ],
    todo: [
      words`Set others in the dashboard, or by PATCH ${base_url}/v1/domains/${name}`,
      button(words`Open ${name}`, domainPage(dashboard_url, name)),
    ],
  }
}

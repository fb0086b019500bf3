// The command that counts the domains, and prints the same few lines for an account of any size.
import type { DomainsSummaryResponse, RenewalCosts } from '../../sdk/src/types.gen.ts'
import { facts, table } from '../table.ts'
import { type Command, day, wordsOf } from './command.ts'

const reasons: Record<DomainsSummaryResponse['attention']['domains'][number]['reason'], string> = {
  transfer_requested: 'another registrar asks for it',
  redemption: 'can be restored',
  expired: 'has expired',
  expires_soon: 'ends soon, and does not renew',
  order_unknown: 'the registry has not answered',
  order_open: 'an order is open',
}

export const summary: Command = {
  usage: ['summary'],
  summary: 'how many domains there are, their renewals, and which need you',
  run: async ({ registrar, words }) => {
    wordsOf(words)
    const body = await registrar.getDomainsSummary()
    return { body, lines: linesOf(body) }
  },
}

function linesOf(body: DomainsSummaryResponse): string[] {
  const { total, auto_renew, statuses, first_expiry, tlds, other_tlds, costs, attention } = body
  if (total === 0) return ['No domains yet. Buy one: agent-registrar buy NAME']
  const most = tlds.map(({ tld, domains }) => `.${tld} ${domains}`)
  const counts = facts([
    ['Domains', `${total}, of which ${auto_renew} renew automatically`],
    ['Status', statuses.map(({ status, domains }) => `${status} ${domains}`).join(', ')],
    ['TLDs', [...most, ...(other_tlds > 0 ? [`others ${other_tlds}`] : [])].join(', ')],
    ['First expiry', day(first_expiry)],
    ...costs.map((one): [string, string] => [`12 months in ${one.currency}`, costWords(one)]),
    ['Need you', attention.total === 0 ? 'none' : String(attention.total)],
  ])
  if (attention.total === 0) return counts
  const rows = attention.domains.map(({ domain_unicode, reason, at }) => [
    ...[domain_unicode, reasons[reason], day(at)],
  ])
  return [...counts, '', ...table(['NAME', 'WHY', 'WHEN'], rows)]
}

function costWords({ due, domains, unpriced, automatic }: RenewalCosts): string {
  const unknown = unpriced > 0 ? `, ${unpriced} without a known price` : ''
  return `${due} for ${domains} renewals${unknown}; ${automatic.due} of it soon, automatically`
}

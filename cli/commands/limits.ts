// The limits of a key or an app in words, one text for each.
import type { Limits } from '../../sdk/src/types.gen.ts'
import { day, money } from './command.ts'

type Stated = Omit<Limits, 'of' | 'id' | 'name' | 'inherited'>

export function limitsOf(of: Stated): string[] {
  const { spend_limit: spend, max_price, approval_above, outside_allowed } = of
  const until = spend?.until ? ` until ${day(spend.until)}` : ''
  const asked = outside_allowed === 'ask' ? ' (others ask the owner)' : ''
  return [
    ...(spend ? [`${money(spend)} each ${spend.window}, ${spend.left} left${until}`] : []),
    ...(max_price ? [`at most ${money(max_price)} for a purchase`] : []),
    ...(approval_above ? [`above ${money(approval_above)} the owner is asked`] : []),
    ...(of.allowed_tlds ? [`only .${of.allowed_tlds.join(', .')}${asked}`] : []),
    ...(of.allowed_domains ? [`only ${of.allowed_domains.join(', ')}${asked}`] : []),
    ...(of.allowed_ips ? [`only from ${of.allowed_ips.join(', ')}`] : []),
    ...(of.dns ? [dnsWords(of.dns)] : []),
    ...(of.expires_at ? [`until ${day(of.expires_at)}`] : []),
  ].map((line) => line.replace('each total', 'in total'))
}

function dnsWords({ hosts, types }: NonNullable<Stated['dns']>): string {
  const at = hosts === null ? '' : ` at ${hosts.join(', ')}`
  return `only ${types === null ? '' : `${types.join(', ')} `}records${at}`
}

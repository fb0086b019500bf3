// The day of a renewal's fence as the registry writes it: curExpDate is an xs:date without a time
// zone (RFC 5731 section 3.2.3), and some registries compare it with the day in their own time
// zone.

import { domainInfo } from '../../../epp/commands/domain-query.ts'
import { result } from '../../../epp/replies/result-codes.ts'
import type { Outcome, Priority } from '../port.ts'
import type { Link } from './epp-connection.ts'

const aboutDays: readonly (number | null)[] = [result.value_range_error, result.value_policy]

type Sent = { name: string; cur_exp_date: string; priority: Priority }

/**
 * Another text for the day that was refused, to be tried once. It is null if the refusal has
 * another cause, or if the registry shows another time, because then the fence has held.
 */
export async function writtenDay(
  link: Link,
  refused: Outcome<unknown>,
  { name, cur_exp_date, priority }: Sent,
): Promise<string | null> {
  if (refused.kind !== 'refused' || !aboutDays.includes(refused.code)) return null
  const shown = await link.send(domainInfo, { name, auth_info: null }, { priority })
  const expires_at = shown.kind === 'done' ? shown.value.expires_at : null
  if (expires_at === null) return null
  const isSameDay = new Date(expires_at).toISOString().startsWith(cur_exp_date)
  const written = expires_at.slice(0, cur_exp_date.length)
  return isSameDay && written !== cur_exp_date ? written : null
}

// Record sets that an agent asks to change, with their old and new contents, as people read them.
import type { ApprovalResponse, DnsRecordContent, DnsRecordsDifference } from 'sdk'
import { setName } from '../../lib/dns/record-queries.ts'
import { formatTtl } from '../../lib/dns/ttl.ts'
import { readable } from '../../lib/dns/value-forms.ts'
import { type ChangeWords, changeTexts as texts } from '../../messages/approvals/change-texts.ts'

/** The record sets of a request, or null if it is about no records. */
export function recordFacts({ records, sets_total }: ApprovalResponse['request']) {
  if (!Array.isArray(records)) return null
  const facts: ChangeWords[] = records.filter(isDifference).map((one) => ({
    ...texts.records,
    of: setName(one),
    from: contentOf(one.type, one.before, one.after),
    to: contentOf(one.type, one.after, one.before),
  }))
  const left = typeof sets_total === 'number' ? sets_total - facts.length : 0
  const rest = { ...texts.records, from: '', to: texts.recordsLeft(left) }
  return left > 0 ? [...facts, rest] : facts
}

type Content = DnsRecordContent | null

/** The content as text, with the TTL only if nothing else changes. */
function contentOf(type: string, content: Content, other: Content): string {
  if (!content) return texts.noRecord
  const values = content.values.map((value) => readable(type, value)).join('\n')
  const isSame = other !== null && other.values.join('\n') === content.values.join('\n')
  return isSame ? `${values}\n(${formatTtl(content.ttl)})` : values
}

function isDifference(one: unknown): one is DnsRecordsDifference {
  if (typeof one !== 'object' || one === null) return false
  return 'host' in one && 'type' in one && 'before' in one && 'after' in one
}

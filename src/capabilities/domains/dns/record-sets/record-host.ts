// Hosts of record sets, as requests name them, relative to the domain.

import { type HostRead, readHost } from '../../../../kit/net/host.ts'
import type { DomainName } from '../../../../kit/random.ts'

type RecordHost = { host: string; name: string }

/** A label that the DNS allows and a host name does not: "_dmarc", "s1-". */
const plain = /^[a-z0-9_-]{1,63}$/

/**
 * Reads "@" (the domain itself), a relative name ("www", "_dmarc", "a.b", "bücher"), or a wildcard
 * ("*", "*.b"), where "*" may only be the whole first label. It is kept in lower case, as A-labels.
 * A problem is the end of a sentence about the text.
 */
export function readRecordHost(text: string, domain: DomainName): RecordHost | { problem: string } {
  if (text === '@') return { host: '@', name: domain }
  const refused = absoluteProblem(text, domain)
  if (refused) return { problem: refused }
  const labels = text.split('.').map((label, at) => readLabel(label, { domain, isFirst: at === 0 }))
  for (const label of labels)
    if ('problem' in label && label.problem !== '') return { problem: label.problem }
  const host = labels.map((label) => ('host' in label ? label.host : '')).join('.')
  const name = `${host}.${domain}`
  if (host.split('.').includes('') || name.length > 253)
    return {
      problem: 'must be a name relative to the domain, such as "www" or "_dmarc", or "@" or "*"',
    }
  return { host, name }
}

type Place = { domain: DomainName; isFirst: boolean }

/** One label as it is kept; a problem is empty if no character is its cause. */
function readLabel(label: string, { domain, isFirst }: Place): HostRead {
  const lower = label.toLowerCase()
  if (isFirst && label === '*') return { host: '*' }
  if (plain.test(lower) && !lower.startsWith('xn--')) return { host: lower }
  const read = readHost(`${label}.${domain}`, { within: domain })
  return 'host' in read
    ? { host: read.host.slice(0, -domain.length - 1) }
    : { problem: read.problem.replace(`.${domain}"`, '"') }
}

function absoluteProblem(text: string, domain: DomainName): string | null {
  const folded = text.toLowerCase().replace(/\.$/, '')
  if (folded === domain || folded.endsWith(`.${domain}`)) {
    const relative = folded === domain ? '@' : folded.slice(0, -domain.length - 1)
    return `must be relative to the domain: "${relative}"`
  }
  return text.endsWith('.') ? 'must be relative to the domain, without a final dot' : null
}

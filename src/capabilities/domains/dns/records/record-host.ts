// Hosts of record sets, as requests name them, relative to the domain.
import { readHost } from '../../../../kit/net/host.ts'

type RecordHost = { host: string; name: string }

/** A label of a name in the DNS that is more than a host name's: "_dmarc", "s1-". */
const plain = /^[a-z0-9_-]{1,63}$/

/**
 * Reads "@" (the domain itself), a relative name ("www", "_dmarc", "a.b", "bücher"), or a wildcard
 * ("*", "*.b"): "*" as the whole first label alone. Kept in lower case, as A-labels. A problem is
 * the end of a sentence about the text.
 */
export function readRecordHost(text: string, domain: string): RecordHost | { problem: string } {
  if (text === '@') return { host: '@', name: domain }
  const refused = absoluteProblem(text, domain)
  if (refused) return { problem: refused }
  const labels = text.split('.').map((label, at) => {
    const lower = label.toLowerCase()
    if ((at === 0 && label === '*') || (plain.test(lower) && !lower.startsWith('xn--')))
      return lower
    const read = readHost(`${label}.${domain}`, { within: domain })
    return 'host' in read ? read.host.slice(0, -domain.length - 1) : null
  })
  const host = labels.join('.')
  const name = `${host}.${domain}`
  if (labels.includes(null) || labels.includes('') || name.length > 253)
    return {
      problem: 'must be a name relative to the domain, such as "www" or "_dmarc", or "@" or "*"',
    }
  return { host, name }
}

function absoluteProblem(text: string, domain: string): string | null {
  const folded = text.toLowerCase().replace(/\.$/, '')
  if (folded === domain || folded.endsWith(`.${domain}`)) {
    const relative = folded === domain ? '@' : folded.slice(0, -domain.length - 1)
    return `must be relative to the domain: "${relative}"`
  }
  return text.endsWith('.') ? 'must be relative to the domain, without a final dot' : null
}

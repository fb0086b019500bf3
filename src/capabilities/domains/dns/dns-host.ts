// The host of a DNS record: a name relative to its domain, as it comes in and as it is kept.
import { parseHost } from '../../../kit/net/host.ts'

export type DnsHost = { host: string; name: string }

/**
 * Reads "@" (the domain itself), a relative name in any spelling ("www", "a.b", "bücher"), or a
 * wildcard ("*", "*.b"): "*" as the whole first label alone. Kept as lower-case A-labels.
 */
export function parseDnsHost(text: string, domain: string): DnsHost | { problem: string } {
  if (text === '@') return { host: '@', name: domain }
  if (text.endsWith('.')) return { problem: 'must be relative to the domain, without a final dot' }
  const folded = text.toLowerCase()
  if (folded === domain || folded.endsWith(`.${domain}`)) {
    const relative = folded === domain ? '@' : folded.slice(0, -domain.length - 1)
    return { problem: `must be relative to the domain: "${relative}"` }
  }
  if (text === '*') return { host: '*', name: `*.${domain}` }
  const star = text.startsWith('*.') ? '*.' : ''
  const name = parseHost(`${text.slice(star.length)}.${domain}`)
  const whole = `${star}${name}`
  if (name === undefined || whole.length > 253)
    return { problem: 'must be a host name relative to the domain, such as "www", or "@"' }
  return { host: whole.slice(0, -domain.length - 1), name: whole }
}

// Patterns of the hosts of DNS records, relative to their domain: reading, matching, and whether
// one covers another.
import { type IdnExceptions, readHost } from '../../kit/net/host.ts'

/** A label of a name in the DNS, which may be more than a host name's: "_dmarc", "s1-". */
const plainLabel = /^[a-z0-9_-]{1,63}$/
const globLabel = /^(?=.*\*)[a-z0-9_*-]{1,63}$/
const longest = 253

/**
 * "@" (the domain itself), or a relative name in which "*" stands for any text: "www", "*.app",
 * "_acme-challenge*". Returns it in its stored form: in lower case, with A-labels. Undefined for
 * any other text.
 */
export function parseHostPattern(text: string, exceptions?: IdnExceptions): string | undefined {
  if (text === '@') return text
  const labels = text.split('.').map((label) => parseLabel(label, exceptions))
  const pattern = labels.join('.')
  return labels.includes(undefined) || pattern.length > longest ? undefined : pattern
}

function parseLabel(label: string, exceptions: IdnExceptions | undefined): string | undefined {
  const lower = label.toLowerCase()
  if (globLabel.test(lower)) return lower
  if (plainLabel.test(lower) && !lower.startsWith('xn--')) return lower
  // Read as a label of some domain.
  const read = readHost(`${label}.example`, exceptions ? { exceptions } : {})
  return 'host' in read ? read.host.slice(0, -'.example'.length) : undefined
}

/**
 * "*" stands for any text, dots as well: "_acme-challenge*" is also _acme-challenge.www. The parts
 * between "*" are looked for in their order, each as early as it can be, so that no pattern costs
 * more than its length times the host's.
 */
export function matchesHost(pattern: string, host: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return pattern === host
  const end = host.length - last.length
  if (first.length > end || !host.startsWith(first) || !host.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = host.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/**
 * Whether every host that `inner` matches is matched by one of `outer`: its "*" must then fall
 * within a "*" of the other, as any text in its place does.
 */
export function coversHost(outer: readonly string[], inner: string): boolean {
  return outer.some((pattern) => matchesHost(pattern, inner))
}

/** Whether it is written out, or below _acme-challenge: proofs of certificates (RFC 8555). */
export function isNarrowPattern(pattern: string): boolean {
  return !pattern.includes('*') || pattern.startsWith('_acme-challenge')
}

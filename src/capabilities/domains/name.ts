// Domain names as they come in, and as they are kept: lower-case A-labels (UTS 46 non-transitional, IDNA rules).
import { toASCII, toUnicode } from 'tr46'

/** A name that a registry can be asked about: exactly one label under a TLD. */
export type DomainName = { name: string; unicode: string; label: string; tld: string }
export type NameProblem = { problem: string }

const rules = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const

/** A host name as lower-case A-labels without its final dot; undefined for what is no host name. */
export function parseHost(text: string): string | undefined {
  const bare = text.endsWith('.') ? text.slice(0, -1) : text
  if (bare.length > 1024) return undefined
  const ascii = toASCII(bare, rules)
  if (ascii === null || ascii === '' || !roundTrips(ascii)) return undefined
  // An all-digit last label is an address to every resolver (RFC 3696, section 2).
  return /^[0-9]+$/.test(ascii.split('.').at(-1) ?? '') ? undefined : ascii
}

/** An A-label that UTS 46 would write otherwise is a disguise. */
function roundTrips(ascii: string): boolean {
  if (!ascii.includes('xn--')) return true
  const { domain, error } = toUnicode(ascii, rules)
  return !error && toASCII(domain, rules) === ascii
}

/**
 * Reads a name to register, check or look up. `sold` are the TLDs of our registries: a name with one label under
 * another TLD is well-formed but not ours to sell (`sold: false`).
 */
export function parseDomainName(
  text: string,
  sold: (tld: string) => boolean,
): (DomainName & { sold: boolean }) | NameProblem {
  const name = parseHost(text)
  if (name === undefined) return { problem: `"${shown(text)}" is not a domain name` }
  const [label = '', ...rest] = name.split('.')
  const tld = rest.join('.')
  if (rest.length !== 1 && !sold(tld))
    return { problem: `"${shown(text)}" must be one label under a TLD, such as name.com` }
  return { name, unicode: toUnicode(name, rules).domain, label, tld, sold: sold(tld) }
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}...` : text
}

/** Labels with more than 24 characters are "long" in an availability answer (decisions part 5). */
export function isLong({ label }: DomainName): boolean {
  return label.length > 24
}

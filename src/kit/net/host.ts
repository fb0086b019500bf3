// Canonicalization of host names: lower-case A-labels (UTS 46 non-transitional, IDNA rules).
import { toASCII, toUnicode } from 'tr46'

export const hostRules = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const

// Nearly every name: UTS 46 leaves it as it is but for its case. No label begins or ends with a
// hyphen, or has two in its third and fourth place (an A-label, or one to come).
const label = '(?!..--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const plain = new RegExp(`^(?!.{254})${label}(?:\\.${label})*$`)

/** A host name as lower-case A-labels without its final dot; undefined for what is no host name. */
export function parseHost(text: string): string | undefined {
  const bare = text.endsWith('.') ? text.slice(0, -1) : text
  if (bare.length > 1024) return undefined
  const ascii = plain.test(bare) ? bare.toLowerCase() : toASCII(bare, hostRules)
  if (ascii === null || ascii === '' || !roundTrips(ascii)) return undefined
  // A last label of digits, or of hexadecimal, is an address to every resolver (WHATWG URL, "ends
  // in a number").
  return /(^|\.)([0-9]+|0x[0-9a-f]*)$/.test(ascii) ? undefined : ascii
}

/** An A-label that UTS 46 would write otherwise is a disguise. */
function roundTrips(ascii: string): boolean {
  if (!ascii.includes('xn--')) return true
  const { domain, error } = toUnicode(ascii, hostRules)
  return !error && toASCII(domain, hostRules) === ascii
}

// E-mail addresses: the plain form that every mail server takes, with nothing in it that could end
// a header.
import { parseHost } from './host.ts'

const longest = 320
// A dot-string of RFC 5321 with at most 64 octets. Quoted and UTF-8 local parts are refused,
// because too few servers take them.
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/**
 * An address with its domain as lower-case A-labels (two or more), the local part as it was
 * written; undefined for anything else, such as text with spaces, control characters, comments or
 * address literals.
 */
export function parseEmail(text: string): string | undefined {
  if (text.length > longest) return undefined
  const at = text.indexOf('@')
  const local = text.slice(0, Math.max(0, at))
  if (at < 1 || local.length > 64 || !localPart.test(local)) return undefined
  const typed = text.slice(at + 1)
  const domain = typed.endsWith('.') ? undefined : parseHost(typed)
  return domain?.includes('.') ? `${local}@${domain}` : undefined
}

/** Whether two addresses count as one: case never distinguishes accounts. */
export function sameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

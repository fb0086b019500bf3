// Names in wire form as the store has them: each name has one text, whatever its case.
import { textOf } from '../../dns/name.ts'

/**
 * The name and each name above it except the root, in lower case. A label with octets that no host
 * name has is escaped, so that no stored name equals it and only a wildcard matches it (RFC 4592
 * 2.1.1).
 */
export function namesOf(wire: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; wire[at]; at += 1 + (wire[at] ?? 0)) names.push(nameOf(wire.subarray(at)))
  return names
}

/** The first of them, which is the name itself. */
export function nameOf(wire: Buffer): string {
  return textOf(wire).toLowerCase()
}

/** Whether a name in wire form is the zone's own or below it. */
export function isIn(wire: Buffer, zone: string): boolean {
  return namesOf(wire).includes(zone)
}

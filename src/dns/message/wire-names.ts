// Names in wire form (RFC 1035 3.1) without compression, and the places in RDATA of names that may
// be compressed.

/** The end of a name without compression, or undefined if there is none. */
export function endOfName(octets: Buffer, start: number): number | undefined {
  for (let at = start; ; ) {
    const size = octets[at]
    if (size === undefined || size > 63) return undefined
    at += 1 + size
    if (size === 0) return at <= octets.length && at - start <= 255 ? at : undefined
  }
}

/**
 * The types of RFC 1035 whose names may be compressed (RFC 3597 part 4): NS, CNAME, SOA, PTR, MX.
 * Each has the number of octets of RDATA before the names, and the number of names.
 */
export const compressible: ReadonlyMap<number, { before: number; names: number }> = new Map([
  [2, { before: 0, names: 1 }],
  [5, { before: 0, names: 1 }],
  [6, { before: 0, names: 2 }],
  [12, { before: 0, names: 1 }],
  [15, { before: 2, names: 1 }],
])

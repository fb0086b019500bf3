// Types that have no text of their own here and are written by RFC 3597, but whose form other name
// servers know: they would refuse a zone in which one of these is malformed, and names in them are
// lower-case in the canonical form (RFC 4034 section 6.2).
import { DnsProblem } from '../problem.ts'
import type { Codec, Field } from './codec.ts'
import { tlsa } from './digests.ts'
import { characterString, hexToEnd, target, unsigned } from './fields.ts'
import { txt } from './txt.ts'

const name = target('name')
const preference = unsigned('preference', 2)

function fixed(octets: number): Field {
  const what = 'value'
  return {
    ...hexToEnd(what),
    take: (wire) => {
      const bytes = wire.take(octets, what)
      return { bytes, text: bytes.toString('hex') }
    },
  }
}

type Layout = readonly [type: number, name: string | null, fields: readonly Field[]]

/** With the name where the text of its fields is that of the type's RFC. */
const layouts: readonly Layout[] = [
  // MD, MF, MB, MG and MR (RFC 1035, obsolete)
  ...[3, 4, 7, 8, 9].map((type) => [type, null, [name]] as const),
  // RFC 1035
  [13, 'HINFO', [characterString('processor'), characterString('system')]],
  [14, 'MINFO', [name, name]],
  // RFC 1183
  [17, 'RP', [name, name]],
  [18, 'AFSDB', [preference, name]],
  [19, 'X25', [characterString('address')]],
  [21, 'RT', [preference, name]],
  // RFC 2163, RFC 2230, RFC 6672
  [26, 'PX', [preference, name, name]],
  [36, 'KX', [preference, name]],
  [39, 'DNAME', [name]],
  // CERT (RFC 4398), OPENPGPKEY (RFC 7929)
  [
    37,
    null,
    [unsigned('type', 2), unsigned('key tag', 2), unsigned('algorithm', 1), hexToEnd('data')],
  ],
  [61, null, [hexToEnd('key')]],
  // RFC 8162, RFC 7208
  [53, 'SMIMEA', tlsa.fields],
  [99, 'SPF', txt.fields],
  // NID, L32, L64 and LP (RFC 6742)
  [104, null, [preference, fixed(8)]],
  [105, null, [preference, fixed(4)]],
  [106, null, [preference, fixed(8)]],
  [107, 'LP', [preference, name]],
  // EUI48 and EUI64 (RFC 7043)
  [108, null, [fixed(6)]],
  [109, null, [fixed(8)]],
]

/** Their codecs by type. */
export const elsewhere: readonly (readonly [number, Codec])[] = layouts.map(
  ([type, name, fields]) => [type, { ...named(name), fields, example: '\\# 2 abcd' }] as const,
)

function named(name: string | null): { name?: string } {
  return name === null ? {} : { name }
}

/** The types that a file may give by these names. */
export const namesElsewhere: ReadonlyMap<string, number> = new Map(
  layouts.flatMap(([type, name]) => (name === null ? [] : [[name, type] as const])),
)

/** Octets of a type whose form is not known. */
export const opaque: Codec = {
  fields: [
    {
      what: 'data',
      read: () => {
        throw new DnsProblem('Its data is written as "\\# 2 abcd" (RFC 3597).')
      },
      take: (wire) => {
        const bytes = wire.rest()
        return { bytes, text: bytes.toString('hex') }
      },
    },
  ],
  example: '\\# 2 abcd',
}

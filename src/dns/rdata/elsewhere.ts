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

const layouts: readonly (readonly [type: number, fields: readonly Field[]])[] = [
  // MD, MF, MB, MG and MR (RFC 1035, obsolete), DNAME (RFC 6672)
  ...[3, 4, 7, 8, 9, 39].map((type) => [type, [name]] as const),
  // HINFO (RFC 1035), MINFO (RFC 1035), RP (RFC 1183)
  [13, [characterString('processor'), characterString('system')]],
  [14, [name, name]],
  [17, [name, name]],
  // AFSDB, RT (RFC 1183), KX (RFC 2230), LP (RFC 6742), PX (RFC 2163)
  ...[18, 21, 36, 107].map((type) => [type, [preference, name]] as const),
  [26, [preference, name, name]],
  // X25 (RFC 1183)
  [19, [characterString('address')]],
  // NID, L32 and L64 (RFC 6742), EUI48 and EUI64 (RFC 7043)
  [104, [preference, fixed(8)]],
  [105, [preference, fixed(4)]],
  [106, [preference, fixed(8)]],
  [108, [fixed(6)]],
  [109, [fixed(8)]],
  // OPENPGPKEY (RFC 7929), CERT (RFC 4398)
  [61, [hexToEnd('key')]],
  [37, [unsigned('type', 2), unsigned('key tag', 2), unsigned('algorithm', 1), hexToEnd('data')]],
]

/** Their codecs by type; SMIMEA (RFC 8162) is as TLSA, SPF (RFC 7208) as TXT. */
export const elsewhere: readonly (readonly [number, Codec])[] = [
  ...layouts.map(([type, fields]) => [type, { fields, example: '\\# 0' }] as const),
  [53, { ...tlsa, example: '\\# 0' }],
  [99, { ...txt, example: '\\# 0' }],
]

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

// Types that have no text of their own here and are written by RFC 3597, but whose form other name
// servers know. These would refuse a zone in which one of them is malformed, and their names are in
// lower case in the canonical form (RFC 4034 section 6.2).
import { DnsProblem, quoted } from '../problem.ts'
import { plainText } from '../words.ts'
import { a } from './addresses.ts'
import type { Codec, Field } from './codec.ts'
import { tlsa } from './digests.ts'
import { characterString, hexOctets, target, unsigned } from './fields.ts'
import { txt } from './txt.ts'

const name = target('name')
const preference = unsigned('preference', 2)

function fixed(what: string, form: { octets: number; between: string; group: number }): Field {
  const { octets, between, group } = form
  return {
    what,
    read: (words) => {
      const text = plainText(words.next(what), `The ${what}`)
      // A group of several octets may lack its first zeros, as in an IPv6 address.
      const least = group === 1 ? 2 : 1
      const parts = text.split(between)
      const isWhole =
        parts.length === octets / group &&
        parts.every((one) => one.length >= least && one.length <= 2 * group)
      if (!isWhole)
        throw new DnsProblem(`The ${what} is ${quoted(text)}, and has ${octets} octets.`)
      return hexOctets(parts.map((one) => one.padStart(2 * group, '0')).join(''), what)
    },
    take: (wire) => {
      const bytes = wire.take(octets, what)
      const groups = bytes.toString('hex').match(new RegExp(`.{${2 * group}}`, 'g')) ?? []
      return { bytes, text: groups.join(between) }
    },
  }
}

/** All octets to the end in Base64, which may be written in several words. */
function base64ToEnd(what: string): Field {
  return {
    what,
    read: (words) => {
      let text = plainText(words.next(what), `The ${what}`)
      while (words.left > 0) text += plainText(words.next(what), `The ${what}`)
      const octets = Buffer.from(text, 'base64')
      if (octets.toString('base64') !== text)
        throw new DnsProblem(`The ${what} has to be in Base64, with its "=" at the end.`)
      return octets
    },
    take: (wire) => {
      const bytes = wire.rest()
      if (bytes.length === 0) throw new DnsProblem(`Its ${what} is missing.`)
      return { bytes, text: bytes.toString('base64') }
    },
  }
}

/** The address of an X.25 network (RFC 1183 section 3.1). */
const digits: Field = {
  ...characterString('address'),
  take: (wire) => {
    const taken = characterString('address').take(wire)
    if (!/^"[0-9]{4,}"$/.test(taken.text))
      throw new DnsProblem(`The address is ${taken.text}, and has to be of four or more digits.`)
    return taken
  },
}

const locator = fixed('locator', { octets: 8, between: ':', group: 2 })
const [number16, number8] = [unsigned('number', 2), unsigned('number', 1)]

const layouts: readonly (readonly [type: number, name: string, fields: readonly Field[]])[] = [
  // RFC 1035
  [7, 'MB', [name]],
  [8, 'MG', [name]],
  [9, 'MR', [name]],
  [13, 'HINFO', [characterString('processor'), characterString('system')]],
  [14, 'MINFO', [name, name]],
  // RFC 1183
  [17, 'RP', [name, name]],
  [18, 'AFSDB', [preference, name]],
  [19, 'X25', [digits]],
  [21, 'RT', [preference, name]],
  // RFC 2163, RFC 2230, RFC 4398, RFC 6672, RFC 4701
  [26, 'PX', [preference, name, name]],
  [36, 'KX', [preference, name]],
  [37, 'CERT', [number16, number16, number8, base64ToEnd('certificate')]],
  [39, 'DNAME', [name]],
  [49, 'DHCID', [base64ToEnd('digest')]],
  // RFC 8162, RFC 7929, RFC 7208
  [53, 'SMIMEA', tlsa.fields],
  [61, 'OPENPGPKEY', [base64ToEnd('key')]],
  [99, 'SPF', txt.fields],
  // RFC 6742
  [104, 'NID', [preference, locator]],
  [105, 'L32', [preference, ...a.fields]],
  [106, 'L64', [preference, locator]],
  [107, 'LP', [preference, name]],
  // RFC 7043
  [108, 'EUI48', [fixed('address', { octets: 6, between: '-', group: 1 })]],
  [109, 'EUI64', [fixed('address', { octets: 8, between: '-', group: 1 })]],
]

const example = '\\# 2 abcd'

/** Their codecs by type. The obsolete MD and MF (RFC 1035) cannot be read by name. */
export const elsewhere: readonly (readonly [number, Codec])[] = [
  ...[3, 4].map((type) => [type, { fields: [name], example }] as const),
  ...layouts.map(([type, name, fields]) => [type, { name, fields, example }] as const),
]

/** The types that a file may give by these names. */
export const namesElsewhere: ReadonlyMap<string, number> = new Map(
  layouts.map(([type, name]) => [name, type] as const),
)

/** The octets of a type whose form is unknown. */
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

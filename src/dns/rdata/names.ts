// The types that contain names and numbers: NS, CNAME, PTR, MX and SOA (RFC 1035), SRV (RFC 2782).
import { textOf } from '../name.ts'
import { DnsProblem, quoted } from '../problem.ts'
import { plainText } from '../words.ts'
import type { Codec, Field } from './codec.ts'
import { target, unsigned } from './fields.ts'

/**
 * A name server, mail server or server of a service is a host (RFC 1123 section 2.1). BIND and
 * PowerDNS refuse a zone in which one has another kind of name.
 */
const isHost = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

function assertHost(wire: Buffer): void {
  const name = textOf(wire)
  if (name !== '.' && !isHost.test(name))
    throw new DnsProblem(`${quoted(name)} is no host name: letters, digits and hyphens.`)
}

const noRoot = (rdata: Buffer) => {
  if (rdata.length === 1) throw new DnsProblem('The root "." is no name that it can point to.')
}

export const ns: Codec = {
  fields: [target('name server')],
  example: 'ns1.example.com.',
  check: (rdata) => {
    noRoot(rdata)
    assertHost(rdata)
  },
}
export const cname: Codec = {
  fields: [target('name')],
  example: 'www.example.com.',
  doubt: noRoot,
}
export const ptr: Codec = { ...cname, example: 'host.example.com.' }

/** A value such as `mail.example.com` alone, whose preference was left out. */
const preference: Field = {
  ...unsigned('preference', 2),
  read: (words) => {
    const text = words.peek?.text ?? ''
    if (words.left === 1 && !/^[0-9]+$/.test(text)) {
      words.next('preference')
      throw new DnsProblem(
        `Before ${quoted(text)} its preference is missing: the lowest number is tried first.`,
        words.repairedWith(`10 ${text}`),
      )
    }
    return unsigned('preference', 2).read(words)
  },
}

export const mx: Codec = {
  fields: [preference, target('mail server')],
  example: '10 mail.example.com.',
  check: (rdata) => assertHost(rdata.subarray(2)),
  // RFC 7505 section 3: it is written with the preference 0.
  doubt: (rdata) => {
    if (rdata.length === 3 && rdata.readUInt16BE(0) !== 0)
      throw new DnsProblem('"No mail" is written with the preference 0.', '0 .')
  },
}

export const srv: Codec = {
  fields: [unsigned('priority', 2), unsigned('weight', 2), unsigned('port', 2), target('host')],
  example: '10 5 443 host.example.com.',
  check: (rdata) => assertHost(rdata.subarray(6)),
}

const units = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
])

/**
 * The seconds of a number with or without units, such as "3600", "1h30m" or "2W", or undefined for
 * other text and above 2^32 - 1.
 */
export function parseSeconds(text: string): number | undefined {
  if (text.length > 40 || !/^(?:[0-9]+|(?:[0-9]+[smhdw])+)$/i.test(text)) return undefined
  let total = 0
  for (const [, digits, unit = 's'] of text.toLowerCase().matchAll(/([0-9]+)([smhdw])?/g))
    total += Number(digits) * (units.get(unit) ?? 1)
  return total < 2 ** 32 ? total : undefined
}

function seconds(what: string): Field {
  return {
    ...unsigned(what, 4),
    read: (words) => {
      const text = plainText(words.next(what), `The ${what}`)
      const value = parseSeconds(text)
      if (value === undefined)
        throw new DnsProblem(`The ${what} is no time in seconds, such as "3600" or "1h".`)
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    },
  }
}

export const soa: Codec = {
  fields: [
    target('primary name server'),
    target('mailbox'),
    unsigned('serial', 4),
    ...['refresh', 'retry', 'expire', 'minimum'].map(seconds),
  ],
  example: 'ns1.example.com. hostmaster.example.com. 1 3600 600 1209600 300',
}

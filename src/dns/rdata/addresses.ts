// A (RFC 1035 section 3.4.1) and AAAA (RFC 3596).
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseIp } from '../../kit/net/ip.ts'
import { DnsProblem, quoted } from '../problem.ts'
import { plainText } from '../words.ts'
import type { Codec, Field } from './codec.ts'

const kinds = {
  4: { octets: 4, name: 'IPv4 address', record: 'A' },
  6: { octets: 16, name: 'IPv6 address', record: 'AAAA' },
} as const

/**
 * The octets of an address in text, which is a strict dotted quad or any form of RFC 4291 section
 * 2.2.
 */
export function addressOctets(text: string, version: 4 | 6): Buffer {
  const kind = kinds[version]
  const found = isIP(text)
  const address = parseIp(text)
  if (found === version && address !== undefined)
    return Buffer.from(ipaddr.parse(address).toByteArray())
  const other = found === 0 ? undefined : kinds[version === 4 ? 6 : 4]
  throw new DnsProblem(
    other && address !== undefined
      ? `${quoted(text)} is an ${other.name}, which is for the type ${other.record}.`
      : `${quoted(text)} is no ${kind.name}.`,
  )
}

/** The canonical text: a dotted quad, or the form of RFC 5952. */
export function addressText(octets: Buffer): string {
  if (octets.length === 4) return octets.join('.')
  const groups = Array.from({ length: 8 }, (_, at) => octets.readUInt16BE(2 * at).toString(16))
  return parseIp(groups.join(':')) ?? groups.join(':')
}

function address(version: 4 | 6): Field {
  const { octets, name: what } = kinds[version]
  return {
    what,
    read: (words) => addressOctets(plainText(words.next(what), `The ${what}`), version),
    take: (wire) => {
      const bytes = wire.take(octets, what)
      return { bytes, text: addressText(bytes) }
    },
  }
}

export const a: Codec = { fields: [address(4)], example: '192.0.2.1' }
export const aaaa: Codec = {
  fields: [address(6)],
  example: '2001:db8::1',
  doubt: (rdata) => {
    const embedded = /^::(?:ffff:)?([0-9.]+\.[0-9]+)$/.exec(addressText(rdata))?.[1]
    if (embedded !== undefined)
      throw new DnsProblem(`It stands for the IPv4 address ${embedded}: that is an A record.`)
  },
}

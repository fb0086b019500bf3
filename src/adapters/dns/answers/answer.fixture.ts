// Test fixture: the zone of RFC 4592 2.2.1 with delegations, aliases and targets, and answers as
// text.

import { nameToWire } from '../../../dns/name.ts'
import type { RecordSet, ZoneContent } from '../port.ts'
import { nameOf } from '../stored-names.ts'
import { address, pointing, sample } from '../zones.fixture.ts'
import type { OwnedSet, Reply } from './reply.ts'

export const numbers = new Map(
  Object.entries({ A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, SRV: 33, DS: 43 })
    .concat(Object.entries({ TLSA: 52, SVCB: 64, HTTPS: 65, ANY: 255 }))
    .map(([name, number]): [string, number] => [name, number]),
)
const nameOfType = (type: number) => [...numbers].find(([, number]) => number === type)?.[0] ?? type
const pointers = [2, 5]

const set = (name: string, type: string, ...rdata: Buffer[]): ZoneContent['sets'][number] => {
  return { name, type: numbers.get(type) ?? 0, ttl: 300, rdata }
}
export const to = (name: string, type: string, target: string) =>
  pointing(name, numbers.get(type) ?? 0, target)
const after = (octets: number[], target: string) =>
  Buffer.concat([Buffer.from(octets), nameToWire(target)])
const octets = Buffer.from('0102', 'hex')
const ipv6 = (name: string) => set(name, 'AAAA', Buffer.alloc(16, 1))

export const zone: ZoneContent = {
  ...sample,
  name: 'example.com',
  sets: [
    address('example.com', '192.0.2.1'),
    set('*.example.com', 'TXT', octets),
    set('*.example.com', 'MX', after([0, 10], 'host1.example.com')),
    set('sub.*.example.com', 'TXT', octets),
    address('host1.example.com', '192.0.2.2'),
    ipv6('host1.example.com'),
    set('_ssh._tcp.host1.example.com', 'SRV', after([0, 0, 0, 0, 0, 22], 'host1.example.com')),
    set('_ssh._tcp.host2.example.com', 'SRV', after([0, 0, 0, 0, 0, 22], 'host1.example.com')),
    // Delegations with name servers below, beside and outside the delegated name.
    {
      ...set('cut.example.com', 'NS'),
      rdata: ['ns.cut.example.com', 'host1.example.com', 'ns.other.net'].map(nameToWire),
    },
    set('cut.example.com', 'DS', octets),
    address('ns.cut.example.com', '192.0.2.3'),
    to('deeper.cut.example.com', 'NS', 'ns.elsewhere.net'),
    set('*.cut.example.com', 'TXT', octets),
    to('plain.example.com', 'NS', 'ns.other.net'),
    to('own.example.com', 'NS', 'ns2.example.net'),
    to('*.cuts.example.com', 'NS', 'ns.other.net'),
    // Aliases.
    to('alias.example.com', 'CNAME', 'host1.example.com'),
    to('two.example.com', 'CNAME', 'alias.example.com'),
    to('out.example.com', 'CNAME', 'www.example.net'),
    to('missing.example.com', 'CNAME', 'nothing.host1.example.com'),
    to('down.example.com', 'CNAME', 'www.cut.example.com'),
    to('wild.example.com', 'CNAME', 'any.example.com'),
    to('self.example.com', 'CNAME', 'self.example.com'),
    to('round.example.com', 'CNAME', 'and.example.com'),
    to('and.example.com', 'CNAME', 'round.example.com'),
    to('*.aliased.example.com', 'CNAME', 'host1.example.com'),
    ...Array.from({ length: 20 }, (_, i) =>
      to(`c${i}.example.com`, 'CNAME', `c${i + 1}.example.com`),
    ),
    // Targets.
    set('mail.example.com', 'MX', after([0, 0], 'host1.example.com'), after([0, 9], 'mx.a.net')),
    set('null.example.com', 'MX', after([0, 0], '.')),
    set('service.example.com', 'HTTPS', after([0, 1], '.'), after([0, 2], 'host1.example.com')),
    address('service.example.com', '192.0.2.8'),
    set('aliasmode.example.com', 'HTTPS', after([0, 0], '.')),
    address('aliasmode.example.com', '192.0.2.9'),
    set('svcb.example.com', 'SVCB', after([0, 0], 'host1.example.com')),
    set('xmpp.example.com', 'SRV', after([0, 0, 0, 0, 0, 1], 'ns1.example.com')),
    // A delegation that only leads to itself, and a wildcard that only has a name below it.
    set('a.*.empty.example.com', 'TXT', octets),
  ],
}

const short = (wire: Buffer) => nameOf(wire).replace(/\.?example\.com$/, '') || '@'

function rdataText({ type }: RecordSet, rdata: Buffer): string {
  if (type === 1) return rdata.join('.')
  return pointers.includes(type) ? nameOf(rdata) : ''
}

const textOf = (sets: readonly OwnedSet[]) =>
  sets.map((one) => {
    const data = one.rdata.map((each) => rdataText(one, each)).join(',')
    return [short(one.name), nameOfType(one.type), data].filter((part) => part !== '').join(' ')
  })

const codes = new Map([
  [0, 'NOERROR'],
  [3, 'NXDOMAIN'],
  [5, 'REFUSED'],
])

export function replyText({ rcode, authoritative, ...sections }: Reply): string[] {
  const { answers, authorities, glue: needed, additionals } = sections
  return [
    `${codes.get(rcode)}${authoritative ? ' aa' : ''}`,
    ...textOf(answers),
    ...textOf(authorities).map((line) => `authority: ${line}`),
    ...textOf(needed).map((line) => `glue: ${line}`),
    ...textOf(additionals).map((line) => `additional: ${line}`),
  ]
}

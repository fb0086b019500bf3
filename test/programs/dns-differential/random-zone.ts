// Random zones that keep the rules for stored records, as zone files and as the store has them.
import type { ZoneContent } from '../../../src/adapters/dns/port.ts'
import { nameserversOf, soaOf } from '../../../src/adapters/dns/zone-defaults.ts'
import { absolute } from '../../../src/dns/name.ts'
import { readRdata, writeRdata } from '../../../src/dns/rdata/rdata.ts'
import { fileTypeName, fileTypeNumber } from '../../../src/dns/types.ts'
import type { Chance } from '../../disasters/support/seeded-random.ts'

type Values = { name: string; type: string; ttl: number; values: string[] }
export type RandomZone = { content: ZoneContent; file: string }

export const labels = ['a', 'b', 'c', 'www', 'mx', '_tcp', 'ns1', 'x-y', '9']
const elsewhere = ['ns.other.test', 'www.else.where.example', 'mail.other.test']
/** Types of ordinary names, with random values. CNAME, NS and DS have their own places. */
const plainTypes = [
  'A',
  'AAAA',
  'MX',
  'TXT',
  'SRV',
  'CAA',
  'TLSA',
  'SSHFP',
  'HTTPS',
  'SVCB',
].concat(['A', 'AAAA', 'MX', 'PTR', 'NAPTR', 'URI', 'LOC', 'TYPE65280'])

export function randomZone(name: string, chance: Chance): RandomZone {
  const isChance = (share: number) => chance.next() < share
  const host = () => {
    const depth = 1 + chance.below(chance.pick([1, 2, 4]))
    const own = Array.from({ length: depth }, () => chance.pick(labels))
    return [...(isChance(0.3) ? ['*'] : []), ...own, name].join('.')
  }
  const hosts = [...new Set(Array.from({ length: 3 + chance.below(25) }, host))]
  const cuts = topmost(hosts.filter((one) => isHostName(one) && isChance(0.15)))
  const isBelow = (one: string) => cuts.some((cut) => one === cut || one.endsWith(`.${cut}`))
  const ours = hosts.filter((one) => !isBelow(one))
  // This is not the zone's own name server, because NS must not point to an alias (RFC 2181 10.3).
  const aliases = new Set(ours.filter((one) => one !== `ns1.${name}` && isChance(0.2)))
  const plain = [name, ...ours.filter((one) => !aliases.has(one))]
  const ttl = () => chance.pick([60, 300, 3600, 86_400])
  /**
   * A name in the zone or outside, existing or not, matched by a wildcard or not. With `plain`, it
   * is a host name and not an alias.
   */
  const target = (of: 'any' | 'plain'): string => {
    const there =
      of === 'any' ? [...plain, ...aliases, ...aliases, ...cuts.map((cut) => `www.${cut}`)] : plain
    const found = chance.pick([
      chance.pick(there),
      chance.pick(there),
      host(),
      chance.pick(elsewhere),
    ])
    const free = found.replace(/^\*/, () => chance.pick(labels))
    if (of === 'any' || (isHostName(free) && !aliases.has(free))) return free
    return chance.pick(elsewhere)
  }
  const make = { chance, target }
  const sets: Values[] = [
    ...plain.flatMap((owner) => {
      const types = new Set(
        Array.from({ length: 1 + chance.below(4) }, () => chance.pick(plainTypes)),
      )
      return [...types].map((type) => {
        return { name: owner, type, ttl: ttl(), values: valuesOf(type, make) }
      })
    }),
    ...[...aliases].map((owner) => {
      return { name: owner, type: 'CNAME', ttl: ttl(), values: [absolute(target('any'))] }
    }),
    ...cuts.flatMap((cut) => delegation(cut, { cuts, ttl: ttl(), ...make })),
  ]
  const nameservers = [`ns1.${name}`, 'ns2.other.test']
  const serial = 1_700_000_000 + chance.below(1_000_000)
  const zone = { name, serial, nameservers }
  return { content: { ...zone, sets: storedSets(sets, name) }, file: fileOf(zone, sets) }
}

/** The names have letters, digits and hyphens, because MX, SRV and NS point to nothing else. */
function isHostName(name: string): boolean {
  return !/[*_]/.test(name)
}

/** The names that are not below another one. */
function topmost(names: readonly string[]): string[] {
  return names.filter((one) => !names.some((other) => one.endsWith(`.${other}`)))
}

type Make = { chance: Chance; target: (of: 'any' | 'plain') => string }

/**
 * NS records with name servers below the delegation (with glue), in the zone and elsewhere, and
 * perhaps DS records.
 */
function delegation(
  cut: string,
  { cuts, ttl, chance, target }: Make & { cuts: readonly string[]; ttl: number },
): Values[] {
  const kinds = Array.from({ length: 1 + chance.below(3) }, () =>
    chance.pick(['own', 'own', 'self', 'sibling', 'any'] as const),
  )
  const names = kinds.map((kind, i) => {
    if (kind === 'own') return `ns${i}.${cut}`
    if (kind === 'self') return cut
    return kind === 'sibling' ? `ns0.${chance.pick(cuts)}` : target('plain')
  })
  const hosts = [...new Set(names)]
  const sets: Values[] = [{ name: cut, type: 'NS', ttl, values: hosts.map(absolute) }]
  for (const one of hosts.filter((each) => each === cut || each.endsWith(`.${cut}`)))
    for (const type of chance.pick([['A'], ['AAAA'], ['A', 'AAAA']]))
      sets.push({ name: one, type, ttl, values: valuesOf(type, { chance, target }) })
  if (chance.next() < 0.5)
    sets.push({ name: cut, type: 'DS', ttl, values: [`7 13 2 ${hex(chance)}`] })
  return sets
}

const hex = (chance: Chance) =>
  Array.from({ length: 64 }, () => chance.below(16).toString(16)).join('')

const targeting = new Set(['MX', 'SRV', 'HTTPS', 'SVCB'])

function valuesOf(type: string, make: Make): string[] {
  const { chance, target } = make
  // An alias is alone (RFC 9460 2.4.1).
  const mayBeAlias = type === 'HTTPS' || type === 'SVCB'
  if (mayBeAlias && chance.next() < 0.3) return [`0 ${absolute(target('any'))}`]
  // Some do not fit into 512 octets, some not into 1232. Not of targets: Knot 3.2.6 answers nothing
  // any more, once the addresses of many did not fit into a UDP message.
  const count = chance.pick([1, 1, 1, 2, 3, targeting.has(type) ? 2 : chance.pick([1, 5, 30])])
  return [...new Set(Array.from({ length: count }, () => randomValue(type, make)))]
}

function randomValue(type: string, { chance, target }: Make): string {
  const number = () => chance.below(250)
  const name = () => absolute(target('plain'))
  switch (type) {
    case 'A':
      return `192.0.2.${number()}`
    case 'AAAA':
      return `2001:db8::${number()}`
    case 'MX':
      return chance.next() < 0.1 ? '0 .' : `${number()} ${name()}`
    case 'TXT':
      return chance.pick([`"v=spf1 -all ${number()}"`, `"${'x'.repeat(number())}" "y"`, '""'])
    case 'SRV':
      return `${number()} 5 443 ${name()}`
    case 'CAA':
      return `0 issue "ca${number()}.test"`
    case 'TLSA':
      return `3 1 1 ${hex(chance)}`
    case 'SSHFP':
      return `4 2 ${hex(chance)}`
    case 'HTTPS':
    case 'SVCB':
      return chance.pick([
        `${1 + number()} . alpn=h2,h3 ipv4hint=192.0.2.1`,
        `${1 + number()} ${absolute(target('any'))} port=8443`,
      ])
    case 'PTR':
      return absolute(target('any'))
    case 'NAPTR':
      return `${number()} 10 "S" "SIP+D2U" "" ${absolute(target('any'))}`
    case 'URI':
      return `10 ${number()} "https://a.test/"`
    case 'LOC':
      return `${chance.below(80)} 1 2.000 N 3 4 5.000 E 6.00m 1.00m 100.00m 10.00m`
    default:
      return `\\# 2 ${number().toString(16).padStart(4, '0')}`
  }
}

function storedSets(sets: readonly Values[], origin: string): ZoneContent['sets'] {
  return sets.map(({ name, type, ttl, values }) => {
    const number = fileTypeNumber(type) ?? 0
    const rdata = values.map((value) => {
      const read = readRdata(number, value, { names: 'zone_file', origin })
      if ('problem' in read) throw new Error(`${type} ${value}: ${read.problem}`)
      return read.rdata
    })
    return { name, type: number, ttl, rdata }
  })
}

/** The zone as our own server serves it, with the SOA and NS that every zone has. */
function fileOf(zone: Omit<ZoneContent, 'sets'>, sets: readonly Values[]): string {
  const managed = [soaOf(zone), nameserversOf(zone)].map(({ type, ttl, rdata }) => {
    const values = rdata.map((one) => writeRdata(type, one))
    return { name: zone.name, type: fileTypeName(type), ttl, values }
  })
  return [...managed, ...sets]
    .flatMap(({ name, type, ttl, values }) =>
      values.map((value) => `${absolute(name)} ${ttl} IN ${type} ${value}\n`),
    )
    .join('')
}

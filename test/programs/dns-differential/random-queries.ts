// Random queries to a zone: names that are there, above, below and beside them, in any case and
// with any octets, and every type.
import { nameToWire } from '../../../src/dns/name.ts'
import { fileTypeNumber, rrType } from '../../../src/dns/types.ts'
import type { Chance } from '../../disasters/support/seeded-random.ts'
import type { Query } from './ask.ts'
import { labels, type RandomZone } from './random-zone.ts'

const types = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'CAA', 'NS', 'DS', 'TLSA', 'SSHFP']
  .concat(['HTTPS', 'SVCB', 'SOA', 'PTR', 'NAPTR', 'URI', 'LOC', 'TYPE65280', 'TYPE65281'])
  .map((name) => fileTypeNumber(name) ?? 0)

export function randomQueries({ content }: RandomZone, many: number, chance: Chance): Query[] {
  const owners = [content.name, ...content.sets.map(({ name }) => name)]
  const stored = new Map(owners.map((name): [string, number[]] => [name, [rrType.soa, rrType.ns]]))
  for (const { name, type } of content.sets) stored.get(name)?.push(type)
  const wildcards = owners.filter((name) => name.startsWith('*'))
  const aliases = content.sets.flatMap(({ name, type }) => (type === rrType.cname ? [name] : []))
  const cuts = content.sets.flatMap(({ name, type }) => (type === rrType.ns ? [name] : []))
  const any = (some: readonly string[]) => chance.pick(some.length > 0 ? some : owners)
  const label = () => chance.pick([...labels, '*', 'q'])
  const names: (() => string)[] = [
    () => chance.pick(owners),
    () => chance.pick(owners),
    () => any(aliases),
    () => any(aliases),
    () => above(chance.pick(owners), chance),
    () => any(wildcards).replace(/^\*/, label),
    () => any(wildcards).replace(/^\*/, () => `${label()}.${label()}`),
    () => `${label()}.${any(cuts)}`,
    () => any(cuts),
    () => `${label()}.${chance.pick(owners)}`,
    () => `${label()}.${label()}.${above(chance.pick(owners), chance)}`,
    () => chance.pick(owners).replace(/^[^.]+/, label),
    () => chance.pick([`not${content.name}`, 'other.test', 'test', '.', content.name]),
  ]
  return Array.from({ length: many }, () => {
    const name = chance.pick(names)()
    const there = (stored.get(name) ?? [rrType.a, rrType.ds]).filter(() => chance.next() < 0.5)
    return {
      name: odd(nameToWire(name), chance),
      type: chance.next() < 0.05 ? rrType.any : chance.pick([...there, chance.pick(types)]),
      recursion_desired: chance.next() < 0.5,
      edns: chance.pick([null, 512, 1232, 1232, 4096]),
    }
  })
}

/** The name, or one above it. */
function above(name: string, chance: Chance): string {
  const parts = name.split('.')
  return parts.slice(chance.below(Math.max(1, parts.length - 1))).join('.')
}

/** Some names are in another case, and few contain an octet that no host name has. */
function odd(wire: Buffer, chance: Chance): Buffer {
  const bytes = Buffer.from(wire)
  const isOdd = chance.next() < 0.05
  const isMixed = chance.next() < 0.3
  const places: number[] = []
  for (let at = 0; (bytes[at] ?? 0) > 0; at += 1 + (bytes[at] ?? 0))
    for (let i = 1; i <= (bytes[at] ?? 0); i += 1) places.push(at + i)
  if (isMixed)
    for (const at of places) {
      const octet = bytes[at] ?? 0
      if (octet >= 0x61 && octet <= 0x7a && chance.next() < 0.5) bytes[at] = octet - 32
    }
  if (isOdd && places.length > 0) {
    const at = chance.pick(places.slice(0, 4))
    bytes[at] = chance.pick([0, 0x20, 0x2e, 0x5c, 0x80, 0xff])
  }
  return bytes
}

// Kinds of answers, to see that each of them was compared.
import { rrType } from '../../../src/dns/types.ts'
import { type Compared, stored } from './compare.ts'

type Answer = Compared['ours']['tcp'] & Pick<Compared, 'query' | 'zone'> & { is_truncated: boolean }

const typesIn = (lines: readonly string[]) => lines.map((line) => line.split(' ')[2] ?? '')
const isOurs = ({ flags }: Answer) => flags.includes('aa')
const hasSoa = ({ authority }: Answer) => typesIn(authority).includes('SOA')
const hasNs = ({ authority }: Answer) => typesIn(authority).includes('NS')
const aliases = ({ answer, query }: Answer) =>
  query.type === rrType.cname ? 0 : typesIn(answer).filter((type) => type === 'CNAME').length

const tests: Record<string, (answer: Answer) => boolean> = {
  'a set': (one) => one.answer.length > 0 && aliases(one) === 0,
  'of a wildcard': ({ answer, zone }) => {
    const owner = answer.at(-1)?.split(' ')[0] ?? zone.content.name
    return owner !== zone.content.name && !stored(zone).has(owner)
  },
  'a chain of aliases': (one) => aliases(one) > 1,
  'an alias that leaves the zone, or a circle': (one) =>
    aliases(one) > 0 && typesIn(one.answer).at(-1) === 'CNAME' && one.authority.length === 0,
  'NXDOMAIN behind an alias': (one) => aliases(one) > 0 && one.rcode === 3,
  'NODATA behind an alias': (one) => aliases(one) > 0 && one.rcode === 0 && hasSoa(one),
  'a referral behind an alias': (one) => aliases(one) > 0 && hasNs(one),
  'a referral': (one) => !isOurs(one) && hasNs(one),
  'a referral with glue': (one) => !isOurs(one) && hasNs(one) && one.additional.length > 0,
  'DS at a delegation': (one) => isOurs(one) && typesIn(one.answer).includes('DS'),
  NODATA: (one) => one.rcode === 0 && one.answer.length === 0 && hasSoa(one),
  NXDOMAIN: ({ rcode }) => rcode === 3,
  REFUSED: ({ rcode }) => rcode === 5,
  'additional data': (one) => isOurs(one) && one.additional.length > 0,
  truncated: ({ is_truncated }) => is_truncated,
  ANY: ({ query, answer }) => query.type === rrType.any && answer.length > 0,
}

export const kinds = Object.keys(tests)

export function kindsOf({
  query,
  zone,
  ours,
}: Pick<Compared, 'query' | 'zone' | 'ours'>): string[] {
  const is_truncated = ours.udp.flags.includes('tc')
  const answer = { ...ours.tcp, query, zone, is_truncated }
  return kinds.filter((kind) => tests[kind]?.(answer))
}

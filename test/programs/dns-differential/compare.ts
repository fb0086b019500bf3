// Compares our answer to a query with that of another name server. Each difference that an RFC
// allows is a rule of its own, as narrow as it can be; any other one is reported.
import { isWithin } from '../../../src/adapters/dns/zone-defaults.ts'
import { fileTypeName, rrType } from '../../../src/dns/types.ts'
import type { Answered, Query } from './ask.ts'
import type { RandomZone } from './random-zone.ts'

export type Both = { udp: Answered; tcp: Answered }
export type Compared = {
  query: Query
  zone: RandomZone
  server: 'nsd' | 'knot'
  ours: Both
  theirs: Both
}

const sections = ['answer', 'authority', 'additional'] as const
type Line = {
  side: 'ours' | 'theirs'
  section: (typeof sections)[number]
  owner: string
  type: string
}
type Rule = {
  /** Why both answers are right. */
  why: string
  applies: (compared: Compared) => boolean
  /** Whether a record is left out of the comparison. */
  omits: (line: Line, compared: Compared) => boolean
}

const isPositive = ({ theirs, ours }: Compared) =>
  theirs.tcp.answer.length > 0 && ours.tcp.authority.length === 0
const typesOf = (lines: readonly string[]) => new Set(lines.map((line) => line.split(' ')[2] ?? ''))
export const stored = ({ content }: RandomZone) => new Set(content.sets.map(({ name }) => name))

const rules: readonly Rule[] = [
  {
    why: 'NSD adds the NS of the zone with their addresses, which is optional (RFC 1034 4.3.2)',
    applies: (compared) => compared.server === 'nsd' && isPositive(compared),
    omits: ({ side, section, owner, type }, { zone: { content } }) =>
      side === 'theirs' &&
      ((section === 'authority' && owner === content.name && type === 'NS') ||
        (section === 'additional' && content.nameservers.includes(owner))),
  },
  {
    why: 'of ANY one set is enough, and any one (RFC 8482 4.1); its addresses follow from it',
    applies: (compared) => compared.query.type === rrType.any && isPositive(compared),
    omits: ({ side, section }, { server }) =>
      section === 'additional' || (section === 'answer' && (side === 'theirs' || server === 'nsd')),
  },
  {
    why: 'addresses for SVCB and HTTPS, which NSD 4.6 and Knot 3.2 lack (RFC 9460 4.1)',
    applies: ({ ours }) => ['SVCB', 'HTTPS'].some((type) => typesOf(ours.tcp.answer).has(type)),
    omits: ({ section }) => section === 'additional',
  },
  {
    why: 'NSD leaves addresses of a delegation to referrals; Knot and we add them (RFC 1034 4.3.2)',
    applies: ({ server }) => server === 'nsd',
    omits: ({ side, section, owner }, { zone: { content } }) =>
      side === 'ours' &&
      section === 'additional' &&
      content.sets.some(({ name, type }) => type === rrType.ns && isWithin(owner, name)),
  },
  {
    why: 'addresses that a wildcard would make are no additional data of ours, which is optional',
    applies: () => true,
    omits: ({ side, section, owner }, { zone }) =>
      side === 'theirs' && section === 'additional' && !stored(zone).has(owner),
  },
]

/** The differences that no rule explains, and the rules that explained one. */
export function compare(compared: Compared): { unexplained: string[]; used: string[] } {
  const { ours, theirs } = compared
  const unexplained: string[] = []
  const used = new Set<string>()
  for (const transport of ['udp', 'tcp'] as const) {
    const [a, b] = [ours[transport], theirs[transport]]
    if (a.rcode !== b.rcode) unexplained.push(`${transport}: RCODE ${a.rcode}, theirs ${b.rcode}`)
    const [own, other] = [a, b].map(({ flags }) => flags.filter((flag) => flag !== 'tc').join())
    if (own !== other) unexplained.push(`${transport}: flags ${own}, theirs ${other}`)
  }
  const truncation = compareTruncation(compared)
  if (truncation.unexplained !== null) unexplained.push(truncation.unexplained)
  if (truncation.used !== null) used.add(truncation.used)
  for (const section of sections)
    for (const { side, text } of setDifference(ours.tcp[section], theirs.tcp[section])) {
      const [owner = '', , type = ''] = text.split(' ')
      const line = { side, section, owner, type }
      const rule = rules.find((one) => one.applies(compared) && one.omits(line, compared))
      if (rule) used.add(rule.why)
      else unexplained.push(`${section}: only ${side}: ${text}`)
    }
  return { unexplained, used: [...used] }
}

type Difference = { side: 'ours' | 'theirs'; text: string }

function setDifference(ours: string[], theirs: string[]): Difference[] {
  const more = ours.filter((line) => !theirs.includes(line))
  const fewer = theirs.filter((line) => !ours.includes(line))
  return [
    ...more.map((text) => ({ side: 'ours' as const, text })),
    ...fewer.map((text) => ({ side: 'theirs' as const, text })),
  ]
}

function compareTruncation({ query, server, ours, theirs }: Compared) {
  const none = { unexplained: null, used: null }
  const [a, b] = [ours, theirs].map(({ udp }) => udp.flags.includes('tc'))
  if ([ours, theirs].some(({ tcp }) => tcp.flags.includes('tc')))
    return { ...none, unexplained: 'TC over TCP' }
  if (a === b) return none
  const limit = Math.min(Math.max(query.edns ?? 512, 512), 1232)
  const isReferral = !ours.tcp.flags.includes('aa') && ours.tcp.authority.length > 0
  // They answer more to ANY (RFC 8482 4.1).
  if (query.type === rrType.any && b) return none
  if (server === 'nsd' && a && isReferral && ours.tcp.octets > limit)
    return {
      ...none,
      used: 'NSD 4.6 sets no TC where glue is left out, as RFC 9471 part 3 demands',
    }
  const [truncated, whole] = a ? [ours, theirs] : [theirs, ours]
  if (truncated.tcp.octets > limit && whole.udp.octets <= limit)
    return { ...none, used: 'one message fits, as compression is free to differ (RFC 1035 4.1.4)' }
  return { ...none, unexplained: `TC ${a}, theirs ${b}` }
}

/** Our additional data belongs to the zone, whatever the others have. */
export function checkAdditional({ tcp }: Both, { content }: RandomZone): string[] {
  const lines = content.sets.flatMap(({ name, type, ttl, rdata }) =>
    rdata.map((one) => `${name} ${ttl} ${fileTypeName(type)} ${one.toString('hex')}`),
  )
  return tcp.additional.filter((line) => !lines.includes(line)).map((line) => `invented: ${line}`)
}

/** Our answer over UDP is the one over TCP, without the data that may be left out. */
export function checkUdp({ udp, tcp }: Both): string[] {
  if (udp.flags.includes('tc')) return []
  const required = (['answer', 'authority'] as const).flatMap((section) =>
    setDifference(udp[section], tcp[section]).map(({ text }) => `over one transport: ${text}`),
  )
  const additional = udp.additional.filter((line) => !tcp.additional.includes(line))
  return [...required, ...additional.map((line) => `only over UDP: ${line}`)]
}

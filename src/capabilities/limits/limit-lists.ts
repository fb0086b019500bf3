// The lists of a limit, item by item: TLDs, domains or patterns of them, networks.
import type { FieldReader } from '../../kit/field-reader.ts'
import {
  type HostRead,
  type HostReading,
  type IdnExceptions,
  readHost,
} from '../../kit/net/host.ts'
import { parseDomainPattern, parseNetwork } from './patterns.ts'

type ItemReader = {
  /** The item as it is kept; a problem that is empty has the sentence below. */
  parse: (text: string, reading: HostReading) => HostRead
  problem: string
}
const tlds: ItemReader = {
  parse: (text, reading) => readHost(text.replace(/^\./, ''), reading),
  problem: 'Input should be a TLD, such as "com"',
}
const domains: ItemReader = {
  parse(text, reading) {
    const read = parseDomainPattern(text, reading)
    // A star is no character that may not be there: the pattern as a whole is wrong.
    return 'problem' in read && read.problem.includes('U+002A') ? { problem: '' } : read
  },
  problem:
    'Input should be a domain, such as "my-agent.com", or a pattern of ASCII characters with up ' +
    'to three "*" before the TLD, such as "shop-*.com"',
}
const ips: ItemReader = {
  parse(text) {
    const host = parseNetwork(text)
    return host === undefined ? { problem: '' } : { host }
  },
  problem:
    'Input should be an IPv4 address or network, or an IPv6 address or a network of /64 or ' +
    'wider, such as "192.0.2.0/24"',
}

export type LimitList = 'allowed_tlds' | 'allowed_domains' | 'allowed_ips'
const readers: Record<LimitList, ItemReader> = {
  allowed_tlds: tlds,
  allowed_domains: domains,
  allowed_ips: ips,
}

type GivenList = {
  field: LimitList
  given: readonly string[] | null
  exceptions: IdnExceptions | undefined
}

/** Each item once, in its stored form. Notes every malformed item with the reader. */
export function readList(reader: FieldReader, { field, given, exceptions }: GivenList) {
  if (given === null) return null
  const items = readers[field]
  const read = given.map((text) => items.parse(text, exceptions ? { exceptions } : {}))
  for (const [at, item] of read.entries())
    if ('problem' in item)
      reader.refuse([field, at], item.problem ? `Input ${item.problem}` : items.problem)
  return [...new Set(read.flatMap((item) => ('host' in item ? [item.host] : [])))]
}

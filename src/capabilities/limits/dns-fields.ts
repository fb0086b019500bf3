// The limit of DNS records of a key or an app: the field of requests and answers, and its columns.
import Type, { type Static } from 'typebox'
import { typeName, typeNumber } from '../../dns/types.ts'
import type { FieldReader } from '../../kit/field-reader.ts'
import type { IdnExceptions } from '../../kit/net/host.ts'
import { nullable } from '../../kit/schema.ts'
import { parseHostPattern } from './host-patterns.ts'

export const dnsListSizes = { hosts: 100, types: 30 } as const

export const dnsHostsField = Type.Array(
  Type.String({ minLength: 1, maxLength: 300, examples: ['_acme-challenge*'] }),
  {
    minItems: 1,
    maxItems: dnsListSizes.hosts,
    description:
      'The only hosts, relative to the domain: "www", "@" (itself), or with "*" for any text, ' +
      'deeper labels too: "_acme-challenge*". Null allows all.',
  },
)
export const dnsTypesField = Type.Array(
  Type.String({ minLength: 1, maxLength: 10, examples: ['TXT'] }),
  {
    minItems: 1,
    maxItems: dnsListSizes.types,
    description: 'The only types, by name or as TYPEn (RFC 3597). Null allows all.',
  },
)
const given = Type.Object(
  {
    hosts: Type.Optional(nullable(dnsHostsField)),
    types: Type.Optional(nullable(dnsTypesField)),
  },
  {
    additionalProperties: false,
    description: 'The DNS records that it may change, by hosts, types, or both. Null allows all.',
  },
)
type GivenDnsLimit = Static<typeof given>

/** The field of a request. */
export const dnsField = Type.Optional(nullable(given))

/** The field of an answer. */
export const dnsShape = nullable(
  Type.Object(
    {
      hosts: nullable(Type.Array(Type.String(), { description: 'Hosts relative to the domain.' })),
      types: nullable(Type.Array(Type.String(), { description: 'Types by name, or as TYPEn.' })),
    },
    { description: 'The DNS records that it may change. Null allows all.' },
  ),
)

/** The limit as it is stored, with the types by number. */
export type StoredDnsLimit = {
  dns_hosts: string[] | null
  dns_types: number[] | null
  /** Whether the owner set it in a session, or null if there is none. */
  dns_in_person: boolean | null
}

export const noDnsLimit: StoredDnsLimit = { dns_hosts: null, dns_types: null, dns_in_person: null }

/** Picks the columns of the limit from a row that has more. */
export function storedDnsLimit({ dns_hosts, dns_types, dns_in_person }: StoredDnsLimit) {
  return { dns_hosts, dns_types, dns_in_person }
}

type Reading = {
  reader: FieldReader
  idn_exceptions?: IdnExceptions | undefined
  in_person: boolean
  /** The place of hosts and types in the request; `dns`, if left out. */
  at?: readonly string[]
}

/** Notes every malformed host and type with the reader. */
export function readDnsLimit(reading: Reading, dns: GivenDnsLimit | null): StoredDnsLimit {
  if (dns === null) return noDnsLimit
  const { reader, idn_exceptions, in_person, at: place = ['dns'] } = reading
  const { hosts: patterns = null, types: names = null } = dns
  if (patterns === null && names === null)
    reader.refuse(['dns'], 'Input should have "hosts", "types" or both')
  const read = <T>(field: string, list: string[] | null, of: ItemOf<T>): T[] | null => {
    const items = list?.map((text, at) => {
      const item = of.parse(text)
      if (item === undefined) reader.refuse([...place, field, at], of.problem)
      return item
    })
    return items ? [...new Set(items.filter((item) => item !== undefined))] : null
  }
  const dns_hosts = read('hosts', patterns, {
    parse: (text) => parseHostPattern(text, idn_exceptions),
    problem:
      'Input should be a host relative to the domain, such as "www" or "@", in which "*" may ' +
      'stand for any text: "_acme-challenge*"',
  })
  const dns_types = read('types', names, {
    parse: typeNumber,
    problem: 'Input should be a type of DNS records, such as "TXT", or "TYPE99"',
  })
  return { dns_hosts, dns_types, dns_in_person: dns_hosts || dns_types ? in_person : null }
}

type ItemOf<T> = { parse: (text: string) => T | undefined; problem: string }

export function dnsBody({ dns_hosts, dns_types }: StoredDnsLimit): Static<typeof dnsShape> {
  if (dns_hosts === null && dns_types === null) return null
  return { hosts: dns_hosts, types: dns_types?.map(typeName) ?? null }
}

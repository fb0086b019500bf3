// IP addresses: one text for each, whether the whole Internet can reach one, and its networks.
import { isIP, SocketAddress } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The address in its usual text (RFC 5952 for IPv6); undefined for any other text, such as "127.1",
 * "010.0.0.1" or an address with a zone.
 */
export function parseIp(text: string): string | undefined {
  const version = isIP(text)
  // Node accepts "fe80::1%eth0".
  if (version === 0 || text.includes('%')) return undefined
  return version === 4 ? text : new SocketAddress({ address: text, family: 'ipv6' }).address
}

// All other IPv6 is reserved, or holds an IPv4 address (RFC 4291 section 2.5.4).
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * This address is public by its range, but is a service of the platform (Azure) to the machines on
 * it.
 */
const inside: readonly string[] = ['168.63.129.16']

/**
 * Whether the address is globally reachable unicast by IANA's special-purpose registries: neither
 * private, shared, loopback, link-local, multicast, documentation, benchmarking nor reserved, and
 * no IPv4 address within IPv6 (mapped, compatible, NAT64, 6to4, Teredo). False for other text.
 */
export function isPublicIp(text: string): boolean {
  const plain = parseIp(text)
  if (plain === undefined || inside.includes(plain)) return false
  const address = ipaddr.parse(plain)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

const documentation = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

/**
 * Whether a name server may have the address: a public one, or one of the IPv4 blocks for
 * documentation (RFC 5737), which examples and sandbox registries use.
 */
export function isGlueAddress(text: string): boolean {
  if (isPublicIp(text)) return true
  return isIP(text) === 4 && documentation.some((range) => ipaddr.IPv4.parse(text).match(range))
}

/** The unit that limits count: one IPv4 address, or the /64 that one IPv6 household has. */
export function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.process(address.split('%')[0] ?? '')
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/**
 * A network of an address. `step` is its width, where 0 is the address itself (in IPv6, the /64
 * that counts as one). Limits grow more slowly with the step than networks do.
 */
type Network = { name: string; step: 0 | 1 | 2 | 3 }

/**
 * The networks of an address, the narrowest first. It is the address alone unless that has the form
 * of `countedAddress`.
 */
export function networksOf(address: string): [Network, ...Network[]] {
  const own = { name: address, step: 0 } as const
  const [, three] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? []
  if (three !== undefined) return [own, { name: `${three}.0/24`, step: 2 }]
  const groups = /^([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)::\/64$/.exec(address)
  if (!groups) return [own]
  const [a = 0, b = 0, c = 0, d = 0] = groups.slice(1).map((group) => Number.parseInt(group, 16))
  const prefix = (...parts: number[]) => parts.map((part) => part.toString(16)).join(':')
  return [
    own,
    { name: `${prefix(a, b, c, d & 0xff00)}::/56`, step: 1 },
    { name: `${prefix(a, b, c)}::/48`, step: 2 },
    { name: `${prefix(a, b)}::/32`, step: 3 },
  ]
}

/** The widest network that can be one party's: a household, or a small company. */
export function siteOf(address: string): string {
  return (networksOf(address).findLast(({ step }) => step <= 2) ?? { name: address }).name
}

// IP addresses as they come in, and in the one form in which they are compared and kept.
import { BlockList, isIP, SocketAddress } from 'node:net'

/**
 * The address in its usual text (RFC 5952 for IPv6); undefined for what is none, such as "127.1",
 * "010.0.0.1" or one with a zone.
 */
export function parseIp(text: string): string | undefined {
  const version = isIP(text)
  // Node takes "fe80::1%eth0" for an address.
  if (version === 0 || text.includes('%')) return undefined
  return version === 4 ? text : new SocketAddress({ address: text, family: 'ipv6' }).address
}

// What no host on the Internet can have: private, shared, loopback, link-local, multicast, reserved
// (IANA's special-purpose registries), and IPv4 in the clothes of IPv6.
const nowhere = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  nowhere.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  nowhere.addSubnet(network, prefix, 'ipv6')

/** Whether the whole Internet could reach a host at this address, one that parseIp gave. */
export function isPublicIp(address: string): boolean {
  const version = isIP(address)
  if (address.startsWith('::ffff:')) return false
  return version !== 0 && !nowhere.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

// The networks that an address lies in, from its own to what one party may hold. Limits that grow
// more slowly than networks do: a crowd within one of them has not as many tries as addresses.

/** `step`: how wide it is, 0 being the address itself (in IPv6: the /64 that counts as one). */
export type Network = { name: string; step: 0 | 1 | 2 | 3 }

/**
 * Narrowest first. `address` as calls are counted by: an IPv4 address, or an IPv6 /64; of anything
 * else only itself is known.
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

/** What a household or a small company has: the widest that can be one party's. */
export function siteOf(address: string): string {
  return (networksOf(address).findLast(({ step }) => step <= 2) ?? { name: address }).name
}

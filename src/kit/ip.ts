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

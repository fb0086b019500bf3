// SSRF address policy: a fetch of a URL that a client named may only reach public unicast
// addresses. A name is resolved once, every address is checked, and the checked addresses are
// connected to.
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isPublicIp, parseIp } from '../../../kit/net/ip.ts'

// Beside the addresses that kit/net/ip.ts excludes: tests, documentation, benchmarks, relays, and
// IPv4 behind IPv6 (IANA's special-purpose registries). IPv6 unicast is 2000::/3 and nothing else.
const special = new BlockList()
for (const [network, prefix] of [
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
] as const)
  special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6')
const unicast = new BlockList()
unicast.addSubnet('2000::', 3, 'ipv6')

/** Whether a host at this address is reachable from the whole Internet; false for a non-address. */
export function isPublicUnicast(address: string): boolean {
  const plain = parseIp(address)
  if (plain === undefined || !isPublicIp(plain)) return false
  if (isIP(plain) === 4) return !special.check(plain, 'ipv4')
  return unicast.check(plain, 'ipv6') && !special.check(plain, 'ipv6')
}

/**
 * All addresses of a host, from the DNS alone: no hosts file, no search list. With a resolver of
 * its own that can be cancelled, because getaddrinfo blocks one of the process's few threads for as
 * long as the client's name server likes.
 */
export async function resolvePublic(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const asked = [resolver.resolve4(host), resolver.resolve6(host)]
    const answers = await Promise.allSettled(asked)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

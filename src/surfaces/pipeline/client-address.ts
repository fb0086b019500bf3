// Whose address a request counts for: the socket's, or what a trusted proxy says (TRUSTED_PROXIES,
// decisions part 2).
import { BlockList, isIP } from 'node:net'
import { SettingError } from '../../config.ts'
import { parseIp } from '../../kit/net/ip.ts'

export type AddressOf = (request: {
  socketAddress: string
  forwardedFor: string | undefined
}) => string

/**
 * Reads the list of addresses and CIDR ranges once; throws SettingError for one that is neither.
 */
export function addressReader(trustedProxies: readonly string[]): AddressOf {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', bits = '', ...more] = range.split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const prefix = range.includes('/') ? bits : String(most)
    const known = /^(0|[1-9][0-9]{0,2})$/.test(prefix) && Number(prefix) <= most
    if (family === 0 || !known || more.length > 0)
      throw new SettingError('TRUSTED_PROXIES', `holds "${range}", no address or CIDR`)
    trusted.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
  }
  // Without proxies there is nothing to look up, on every request.
  if (trustedProxies.length === 0) return ({ socketAddress }) => plain(socketAddress)
  const isTrusted = (address: string) => {
    const family = isIP(address)
    return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
  return ({ socketAddress, forwardedFor }) => {
    const chain = (forwardedFor ?? '').split(',')
    let address = plain(socketAddress)
    // From the nearest hop outwards: the first that is not a proxy of ours is the caller.
    while (isTrusted(address)) {
      const next = forwardedIn(chain.pop() ?? '')
      if (next === undefined) break
      address = next
    }
    return address
  }
}

/**
 * The address of one element of X-Forwarded-For: some proxies add the port, and brackets with or
 * without it. Undefined for "unknown" and the like.
 */
function forwardedIn(element: string): string | undefined {
  const text = element.trim()
  const [, bracketed] = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(text) ?? []
  const [, withPort] = /^([0-9.]+):[0-9]{1,5}$/.exec(text) ?? []
  const address = bracketed ?? withPort ?? text
  return isIP(address) === 0 ? undefined : plain(address)
}

/** In the one form that each address has: IPv4-mapped IPv6 as IPv4, and no zone. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address
  const canonical = parseIp(address.split('%')[0] ?? '') ?? address
  return canonical.startsWith('::ffff:') && canonical.includes('.') ? canonical.slice(7) : canonical
}

/** The unit that is counted: one IPv4 address, or the /64 that one IPv6 household has. */
export function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = expand(plain(address)).slice(0, 4)
  return `${groups.join(':')}::/64`
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  return [...front, ...Array<string>(gap).fill('0'), ...back]
}

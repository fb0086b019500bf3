// Whose address a request counts for: the socket's, or what a trusted proxy says (TRUSTED_PROXIES,
// decisions part 2).
import { BlockList, isIP } from 'node:net'
import { SettingError } from '../config.ts'

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
    const [address = '', bits] = range.split('/')
    const family = isIP(address)
    if (family === 0)
      throw new SettingError('TRUSTED_PROXIES', `holds "${range}", no address or CIDR`)
    const type = family === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) trusted.addAddress(address, type)
    else trusted.addSubnet(address, Number(bits), type)
  }
  // Without proxies there is nothing to look up, on every request.
  if (trustedProxies.length === 0) return ({ socketAddress }) => plain(socketAddress)
  const isTrusted = (address: string) => {
    const family = isIP(address)
    return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
  return ({ socketAddress, forwardedFor }) => {
    const chain = (forwardedFor ?? '').split(',').map((one) => one.trim())
    let address = plain(socketAddress)
    // From the nearest hop outwards: the first that is not a proxy of ours is the caller.
    while (isTrusted(address)) {
      const next = chain.pop()
      if (next === undefined || isIP(next) === 0) break
      address = plain(next)
    }
    return address
  }
}

/** IPv4-mapped IPv6 as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

/** The unit that is counted: one IPv4 address, or the /64 that one IPv6 household has. */
export function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = expand(address).slice(0, 4)
  return `${groups.join(':')}::/64`
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  return [...front, ...Array<string>(gap).fill('0'), ...back].map((group) => group.toLowerCase())
}

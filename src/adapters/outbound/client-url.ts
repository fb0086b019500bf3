// URLs of clients that the service sends to (a webhook, a push service): which are accepted, and
// the network in which they are reached. The addresses are checked at each request
// (guarded-post.ts).
import { parseHost } from '../../kit/net/host.ts'
import { isPublicIp } from '../../kit/net/ip.ts'
import { type OutboundNetwork, publicInternet } from '../../kit/net/outbound-network.ts'

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export const isLoopbackUrl = ({ hostname }: URL) => loopbackHosts.includes(hostname)

/**
 * Completes "this one ..." with the reason why nothing is sent there, or is undefined if it may be
 * sent to.
 */
export function clientUrlProblem(url: URL, allows_loopback: boolean): string | undefined {
  if (url.username !== '' || url.password !== '') return 'names a user'
  if (url.hash !== '') return 'has a fragment'
  if (isLoopbackUrl(url) && allows_loopback && /^https?:$/.test(url.protocol)) return undefined
  if (url.protocol !== 'https:') return 'is not https'
  if (parseHost(url.hostname) !== url.hostname || !url.hostname.includes('.'))
    return 'has no host name of the Internet'
  const port = Number(url.port || 443)
  return port === 443 || port > 1_023 ? undefined : `has the port ${port}`
}

/** Loopback is accepted only if a setting permits it, and for its own names. */
export function clientNetwork(
  url: string,
  allows_loopback: boolean,
): Pick<OutboundNetwork, 'resolve' | 'allows'> {
  if (!allows_loopback || !isLoopbackUrl(new URL(url))) return publicInternet
  return {
    resolve: async () => ['127.0.0.1'],
    allows: (address) => address === '127.0.0.1' || address === '::1' || isPublicIp(address),
  }
}

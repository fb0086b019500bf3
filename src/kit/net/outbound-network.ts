// Requests to hosts that clients name: protection against server-side request forgery (SSRF). A
// host is resolved once, all of its addresses are checked, and the connection goes to one of these.
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicIp } from './ip.ts'

/**
 * Network access. Production uses only `publicInternet`; a test supplies its own, with a server on
 * this machine that it trusts.
 */
export type OutboundNetwork = {
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  allows: (address: string) => boolean
  /** The only port that requests go to. */
  port: number
  /** The authority, as PEM, to trust in place of the system's. */
  ca?: string
}
export const publicInternet: OutboundNetwork = {
  resolve: resolvePublic,
  allows: isPublicIp,
  port: 443,
}

/** The host has an address that requests must not reach. */
export class AddressForbidden extends Error {}

type Resolving = { network: Pick<OutboundNetwork, 'resolve' | 'allows'>; signal: AbortSignal }

/**
 * The addresses of a host name or address (IPv6 without brackets), or none if it cannot be
 * resolved. Throws AddressForbidden if one address is forbidden, because the host's answers may
 * change from one query to the next. An address is checked here, because a connection to one makes
 * no look-up.
 */
export async function checkedAddresses(
  host: string,
  { network, signal }: Resolving,
): Promise<string[]> {
  const addresses = isIP(host) === 0 ? await network.resolve(host, signal) : [host]
  signal.throwIfAborted()
  if (!addresses.every((address) => network.allows(address)))
    throw new AddressForbidden('The host has no public address')
  return addresses
}

/**
 * A look-up that returns the checked addresses without a second query. It answers in a later turn,
 * as a name server would: where a connection fails in the turn of the answer (no route), its socket
 * would emit `error` before the request listens to it, and that ends the process.
 */
export function pinnedLookup(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, done) => {
    const [first] = all
    setImmediate(() => {
      if (options.all) done(null, all)
      else done(null, first?.address ?? '', first?.family)
    })
  }
}

/**
 * All addresses of a host, from the DNS alone and without a hosts file or a search list. The query
 * has its own resolver, which can be cancelled, because getaddrinfo blocks one of the process's few
 * threads for as long as the client's name server likes. `resolvers` are written as "address:port";
 * without any, the machine's are used.
 */
export async function resolvePublic(
  host: string,
  signal: AbortSignal,
  resolvers: readonly string[] = [],
): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (resolvers.length > 0) resolver.setServers(resolvers)
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

// Reads the delegation of a name from DNS, through recursive resolvers: for a transfer to a
// registry that needs it, and for a scan of its records.

import { Resolver } from 'node:dns/promises'
import { parseHost } from '../../kit/net/host.ts'
import { isGlueAddress, parseIp } from '../../kit/net/ip.ts'
import type { DomainName } from '../../kit/random.ts'

/** The hosts are lower-case A-labels; `glue` has the addresses of those below the name itself. */
type Delegation = { nameservers: string[]; glue: Record<string, string[]> }
export type Delegations = {
  /**
   * It is undefined if the delegation cannot be read in full: there is no answer, there are fewer
   * than two or more than thirteen name servers, one is not a host name, or one below the name has
   * no address.
   */
  read: (domain: DomainName) => Promise<Delegation | undefined>
  /** The name servers that are host names, at most thirteen, or undefined if there is no answer. */
  nameservers: (domain: DomainName) => Promise<string[] | undefined>
}

const timeout = 1_500
const tries = 2
const [fewest, most] = [2, 13]

/** `servers` are IP[:port]; if there are none, those of this machine are used. */
export function openDelegations(servers: readonly string[]): Delegations {
  const resolver = new Resolver({ timeout, tries })
  if (servers.length > 0) resolver.setServers(servers)
  const hostsOf = async (domain: DomainName) =>
    (await found(resolver.resolveNs(domain)))?.map((name) => parseHost(name))
  const sorted = (hosts: readonly (string | undefined)[]) =>
    [...new Set(hosts)].filter((host) => host !== undefined).sort()
  return {
    async nameservers(domain) {
      const hosts = await hostsOf(domain)
      return hosts && sorted(hosts).slice(0, most)
    },
    async read(domain) {
      const hosts = await hostsOf(domain)
      if (!hosts || hosts.includes(undefined)) return undefined
      const nameservers = sorted(hosts)
      if (nameservers.length < fewest || nameservers.length > most) return undefined
      const glue: Delegation['glue'] = {}
      for (const host of nameservers.filter((one) => `.${one}`.endsWith(`.${domain}`))) {
        const addresses = await addressesOf(resolver, host)
        if (addresses.length === 0) return undefined
        glue[host] = addresses
      }
      return { nameservers, glue }
    },
  }
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.all([resolver.resolve4(host), resolver.resolve6(host)].map(found))
  if (answers.includes(undefined)) return []
  const addresses = answers.flatMap((list = []) => list.map(parseIp))
  const usable = addresses.filter((address) => address !== undefined && isGlueAddress(address))
  // If one is unreachable, the rest is doubtful, too.
  return usable.length === addresses.length ? usable.filter((one) => one !== undefined) : []
}

/**
 * It is undefined if the resolver did not answer. A negative response (no such record) is an
 * answer.
 */
async function found(answer: Promise<string[]>): Promise<string[] | undefined> {
  try {
    return await answer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENODATA' || code === 'ENOTFOUND') return []
    // The cause is SERVFAIL, REFUSED, a timeout, or an answer that cannot be read.
    if (typeof code === 'string') return undefined
    throw error
  }
}

// The name servers that a domain has at this moment, as the registry delegates it, and the
// addresses of them that may be asked: public ones alone (protection against server-side request
// forgery), and in the sandbox those of NAME_SERVER_PLACES.

import type { ServerToScan } from '../../../../adapters/dns/scan/scan-zone.ts'
import type { App } from '../../../../app.ts'
import { parseHost } from '../../../../kit/net/host.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { registryUnreachable } from '../../faults.ts'
import { registryOf } from '../../names.ts'

const most_servers = 13

export type PresentServer = ServerToScan & {
  /** Addresses that are not asked because they are not on the public Internet. */
  refused: readonly string[]
}
export type PresentServers = {
  /** The source of the name servers: the registry, or DNS if the registry does not show them. */
  source: 'registry' | 'dns'
  servers: PresentServer[]
}

/** Throws registry_unreachable if neither the registry nor DNS answers. */
export async function presentServers(
  app: App,
  domain: DomainName,
  signal: AbortSignal,
): Promise<PresentServers> {
  const { source, names, glue } = await delegationOfDomain(app, domain)
  const all = new Set(names.flatMap((one) => parseHost(one) ?? []))
  const hosts = [...all].sort().slice(0, most_servers)
  const servers = hosts.map(async (name) => {
    return { name, ...(await app.nameServers.sortedPlacesOf(name, glue[name] ?? [], signal)) }
  })
  return { source, servers: await Promise.all(servers) }
}

type Delegated = {
  source: PresentServers['source']
  names: readonly string[]
  glue: Readonly<Record<string, readonly string[]>>
}

/** Asks the registry, as our own rows may be behind during a change, or lack the domain. */
async function delegationOfDomain(app: App, domain: DomainName): Promise<Delegated> {
  const read = await registryOf(app, domain)?.read(domain, 'normal')
  if (read?.kind === 'done' && read.value.nameservers.length > 0)
    return { source: 'registry', names: read.value.nameservers, glue: read.value.glue ?? {} }
  const names = await app.delegations.nameservers(domain)
  if (names && names.length > 0) return { source: 'dns', names, glue: {} }
  if (read?.kind === 'done') return { source: 'registry', names: [], glue: {} }
  throw registryUnreachable({ retry_after_s: 5 })
}

// Opens the adapters that are chosen by the settings: registries and DNS.
import type { Logger } from 'pino'
import { openEmbeddedDns } from '../adapters/dns/dns-server.ts'
import type { Dns } from '../adapters/dns/port.ts'
import { openPowerDns } from '../adapters/dns/powerdns.ts'
import {
  type Endpoint,
  openRegistries,
  type Registries,
  type RegistriesFile,
} from '../adapters/registry/registries.ts'
import { zoneFinder } from '../capabilities/domains/index.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { openSessionLeases } from '../session-leases/index.ts'

/** The file, and where the sandbox's registries run. */
export type Places = { file: RegistriesFile; endpoints: ReadonlyMap<string, Endpoint> }

/**
 * On the nodes' common budget of sessions; opened, not connected. `close` ends the sessions in good
 * order and frees them for others.
 */
export function openServiceRegistries(
  { file, endpoints }: Places,
  { db, log, clock }: { db: Database; log: Logger; clock: Clock },
): Registries {
  const sessionLeases = openSessionLeases({ db, log })
  const registries = openRegistries(file, {
    endpoints,
    log,
    clock,
    leasesOf: sessionLeases.of,
  })
  return {
    ...registries,
    async close() {
      await registries.close()
      await sessionLeases.close()
    },
  }
}

/**
 * Serves the zones by the name server of this node, or by a PowerDNS elsewhere. Throws
 * NameServerError with one line when the node's own cannot listen.
 */
export async function openDns(
  settings: Settings,
  { db, log }: { db: Database; log: Logger },
): Promise<Dns> {
  const { powerdns_url: url, powerdns_api_key: api_key, nameserver_addresses: glue } = settings
  const place = { host: settings.dns_host, port: settings.dns_port }
  if (settings.dns_adapter === 'powerdns' && url !== null && api_key !== null)
    return openPowerDns({ url, api_key, place, glue })
  return await openEmbeddedDns({ place, find: zoneFinder(db), glue, log })
}

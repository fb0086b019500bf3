// Chooses who serves the zones: the name server of this node, or a PowerDNS elsewhere.
import type { Logger } from 'pino'
import { openEmbeddedDns } from '../adapters/dns/dns-server.ts'
import type { Dns } from '../adapters/dns/port.ts'
import { openPowerDns } from '../adapters/dns/powerdns.ts'
import { zoneFinder } from '../capabilities/domains/index.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../db/database.ts'

/** Throws NameServerError with one line when the node's own cannot listen. */
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

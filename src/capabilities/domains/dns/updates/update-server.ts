// The address to which programs send DNS updates and zone transfers, which the answer that gives a
// key contains.
import type { App } from '../../../../app.ts'
import { ownNameservers } from '../zones.ts'

type Server = { host: string; port: number }
const all_addresses: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The address of the settings, or this node's port at the name of our first name server. */
export function updateServer(app: Pick<App, 'settings' | 'dns'>): Server {
  const { dns_update_server } = app.settings
  if (dns_update_server) return dns_update_server
  const { host, port } = app.dns.updates ?? app.dns.place
  const [first = host] = ownNameservers(app)
  return { host: all_addresses.has(host) ? first : host, port }
}

// The sets of a zone that the service keeps: SOA and NS of the domain itself.
import { nameserversOf, soaOf } from '../../../../adapters/dns/zone-defaults.ts'
import type { App } from '../../../../app.ts'
import type { RecordSet } from '../record-sets/record-set.ts'
import { ownNameservers } from '../zones.ts'
import type { RecordZone } from './read-zone.ts'

type ManagedSet = RecordSet & { updated_at: null }

/** The managed sets, of which there are none if the domain is on other name servers. */
export function managedSets(
  app: Pick<App, 'settings'>,
  { domain: name, serial, hosted }: RecordZone,
  held: readonly string[],
): ManagedSet[] {
  if (!hosted) return []
  // They have the order of our setting, in which they are served.
  const nameservers = ownNameservers(app).filter((one) => held.includes(one))
  const zone = { name, serial, nameservers }
  return [soaOf(zone), nameserversOf(zone)].map((set) => ({
    ...set,
    ...{ host: '@', updated_at: null },
  }))
}

// Keeps the name servers in step with the holdings: pushes zones to the DNS provider, and repairs
// zones that differ from their holdings.
import { job } from '../../../app.ts'
import { dequeueServed, pushDueZones, requeueForProvider } from './zone-push.ts'
import { repairAllZones } from './zones.ts'

const at_once = 10

export const pushZones = job({
  name: 'push_zones',
  does: 'Pushes new, changed and dropped zones to the DNS provider until it has them all.',
  every_ms: 3_000,
  per_node: true,
  async run(app) {
    const { provider } = app.dns
    // The name server in the process answers from the database, so nothing needs to be pushed.
    if (!provider) return { more: await dequeueServed(app) }
    const queued_more = await requeueForProvider(app, provider)
    const { pushed, failed } = await pushDueZones(app, provider, at_once)
    return { more: queued_more || (pushed === at_once && failed === 0) }
  },
})

export const repairZonesHourly = job({
  name: 'repair_zones',
  does: 'Gives every domain on our own name servers its zone, and drops the zones of all others.',
  every_ms: 3_600_000,
  async run(app) {
    const repaired = await repairAllZones(app)
    if (repaired > 0) app.log.warn({ repaired }, 'zones differed from their domains')
    return { more: false }
  },
})

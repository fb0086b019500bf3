// Periodic observation of all checkouts that may still be paid: finds a payment when no webhook and
// no report comes.
import { type Gateway, GatewayUnavailable } from '../../../../adapters/gateway/port.ts'
import { type App, job } from '../../../../app.ts'
import { observe, observeEach } from './observe.ts'
import {
  allKnownPayments,
  claimWatched,
  knownPaymentsOf,
  readCursor,
  watchedCheckouts,
} from './watched.sql.ts'

const at_once = 64
/**
 * The number is far above that of a day. Each payment that the newest blocks lack costs a reading
 * of its receipt.
 */
const most_known = 50_000

export const watchCheckouts = job({
  name: 'watch_checkouts',
  does: 'Observes payments of checkouts at the payment gateway, until 30 days after they expire.',
  every_ms: 5_000,
  async run(app) {
    const { gateway } = app
    if (!gateway) return { more: false }
    return gateway.reads_on ? watchAll(app, gateway) : watchDue(app, gateway)
  },
})

/**
 * With a cursor, each round reads all checkouts, since the cursor leaves no block for a later
 * round.
 */
async function watchAll(app: App, gateway: Gateway): Promise<{ more: boolean }> {
  const now = app.clock.now()
  const at = await app.db.maybe(readCursor, { gateway: gateway.name })
  const interval_ms = app.settings.checkout_watch_seconds * 1_000
  if (at && now.getTime() - at.observed_at.getTime() < interval_ms) return { more: false }
  const key = { gateway: gateway.name, now }
  const [destinations, known] = await Promise.all([
    app.db.run(watchedCheckouts, key),
    app.db.run(allKnownPayments, { ...key, limit: BigInt(most_known) }),
  ])
  if (destinations.length === 0 && known.length === 0) return { more: false }
  const cursor = at?.cursor ?? null
  const version = at?.version ?? 0n
  try {
    await observe(app, { gateway, destinations, known, cursor, version })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.error({ err: error, alarm: 'gateway_unavailable' }, 'the gateway cannot be read')
  }
  return { more: false }
}

/** Without a cursor each checkout is read on its own, the older ones less often. */
async function watchDue(app: App, gateway: Gateway): Promise<{ more: boolean }> {
  const now = app.clock.now()
  const every_s = app.settings.checkout_watch_seconds
  const key = { gateway: gateway.name, now }
  const destinations = await app.db.run(claimWatched, { ...key, every_s, limit: BigInt(at_once) })
  if (destinations.length === 0) return { more: false }
  const checkout_ids = destinations.map(({ id }) => id)
  const known = await app.db.run(knownPaymentsOf, { checkout_ids, now })
  await observeEach(app, { gateway, destinations, known, cursor: null, version: null })
  return { more: destinations.length === at_once }
}

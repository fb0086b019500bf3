// The one way in which the registry's facts come into a holding: read it, and store what it says.
import type { App } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { json } from '../../db/statement.ts'
import type { Priority, Registry, RegistryDomain } from '../../outside/registry/port.ts'
import { endHolding } from './ending.ts'
import type { Holding } from './holding.ts'
import { nextSync } from './life.ts'
import { markMissing, refreshHolding } from './store.ts'

/** What a reading found. All but `silent` are written down by then. */
export type Synced =
  | { kind: 'held'; holding: Holding; found: RegistryDomain }
  /** Another registrar sponsors it: the holding has ended. */
  | { kind: 'left' }
  /** The registry no longer knows it: the holding has ended. */
  | { kind: 'dropped' }
  /** The registry says there is no such domain, which nothing explains (yet). */
  | { kind: 'missing'; holding: Holding }
  | { kind: 'silent'; message: string }

/** The registry of a name that we hold or buy. */
export function registryOf(app: Pick<App, 'registries'>, name: string): Registry | undefined {
  return app.registries.forTld(name.slice(name.indexOf('.') + 1))?.registry
}

/** Reads one holding's truth from its registry and stores it. */
export async function syncHolding(app: App, holding: Holding, priority: Priority): Promise<Synced> {
  const registry = registryOf(app, holding.name)
  if (!registry) return { kind: 'silent', message: `No registry of ours sells ${holding.name}` }
  const read = await registry.read(holding.name, priority)
  switch (read.kind) {
    case 'done':
      if (read.value.sponsor !== registry.profile.client_id) return left(app, holding)
      return storeFacts(app, app.db, { holding, found: read.value })
    case 'refused':
      if (read.reason === 'not_ours') return left(app, holding)
      if (read.reason === 'absent') return absent(app, holding)
      return { kind: 'silent', message: read.message }
    case 'accepted':
      return { kind: 'silent', message: 'The registry answered a read with "action pending".' }
    case 'unknown':
      return { kind: 'silent', message: read.message }
  }
}

/** Stores what the registry just told of a holding. */
export async function storeFacts(
  app: App,
  sql: Sql,
  { holding, found }: { holding: Holding; found: RegistryDomain },
): Promise<Extract<Synced, { kind: 'held' | 'left' }>> {
  const now = app.calendar.now()
  const registry_expiry = new Date(found.expires_at)
  const facts = { ...holding, registry_expiry, ...pick(found) }
  const pending = found.epp_statuses.includes('pendingTransfer')
  const row = await sql.maybe(refreshHolding, [
    holding.id,
    holding.customer_id,
    registry_expiry,
    found.nameservers,
    found.epp_statuses,
    found.rgp_statuses,
    now,
    nextSync(facts, now),
    pending && holding.transfer_out ? json(holding.transfer_out) : null,
  ])
  return row ? { kind: 'held', holding: row, found } : { kind: 'left' }
}

function pick({ epp_statuses, rgp_statuses }: RegistryDomain) {
  return { epp_statuses, rgp_statuses }
}

async function left(app: App, holding: Holding): Promise<Synced> {
  await endHolding(app, holding, 'transferred_away')
  return { kind: 'left' }
}

const missingDays = 1

/**
 * A name on its way out is gone; so is one that has been missing for a day. One moment's "does not
 * exist" for a name that was well takes nothing from anybody: it rings instead.
 */
async function absent(app: App, holding: Holding): Promise<Synced> {
  const now = app.calendar.now()
  const leaving =
    holding.deletion_at !== null ||
    holding.epp_statuses.includes('pendingDelete') ||
    holding.rgp_statuses.some((status) => ['redemptionPeriod', 'pendingDelete'].includes(status))
  const since = holding.missing_since
  const long = since !== null && now.getTime() - since.getTime() > missingDays * 86_400_000
  if (leaving || long) {
    await endHolding(app, holding, 'dropped')
    return { kind: 'dropped' }
  }
  app.log.error({ domain: holding.name }, 'the registry says that a domain we hold does not exist')
  const row = await app.db.maybe(markMissing, [
    holding.id,
    holding.customer_id,
    now,
    new Date(now.getTime() + 3_600_000),
  ])
  return { kind: 'missing', holding: row ?? holding }
}

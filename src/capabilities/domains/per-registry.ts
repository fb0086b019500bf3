// Bulkheads by registry: a job's work is claimed and done for each registry separately.

import type { Registry } from '../../adapters/registry/port.ts'
import type { App } from '../../app.ts'
import { inBulkheads } from '../../tasks/index.ts'
import { namedRegistries } from './orders/orders.sql.ts'

/** The work of one registry. */
export type Compartment = {
  name: string
  /** Null: it is not in the registries file (any more). */
  registry: Registry | null
  /** How many to claim. */
  limit: bigint
}

/**
 * Rounds of a job side by side; those of a registry that is slow hold up only itself. A round
 * returns how many it claimed. While a registry is down, one finds out when it is back: more would
 * only use up their attempts.
 */
export async function byRegistry(
  { db, registries }: App,
  { at_once, every_ms }: { at_once: number; every_ms: number },
  round: (compartment: Compartment) => Promise<number>,
): Promise<{ more: boolean }> {
  const known = registries.byName
  const named = await db.run(namedRegistries)
  const names = new Set([...known.keys(), ...named.map(({ registry }) => registry)])
  const work = async (name: string) => {
    const registry = known.get(name) ?? null
    const isDown = () => registry?.health().state === 'down'
    const most = isDown() ? 1 : at_once
    const claimed = await round({ name, registry, limit: BigInt(most) })
    return { more: claimed === most && !isDown() }
  }
  return inBulkheads([...names], work, every_ms)
}

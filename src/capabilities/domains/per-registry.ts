// Bulkheads by registry: a job's work is claimed and done for each registry separately.

import type { Registry } from '../../adapters/registry/port.ts'
import type { App } from '../../app.ts'
import type { Statement } from '../../db/statement.ts'
import { inBulkheads } from '../../tasks/index.ts'
import { registriesOfHoldings } from './orders/orders.sql.ts'

/** The work of one registry. */
export type Compartment = {
  name: string
  /** Null if it is not in the registries file (any more). */
  registry: Registry | null
  /** The number of rows to claim. */
  limit: bigint
}

type Pace = {
  at_once: number
  every_ms: number
  /** The registries with work, including one that is not in the registries file (any more). */
  registries?: Statement<'domains_registries' | 'orders_due_registries'>
}

/**
 * Runs the rounds of a job side by side, so that a slow registry delays only its own work. A round
 * returns how many it claimed. While a registry is down, a single one finds out when it is back,
 * since more would only use up their attempts.
 */
export async function byRegistry(
  { db, registries: { byName } }: App,
  { at_once, every_ms, registries = registriesOfHoldings }: Pace,
  round: (compartment: Compartment) => Promise<number>,
): Promise<{ more: boolean }> {
  const named = await db.run(registries)
  if (named.length === 0) return { more: false }
  // All registries take part, because work may come for one while another is slow.
  const names = new Set([...byName.keys(), ...named.map(({ registry }) => registry)])
  const work = async (name: string) => {
    const registry = byName.get(name) ?? null
    const isDown = () => registry?.health().state === 'down'
    const most = isDown() ? 1 : at_once
    const claimed = await round({ name, registry, limit: BigInt(most) })
    return { more: claimed === most && !isDown() }
  }
  return inBulkheads([...names], work, every_ms)
}

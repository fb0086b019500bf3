// What the auditor is given, and what it finds.
import type { Effect } from '../../../sandbox/registry/index.ts'

export type Query = (text: string, params?: unknown[]) => Promise<Record<string, unknown>[]>
export type RegistryState = {
  /** All paid effects of all registries, of every registrar. */
  effects: (Effect & { registry: string })[]
  lookup: (domain: string) => { sponsor: string; expires_at: string } | null
  /** The registries' time in epoch milliseconds. */
  now: number
}
export type AuditInput = { query: Query; registryState: RegistryState }
/** What was found; all of it none is the only good answer. Cents are of US dollars. */
export type Found = { violations: string[]; lost_cents: number; double_effects: number }
export type Audit = Found & {
  /** Years that the registry added by itself and that are unpaid: the names are expired. */
  unpaid: string[]
}

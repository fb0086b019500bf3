// Input and findings of the auditor.
import type { Effect } from '../../../sandbox/registry/index.ts'

export type Query = (text: string, params?: unknown[]) => Promise<Record<string, unknown>[]>
export type RegistryState = {
  /** All paid effects of all registries, of every registrar. */
  effects: (Effect & { registry: string })[]
  lookup: (domain: string) => { sponsor: string; expires_at: string } | null
  /** The registries' time in epoch milliseconds. */
  now: number
}
/**
 * The amount received less the amount refunded, for one invoice of a gateway or one payment intent.
 */
export type Receipt = { reference: string; cents: bigint }
export type Receipts = { gateway?: readonly Receipt[]; processor?: readonly Receipt[] }
export type AuditInput = { query: Query; registryState: RegistryState; receipts?: Receipts }
/** The findings; a correct run has none. Cents are of US dollars. */
export type Found = { violations: string[]; lost_cents: number; double_effects: number }
export type Audit = Found & {
  /** Auto-renewed years that are unpaid because the names are expired. */
  unpaid: string[]
}

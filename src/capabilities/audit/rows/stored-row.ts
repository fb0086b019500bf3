// A stored row in its hashed form, and in its response form.

import { hash } from 'node:crypto'
import type { Json } from '../../../db/statement.ts'
import type { ApiKeyId, CustomerId } from '../../../kit/random.ts'
import { canonicalJson, hashedFields } from './row.ts'

/** The columns that a stored row's hash is made of. */
export type StoredColumns = {
  entry_point: string
  action: string
  actor_type: string
  actor_label: string | null
  agent_identifier: string
  api_key_id: ApiKeyId | null
  customer_id: CustomerId | null
  target_type: string | null
  target: string | null
  result: string
  status_code: number | null
  error_code: string | null
  metadata: Json
  created_at: Date
}

/** The RFC 8785 text whose SHA-256 is the row's hash. */
export function storedCanonicalJson(row: StoredColumns): string {
  return canonicalJson(
    hashedFields({
      ...row,
      api_key_id: row.api_key_id === null ? null : String(row.api_key_id),
      created_at: row.created_at.toISOString(),
    }),
  )
}

/**
 * Whether the row matches its hash. A row without a JSON form (an infinite number) does not.
 */
export function matchesHash(row: StoredColumns & { row_hash: Buffer }): boolean {
  try {
    return hash('sha256', storedCanonicalJson(row), 'buffer').equals(row.row_hash)
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

// The signed statement of an export's page: the entries that an account has between two ids, up to
// a block. Two of them that differ about the same range prove that the log was changed.

import { hash } from 'node:crypto'
import type { CustomerId } from '../../../kit/random.ts'
import { canonicalJson } from '../rows/row.ts'
import { merkleRoot } from './merkle.ts'
import type { AuditSigner } from './signer.ts'

/** The fields that the signature covers; `type` is one that no other signed text has. */
type ExportStatement = {
  type: 'audit_export'
  customer_id: CustomerId
  /** The page has entries of this block and of the blocks before it. */
  block_number: string
  block_hash: string
  /** The page has every entry with a greater id than this one, up to `last_id`. */
  after_id: string
  last_id: string
  count: number
  /** Hex Merkle root over their hashes, in the order of their ids (RFC 9162 2.1.1). */
  entries_root: string
  /** Whether this is the last page. */
  complete: boolean
  /** Entries up to this id may be in an archive of the operator, and not in the export. */
  archived_to: string | null
  created_at: string
  key_id: string
}

type Unsigned = Omit<ExportStatement, 'type' | 'key_id' | 'count' | 'entries_root'>

export function signStatement(
  fields: Unsigned,
  hashes: readonly Buffer[],
  signer: AuditSigner,
): { statement: ExportStatement; signature: string; public_key: string } {
  const statement: ExportStatement = {
    type: 'audit_export',
    ...fields,
    count: hashes.length,
    entries_root: merkleRoot(hashes).toString('hex'),
    key_id: signer.key_id,
  }
  // As for a block, the signature is over 32 octets.
  const digest = hash('sha256', canonicalJson(statement), 'buffer')
  return { statement, signature: signer.sign(digest), public_key: signer.public_key }
}

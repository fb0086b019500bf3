// A restoration: the signed record by which an operator accepts that the chain continues from an
// older state of the database. It is a link of the chain, as a block is.
import { hash, type KeyObject, verify } from 'node:crypto'
import { canonicalJson } from '../rows/row.ts'
import type { Trusted } from './block.ts'
import type { Head } from './noted-head.ts'
import type { AuditSigner } from './signer.ts'

/** The fields that its hash covers, in the same forms as those of a block. */
type RestorationFields = {
  kind: 'restoration'
  number: string
  era: number
  first_id: string
  /** The newest link that the restored database had; 0 and zeros for none. */
  previous_number: string
  previous_hash: string
  /** The newest link that had been noted before; all numbers in between are given up. */
  lost_number: string
  lost_hash: string
  reason: string
  key_id: string
  created_at: string
}
export type Restoration = RestorationFields & {
  record_hash: string
  signature: string
  public_key: string
}

function recordHash(one: RestorationFields): string {
  const fields: RestorationFields = {
    kind: 'restoration',
    number: one.number,
    era: one.era,
    first_id: one.first_id,
    previous_number: one.previous_number,
    previous_hash: one.previous_hash,
    lost_number: one.lost_number,
    lost_hash: one.lost_hash,
    reason: one.reason,
    key_id: one.key_id,
    created_at: one.created_at,
  }
  return hash('sha256', canonicalJson(fields), 'hex')
}

export function signRestoration(fields: RestorationFields, signer: AuditSigner): Restoration {
  const record_hash = recordHash(fields)
  const signature = signer.sign(Buffer.from(record_hash, 'hex'))
  return { ...fields, record_hash, signature, public_key: signer.public_key }
}

/** Why its seal is invalid under the trusted keys; null when it is valid. */
export function restorationProblem(one: Restoration, trusted: Trusted): string | null {
  const key: KeyObject | undefined = trusted.get(one.key_id)
  if (!key) return `is signed with key ${one.key_id}, which is not trusted`
  if (recordHash(one) !== one.record_hash) return 'does not have the hash of its fields'
  const signature = Buffer.from(one.signature, 'base64')
  const good = verify(null, Buffer.from(one.record_hash, 'hex'), key, signature)
  return good ? null : 'has a signature that is not of its key'
}

/** The restoration that gave up this head's number, if a trusted one did. */
export function supersededBy(
  head: Head,
  restorations: readonly Restoration[],
  trusted: Trusted,
): Restoration | undefined {
  const number = BigInt(head.number)
  return restorations.find(
    (one) =>
      number > BigInt(one.previous_number) &&
      number < BigInt(one.number) &&
      restorationProblem(one, trusted) === null,
  )
}

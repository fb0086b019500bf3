// A signed head: published for others to keep. Two valid heads with one number and two hashes prove
// that the log was rewritten.
import { verify } from 'node:crypto'
import { canonicalJson } from '../rows/row.ts'
import type { Trusted } from './block.ts'
import { parseHead } from './noted-head.ts'
import type { AuditSigner } from './signer.ts'

/** The fields that the signature covers, with a `type` that no other signed text has. */
type HeadFields = {
  kind: 'block' | 'restoration'
  number: string
  block_hash: string
  era: number
  created_at: string
  key_id: string
}
type SignedHead = HeadFields & { signature: string; public_key: string }

function signedOctets(head: HeadFields): Buffer {
  const fields = {
    type: 'audit_head',
    kind: head.kind,
    number: head.number,
    block_hash: head.block_hash,
    era: head.era,
    created_at: head.created_at,
    key_id: head.key_id,
  }
  return Buffer.from(canonicalJson(fields))
}

export function signHead(fields: Omit<HeadFields, 'key_id'>, signer: AuditSigner): SignedHead {
  const head: HeadFields = { ...fields, key_id: signer.key_id }
  return { ...head, signature: signer.sign(signedOctets(head)), public_key: signer.public_key }
}

/** Why the head's signature is invalid under the trusted keys; null when it is valid. */
export function headProblem(head: SignedHead, trusted: Trusted): string | null {
  const key = trusted.get(head.key_id)
  if (!key) return `is signed with key ${head.key_id}, which is not trusted`
  const good = verify(null, signedOctets(head), key, Buffer.from(head.signature, 'base64'))
  return good ? null : 'has a signature that is not of its key'
}

/**
 * A head as GET /v1/audit/head gives it; null for one without a signature, as a folder notes it.
 */
export function signedHead(text: string): SignedHead | null {
  const head = parseHead(text)
  const { signature, kind, era, created_at, key_id } = Object(JSON.parse(text))
  if (head === null || signature === undefined) return null
  return {
    kind: kind === 'restoration' ? 'restoration' : 'block',
    ...head,
    era: Number(era),
    created_at: String(created_at),
    key_id: String(key_id),
    signature: String(signature),
    public_key: '',
  }
}

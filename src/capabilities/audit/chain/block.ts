// A block of the hash chain: its fields about the sealed rows, its hash, and its signature.
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { canonicalJson } from '../rows/row.ts'

/**
 * The fields that the block's hash covers, as its RFC 8785 JSON has them: integers of 64 bits are
 * decimal text, hashes are hex, `created_at` is UTC in milliseconds.
 */
export type BlockFields = {
  number: string
  era: number
  first_id: string
  highest_id: string
  from_xid: string
  from_id: string
  to_xid: string
  to_id: string
  row_count: number
  merkle_root: string
  previous_hash: string
  key_id: string
  created_at: string
}
/** A block with its seal: `block_hash` hex, `signature` and `public_key` (SPKI DER) base64. */
export type Block = BlockFields & { block_hash: string; signature: string; public_key: string }

/** Public keys by their ids. */
export type Trusted = ReadonlyMap<string, KeyObject>

/** The predecessor of the first block. */
export const noBlockHash = '00'.repeat(32)

/**
 * Hex SHA-256 of the RFC 8785 form of the fields. The signature is Ed25519 over these 32 octets.
 */
export function blockHash(block: BlockFields): string {
  const fields: BlockFields = {
    number: block.number,
    era: block.era,
    first_id: block.first_id,
    highest_id: block.highest_id,
    from_xid: block.from_xid,
    from_id: block.from_id,
    to_xid: block.to_xid,
    to_id: block.to_id,
    row_count: block.row_count,
    merkle_root: block.merkle_root,
    previous_hash: block.previous_hash,
    key_id: block.key_id,
    created_at: block.created_at,
  }
  return hash('sha256', canonicalJson(fields), 'hex')
}

/** The name of a public key: 32 hex digits of the SHA-256 of its SPKI DER. */
export function keyIdOf(key: KeyObject): string {
  return hash('sha256', key.export({ format: 'der', type: 'spki' }), 'hex').slice(0, 32)
}

/** Reads a public key: PEM, or base64 of its SPKI DER. Throws when it is neither. */
export function readPublicKey(text: string): KeyObject {
  if (text.includes('BEGIN')) return createPublicKey(text)
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
}

/** Why a block's seal is invalid under the trusted keys; null when it is valid. */
export function sealProblem(block: Block, trusted: Trusted): string | null {
  const key = trusted.get(block.key_id)
  if (!key) return `is signed with key ${block.key_id}, which is not trusted`
  if (blockHash(block) !== block.block_hash) return 'does not have the hash of its fields'
  const signature = Buffer.from(block.signature, 'base64')
  const good = verify(null, Buffer.from(block.block_hash, 'hex'), key, signature)
  return good ? null : 'has a signature that is not of its key'
}

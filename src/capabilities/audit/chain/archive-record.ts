// The signed record of an archive: the rows and blocks of a dropped partition. It is kept in the
// database and beside the archive's file, so that neither can be replaced without the key.
import { hash, verify } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { canonicalJson } from '../rows/row.ts'
import type { Trusted } from './block.ts'
import type { AuditSigner } from './signer.ts'

const text = Type.String()
const textOrNull = Type.Union([text, Type.Null()])

/** In the forms of a block: integers of 64 bits are decimal text, hashes hex, times UTC. */
const facts = {
  name: text,
  starts_at: textOrNull,
  ends_at: text,
  row_count: text,
  first_id: textOrNull,
  last_id: textOrNull,
  first_block: textOrNull,
  last_block: textOrNull,
  whole_blocks: Type.Array(Type.Object({ from: text, to: text })),
  partial_blocks: Type.Array(
    Type.Object({ number: text, row_count: Type.Integer(), merkle_root: text }),
  ),
  merkle_root: text,
  sha256: text,
}
const archiveFacts = Type.Object(facts)
export const archiveRecord = Type.Object({
  kind: Type.Literal('archive'),
  ...facts,
  key_id: text,
  created_at: text,
  record_hash: text,
  signature: text,
  public_key: text,
})

/** The contents of an archive, as they are found when it is read. */
export type ArchiveFacts = Static<typeof archiveFacts>
export type ArchiveRecord = Static<typeof archiveRecord>
type RecordFields = Omit<ArchiveRecord, 'record_hash' | 'signature' | 'public_key'>

function factsOf(one: ArchiveFacts): ArchiveFacts {
  return {
    name: one.name,
    starts_at: one.starts_at,
    ends_at: one.ends_at,
    row_count: one.row_count,
    first_id: one.first_id,
    last_id: one.last_id,
    first_block: one.first_block,
    last_block: one.last_block,
    whole_blocks: one.whole_blocks.map(({ from, to }) => ({ from, to })),
    partial_blocks: one.partial_blocks.map(({ number, row_count, merkle_root }) => {
      return { number, row_count, merkle_root }
    }),
    merkle_root: one.merkle_root,
    sha256: one.sha256,
  }
}

function recordHash(one: RecordFields): string {
  const { kind, key_id, created_at } = one
  return hash('sha256', canonicalJson({ kind, ...factsOf(one), key_id, created_at }), 'hex')
}

export function signArchive(one: ArchiveFacts, signer: AuditSigner, now: Date): ArchiveRecord {
  const { key_id, public_key } = signer
  const fields: RecordFields = {
    kind: 'archive',
    ...factsOf(one),
    key_id,
    created_at: now.toISOString(),
  }
  const record_hash = recordHash(fields)
  const signature = signer.sign(Buffer.from(record_hash, 'hex'))
  return { ...fields, record_hash, signature, public_key }
}

/** Why its seal is invalid under the trusted keys; null when it is valid. */
export function archiveProblem(one: ArchiveRecord, trusted: Trusted): string | null {
  const key = trusted.get(one.key_id)
  if (!key) return `is signed with key ${one.key_id}, which is not trusted`
  if (recordHash(one) !== one.record_hash) return 'does not have the hash of its fields'
  const signature = Buffer.from(one.signature, 'base64')
  const good = verify(null, Buffer.from(one.record_hash, 'hex'), key, signature)
  return good ? null : 'has a signature that is not of its key'
}

/** Whether two readings of an archive show the same. */
export function sameFacts(a: ArchiveFacts, b: ArchiveFacts): boolean {
  return canonicalJson(factsOf(a)) === canonicalJson(factsOf(b))
}

/** The archive that has all rows of the block, if one has. */
export function archiveOfBlock(
  number: string,
  records: readonly ArchiveRecord[],
): ArchiveRecord | undefined {
  const wanted = BigInt(number)
  return records.find(({ whole_blocks }) =>
    whole_blocks.some(({ from, to }) => wanted >= BigInt(from) && wanted <= BigInt(to)),
  )
}

// SQL of restorations, and of the facts for accepting one.
import type { Sql } from '../../../db/database.ts'
import { statement } from '../../../db/statement.ts'
import type { Restoration } from './restoration.ts'

const restorationColumns = `number, era, first_id, previous_number, previous_hash, lost_number,
  lost_hash, reason, key_id, created_at, record_hash, signature, public_key`

const allRestorations = statement(
  'audit_restorations',
  `select ${restorationColumns} from audit_restorations order by number`,
)

/**
 * All restorations, oldest first. There is one for each time that an operator accepted a restore.
 */
export async function readRestorations(sql: Sql): Promise<Restoration[]> {
  const rows = await sql.run(allRestorations)
  return rows.map((row) => ({
    kind: 'restoration',
    number: String(row.number),
    era: row.era,
    first_id: String(row.first_id),
    previous_number: String(row.previous_number),
    previous_hash: row.previous_hash.toString('hex'),
    lost_number: String(row.lost_number),
    lost_hash: row.lost_hash.toString('hex'),
    reason: row.reason,
    key_id: row.key_id,
    created_at: row.created_at.toISOString(),
    record_hash: row.record_hash.toString('hex'),
    signature: row.signature.toString('base64'),
    public_key: row.public_key.toString('base64'),
  }))
}

const insertRestoration = statement(
  'audit_insert_restoration',
  `insert into audit_restorations (${restorationColumns})
   values (:number, :era, :first_id, :previous_number, :previous_hash, :lost_number, :lost_hash,
           :reason, :key_id, :created_at, :record_hash, :signature, :public_key)`,
)

export async function storeRestoration(sql: Sql, one: Restoration): Promise<void> {
  await sql.run(insertRestoration, {
    number: BigInt(one.number),
    era: one.era,
    first_id: BigInt(one.first_id),
    previous_number: BigInt(one.previous_number),
    previous_hash: Buffer.from(one.previous_hash, 'hex'),
    lost_number: BigInt(one.lost_number),
    lost_hash: Buffer.from(one.lost_hash, 'hex'),
    reason: one.reason,
    key_id: one.key_id,
    created_at: new Date(one.created_at),
    record_hash: Buffer.from(one.record_hash, 'hex'),
    signature: Buffer.from(one.signature, 'base64'),
    public_key: Buffer.from(one.public_key, 'base64'),
  })
}

/** Waits for all writers of rows and blocks them until the transaction ends. */
export const holdWriters = statement('audit_hold_writers', 'lock table audit_logs in share mode')

/**
 * An id greater than `above` and than every id that a row has or had; the sequence keeps it free.
 * Call it only while writers are held.
 */
export const freeId = statement(
  'audit_free_id',
  `select setval(pg_get_serial_sequence('audit_logs', 'id'),
                 greatest(nextval(pg_get_serial_sequence('audit_logs', 'id')), :above::bigint + 1,
                          (select coalesce(max(id), 0) + 1 from audit_logs))) as id`,
  { not_null: ['id'] },
)

/** Puts back the eras that blocks name and the table lacks; era 1 where nothing is left. */
export const repairEras = statement(
  'audit_repair_eras',
  `insert into audit_eras (era, first_id)
   select distinct b.era, b.first_id from audit_blocks b
    where b.era not in (select era from audit_eras)
   on conflict do nothing`,
)

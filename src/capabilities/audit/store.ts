// SQL of the audit log: rows, blocks and eras.
import type { AuditRow } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { statement } from '../../db/statement.ts'

const append = statement('audit_append', 'select audit_append($1::text::jsonb) as id', {
  not_null: ['id'],
})

/** Stores the row where its effect is: in the caller's transaction, if `sql` is one. Answers its id. */
export async function storeAuditRow(sql: Sql, row: AuditRow): Promise<bigint> {
  return (await sql.one(append, [JSON.stringify(row)])).id
}

// Ordered read of the log for its consumers: a row that commits late is not skipped.
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { readEras, rowsToRead } from './audit.sql.ts'
import { type LogPlace, spansAfter } from './log-spans.ts'

export type LoggedRow = Row<'audit_rows_to_read'>

/**
 * Up to `limit` rows after a place, all of one era, and the place after them. Rows of transactions
 * that are younger than the oldest one running wait for its end.
 */
export async function readLog(
  sql: Sql,
  after: LogPlace,
  limit: number,
): Promise<{ rows: LoggedRow[]; place: LogPlace }> {
  for (const span of spansAfter(after, await sql.run(readEras))) {
    const rows = await sql.run(rowsToRead, {
      after_xid: span.from_xid,
      after_id: BigInt(span.from_id),
      first_id: BigInt(span.first_id),
      below_id: span.below_id,
      era_closed: span.closed,
      limit,
    })
    const last = rows.at(-1)
    if (last) return { rows, place: { era: span.era, xid: last.xid, id: String(last.id) } }
  }
  return { rows: [], place: after }
}

// The database itself: whether it answers, and its time.
import type { Sql } from './database.ts'
import { statement } from './statement.ts'

const ping = statement('db_ping', 'select clock_timestamp() as now', { not_null: ['now'] })

/** The database's own time. Throws DatabaseUnavailable if it does not answer. */
export async function databaseTime(sql: Sql): Promise<Date> {
  return (await sql.one(ping)).now
}

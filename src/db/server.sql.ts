// Facts about the database itself: reachability, and its migrations.
import type { Sql } from './database.ts'
import { statement } from './statement.ts'

const ping = statement('db_ping', 'select clock_timestamp() as now', { not_null: ['now'] })

const migrations = statement(
  'db_migrations',
  'select number, name, sha256, applied_at from schema_migrations order by number',
)

/** The database's own time; throws DatabaseUnavailable when it does not answer. */
export async function databaseTime(sql: Sql): Promise<Date> {
  return (await sql.one(ping)).now
}

/** The migrations that this database has, oldest first. */
export async function appliedMigrations(sql: Sql) {
  return await sql.run(migrations)
}

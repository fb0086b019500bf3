// The service's database as its owner sees it: to look for what must not be there, and to let time
// pass for a row.
import pg from 'pg'
import type { TestService } from '../support/service.ts'

export type Rows = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/** Closed with the service. */
export async function openRows({ service, closers }: TestService): Promise<Rows> {
  const client = new pg.Client({ connectionString: service.settings.database_url ?? '' })
  await client.connect()
  closers.push(() => client.end())
  return async (text, values = []) => (await client.query(text, values)).rows
}

/** Every row of every table of ours, as one text. */
export async function wholeDatabase(rows: Rows): Promise<string> {
  const tables = await rows(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await rows(
        `select coalesce(string_agg(t::text, e'\\n'), '') as text from ${name} t`,
      )
      return `${name}\n${found[0]?.text}`
    }),
  )
  return texts.join('\n')
}

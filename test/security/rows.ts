// The whole database as one text, to search for secrets that must not be stored.
import { rowsIn } from '../support/owner-sql.ts'
import type { TestService } from '../support/service.ts'

/** Every row of every table of ours. */
export async function wholeDatabase(registrar: TestService): Promise<string> {
  const rows = rowsIn(registrar)
  const tables = await rows(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const all = `select coalesce(string_agg(t::text, e'\\n'), '') as text from ${name} t`
    const [found] = await rows(all)
    texts.push(`${name}\n${found?.text}`)
  }
  return texts.join('\n')
}

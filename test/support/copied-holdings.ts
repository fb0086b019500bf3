// Many holdings of one customer at the price of one purchase: copies of its row under other names.
import { rowsIn } from './owner-sql.ts'
import type { TestService } from './service.ts'

/** Copies a holding that was bought, with all its columns, under other names. */
export async function copyHolding(
  registrar: TestService,
  from: string,
  names: readonly string[],
): Promise<void> {
  const rows = rowsIn(registrar)
  const [row] = await rows(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = 'domains'::regclass and attnum > 0 and not attisdropped
        and attname not in ('id', 'name')`,
  )
  await rows(
    `insert into domains (name, ${row.columns})
     select n.name, ${row.columns} from domains, unnest($2::text[]) as n (name)
      where domains.name = $1 and ended_at is null`,
    [from, names],
  )
}

// Partitions of a year ahead, made at each start; the job manage_partitions makes later ones.
import pg from 'pg'
import { messageOf } from '../postgres/errors.ts'

/** Failures are reported, and left to the job: rows without a partition have the default one. */
export async function createPartitions(
  client: pg.Client,
  say: ((line: string) => void) | undefined,
): Promise<void> {
  const { rows: there } = await client.query(
    `select from pg_proc
      where proname = 'partitions_create_next' and pronamespace = 'public'::regnamespace`,
  )
  // Only a folder of a test has no function files.
  if (there.length === 0) return
  // Usually there are none, and calling the function would compile it at each start.
  const { rows } = await client.query<{ name: string }>(
    `select name from partitioned_tables t
      where not exists (select from partitions p where p.parent = t.name
                          and p.ends_at >= clock_timestamp() + interval '1 year')`,
  )
  for (const { name } of rows)
    try {
      const next = 'select partitions_create_next($1) as name'
      while ((await client.query<{ name: string | null }>(next, [name])).rows[0]?.name);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      say?.(`Partitions of ${name} were not made, and are tried again later: ${messageOf(error)}`)
    }
}

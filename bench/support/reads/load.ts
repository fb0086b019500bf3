// Bulk load: the rows of a registrar at a given scale, made by the database itself
// (generate_series). Scale 1 is a million domains of a hundred thousand customers.
import type pg from 'pg'
import { auditRows, people, programs } from './accounts.ts'
import { dealings, names } from './domains.ts'
import { sizesOf, type Table } from './sizes.ts'

function tablesOf(scale: number): Table[] {
  const sizes = sizesOf(scale)
  return [people, names, dealings, programs, auditRows].flatMap((make) => make(sizes))
}

/** Fills a migrated, empty database, as its superuser. No trigger and no foreign key is checked. */
export async function load(client: pg.Client, scale: number): Promise<void> {
  await client.query(`set session_replication_role = replica; set synchronous_commit = off`)
  for (const { table, rows, columns, values } of tablesOf(scale))
    await client.query(
      `insert into ${table} (${columns}) select ${values} from generate_series(0, ${rows - 1}) i`,
    )
  await client.query('reset session_replication_role')
  await client.query(`update own_nameservers set names = '{ns1.own.example,ns2.own.example}'`)
  await client.query('vacuum analyze')
}

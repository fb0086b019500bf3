// Query generator for the rows of a table: quoted names that the catalog has confirmed, and nothing
// of the caller's own text.
import pg from 'pg'

export type RowOrder = { column: string; descending: boolean }
type RowQuery = {
  schema: string
  table: string
  columns: readonly string[]
  order: readonly RowOrder[]
  limit: bigint
  offset: bigint
}

/**
 * Each column as text. Columns are qualified: an unqualified name after "order by" would be the
 * text that is selected, by which 10 comes before 9.
 */
export function rowQuery({ schema, table, columns, order, limit, offset }: RowQuery): string {
  const column = (name: string) => `t.${pg.escapeIdentifier(name)}`
  const selected = columns.map((name) => `${column(name)}::text`).join(', ')
  const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)} t`
  const sorted = order.map((one) => `${column(one.column)}${one.descending ? ' desc' : ''}`)
  const by = sorted.length === 0 ? '' : ` order by ${sorted.join(', ')}`
  return `select ${selected} from ${from}${by} limit ${limit} offset ${offset}`
}

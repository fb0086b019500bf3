// Record sets as a table, a line for each value.
import { table } from '../table.ts'

type Listed = { host: string; type: string; ttl: number; values: string[] }

export function recordTable(sets: readonly Listed[]): string[] {
  const rows = sets.flatMap(({ host, type, ttl, values }) =>
    values.map((value, at) => (at === 0 ? [host, type, `${ttl}`, value] : ['', '', '', value])),
  )
  return table(['HOST', 'TYPE', '>TTL', 'VALUE'], rows)
}

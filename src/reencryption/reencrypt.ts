// Rotation of ENCRYPTION_KEY: seals every value of a previous key with the current one, row by row,
// while the service runs. An interrupted run is repeated from the start; values that are done stay.
import type { Database } from '../db/database.ts'
import type { Encryption } from '../kit/encryption.ts'
import { type SealedColumn, sealedColumns } from './sealed-columns.sql.ts'

type ColumnReport = {
  table: string
  column: string
  /** The values that this run has re-encrypted. */
  resealed: number
  /** Values that only a previous key opens, after this run. */
  previous: number
  /** The values that none of the keys opens. */
  unreadable: number
}

type Parts = { db: Database; encryption: Encryption }

const page_rows = 500

/** With `check` it counts, and changes nothing. */
export async function reencrypt(
  parts: Parts,
  { check }: { check: boolean },
): Promise<ColumnReport[]> {
  const reports: ColumnReport[] = []
  for (const column of sealedColumns) {
    const resealed = check ? 0 : await resealColumn(parts, column)
    reports.push({
      table: column.table,
      column: column.column,
      resealed,
      ...(await count(parts, column)),
    })
  }
  return reports
}

/**
 * Works row by row, each in a transaction of its own, which holds one lock and so cannot deadlock.
 * A value that changed meanwhile stays as it is, since the node that wrote it has sealed it.
 */
async function resealColumn({ db, encryption }: Parts, column: SealedColumn): Promise<number> {
  let resealed = 0
  for await (const { key, sealed } of valuesOf(db, column)) {
    const again = encryption.reseal(sealed)
    if (again.state !== 'resealed') continue
    resealed += await db.count(column.write, { key, was: sealed, sealed: again.sealed })
  }
  return resealed
}

async function count({ db, encryption }: Parts, column: SealedColumn) {
  const found = { current: 0, resealed: 0, unreadable: 0 }
  for await (const { sealed } of valuesOf(db, column)) found[encryption.reseal(sealed).state] += 1
  return { previous: found.resealed, unreadable: found.unreadable }
}

async function* valuesOf(db: Database, { read, first }: SealedColumn) {
  let after = first
  for (;;) {
    const rows = await db.run(read, { after, limit: page_rows })
    for (const { key, sealed } of rows) if (sealed !== null) yield { key, sealed }
    const last = rows.at(-1)
    if (last === undefined || rows.length < page_rows) return
    after = last.key
  }
}

/** The command. `code` is 1 if a previous key is still needed, and 3 if a value is unreadable. */
export function reportOf(reports: readonly ColumnReport[]): { lines: string[]; code: 0 | 1 | 3 } {
  const sum = (of: 'resealed' | 'previous' | 'unreadable') =>
    reports.reduce((total, report) => total + report[of], 0)
  const [previous, unreadable] = [sum('previous'), sum('unreadable')]
  const lines = reports
    .filter((one) => one.resealed + one.previous + one.unreadable > 0)
    .map((one) => `${one.table}.${one.column}: ${countsOf(one)}`)
  const sums = countsOf({ resealed: sum('resealed'), previous, unreadable })
  const words = `In all ${reports.length} columns: ${sums}.`
  if (previous > 0) return { lines: [...lines, words, stillNeeded], code: 1 }
  return { lines: [...lines, words, notNeeded], code: unreadable > 0 ? 3 : 0 }
}

const stillNeeded =
  'A previous key is still needed. Run this (again), once every node has the new ENCRYPTION_KEY.'
const notNeeded = 'No stored value needs a previous key.'

function countsOf({ resealed, previous, unreadable }: Omit<ColumnReport, 'table' | 'column'>) {
  return `${resealed} re-encrypted, ${previous} of a previous key, ${unreadable} that no key opens`
}

// The database's gauges as one snapshot for all nodes: the first node that is scraped after ten
// seconds reads them, and the others export its result.
import Type from 'typebox'
import type { Database } from '../db/database.ts'
import { json } from '../db/statement.ts'
import { compile } from '../kit/schema.ts'
import {
  type DatabaseGauge,
  databaseGauges,
  readDatabaseGauges,
  type Sample,
} from './database-gauges.ts'
import { claimSnapshot, readSnapshot, storeSnapshot } from './metrics.sql.ts'

const every_ms = 10_000

const stored = compile(
  Type.Array(
    Type.Object({
      metric: Type.String(),
      labels: Type.Record(Type.String(), Type.String()),
      value: Type.Number(),
    }),
  ),
)

/** Returns false for a snapshot that a node of another version has stored. */
const isKnown = (metric: string): metric is DatabaseGauge => metric in databaseGauges

export type Snapshot = { samples: Sample[]; age_s: number }

/**
 * The newest snapshot of any node, which is taken now if the last attempt is ten seconds old, or
 * null if there is none yet. Rejects if the database cannot be read.
 */
export async function currentSnapshot(db: Database): Promise<Snapshot | null> {
  const mine = await db.maybe(claimSnapshot, { every_ms })
  if (mine) {
    const samples = await readDatabaseGauges(db)
    await db.run(storeSnapshot, { samples: json(samples) })
    return { samples, age_s: 0 }
  }
  const row = await db.maybe(readSnapshot)
  if (!row) return null
  const samples = stored.parse(row.samples).flatMap(({ metric, ...rest }) => {
    return isKnown(metric) ? [{ metric, ...rest }] : []
  })
  return { samples, age_s: row.age_s }
}

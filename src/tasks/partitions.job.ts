// Partitions by time: made a year ahead, and dropped once a purge has emptied them.
import type { Logger } from 'pino'
import type { Database, Sql } from '../db/database.ts'
import {
  createPartition,
  dropEmptyPartition,
  partitionedTables,
  partitionProblems,
} from '../db/partitions.sql.ts'

/** A job as `job()` in app.ts declares it, which this layer may not import. */
export const managePartitions = {
  name: 'manage_partitions',
  does: 'Creates partitions for a year ahead, and drops empty ones that are past.',
  every_ms: 3_600_000,
  async run({ db, log }: { db: Database; log: Logger }): Promise<{ more: boolean }> {
    const errors: unknown[] = []
    for (const { name: table } of await db.run(partitionedTables))
      try {
        // Each has its own transaction, so that no lock waits for another table's.
        for (const one of [createPartition, dropEmptyPartition])
          for (let name = await next(db, one, table); name; name = await next(db, one, table))
            log.info(
              { partition: name },
              one === createPartition ? 'partition created' : 'partition dropped',
            )
      } catch (error) {
        // The partitions of the other tables are made all the same.
        log.error({ err: error, table }, 'partitions not created or dropped')
        errors.push(error)
      }
    for (const { parent, problem } of await db.run(partitionProblems))
      log.error({ table: parent, problem, alarm: 'partitions_missing' }, 'partitions are missing')
    if (errors.length > 0) throw errors[0]
    return { more: false }
  },
}

async function next(
  db: Database,
  one: typeof createPartition | typeof dropEmptyPartition,
  table: string,
): Promise<string | null> {
  return (await db.one(one, { table })).name
}

/** Reports to health each row without a range of its own, and each table without ranges ahead. */
export async function partitionsDetail(sql: Sql): Promise<string[]> {
  const problems = await sql.run(partitionProblems)
  return problems.map(({ parent, problem }) => `${parent}: ${problem}`)
}

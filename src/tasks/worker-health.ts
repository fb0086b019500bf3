// Health of the worker by the database: heartbeats, overdue jobs, dead letters, partitions.
import type { Sql } from '../db/database.ts'
import { partitionsDetail } from './partitions.job.ts'
import { countDead, readFailingJobs, readHeartbeats } from './tasks.sql.ts'
import { heartbeat_ms } from './worker.ts'

const many_failures = 3

/**
 * `down`: no node sent one of three heartbeats, a job is overdue by more than three
 * of its intervals (or a round of a per-node job does not end), or partitions are missing. `detail`
 * names what is late, jobs that failed three times in a row or more, and the dead letters of the
 * last day.
 */
export async function workerHealth(
  sql: Sql,
): Promise<{ state: 'up' | 'down'; detail: string | null }> {
  const [heartbeats, failing, dead, partitions] = await Promise.all([
    sql.one(readHeartbeats, { within_ms: 3 * heartbeat_ms }),
    sql.run(readFailingJobs, { within_ms: 3 * heartbeat_ms }),
    sql.run(countDead),
    partitionsDetail(sql),
  ])
  const words: string[] = []
  const age_s =
    heartbeats.newest_age_ms === null ? null : Math.round(heartbeats.newest_age_ms / 1000)
  if (heartbeats.nodes === 0n)
    words.push(age_s === null ? 'no worker runs' : `last heartbeat of a worker ${age_s} s ago`)
  for (const { name, failures, overdue } of failing) {
    if (overdue) words.push(`${name} is overdue`)
    if (failures >= many_failures) words.push(`${name} failed ${failures} times in a row`)
  }
  for (const one of dead) words.push(`${one.dead} dead tasks: ${one.kind}`)
  words.push(...partitions)
  const down =
    heartbeats.nodes === 0n || partitions.length > 0 || failing.some(({ overdue }) => overdue)
  return { state: down ? 'down' : 'up', detail: words.length > 0 ? words.join('; ') : null }
}

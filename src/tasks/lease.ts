// A claim on a shared job: taken, kept while the job runs, and given back, all by the database's
// clock.

import type { Sql } from '../db/database.ts'
import { monotonicMs } from '../kit/clock.ts'
import { claimJob, finishJob, putSchedule, renewLease } from './tasks.sql.ts'

export type Lease = {
  /** Counts up with every claim of this job on any node: a fence. */
  token: bigint
  /** False once the claim may be another's: no new round then. */
  held: () => boolean
  /** Ends it; the job is due again in `next_ms`. */
  finish: (next_ms: number, error: string | null) => Promise<void>
}
export type Asked = { name: string; every_ms: number; lease_ms: number; woken: boolean }

/** The lease, or how long it may be worth to wait before asking again. */
export async function claim(sql: Sql, asked: Asked): Promise<Lease | { wait_ms: number }> {
  const { name, every_ms, lease_ms, woken } = asked
  const asked_at = monotonicMs()
  const answer = await sql.maybe(claimJob, [name, lease_ms, woken])
  if (answer === undefined) {
    // Its row is missing: another version of the service tidied it away, or this is the first
    // start.
    await sql.run(putSchedule, [name, every_ms])
    return { wait_ms: 0 }
  }
  if (answer.token === null) return { wait_ms: answer.wait_ms }
  return keep(sql, { name, lease_ms, token: answer.token, asked_at })
}

type Kept = { name: string; lease_ms: number; token: bigint; asked_at: number }

function keep(sql: Sql, { name, lease_ms, token, asked_at }: Kept): Lease {
  let lost = false
  let good_until = asked_at + lease_ms
  let renewing: Promise<void> = Promise.resolve()

  async function renew(): Promise<void> {
    const began = monotonicMs()
    if (await sql.maybe(renewLease, [name, token, lease_ms])) good_until = began + lease_ms
    else lost = true
  }
  const timer = setInterval(() => {
    // A database that is away for a moment does not lose the lease; the end of its time does.
    renewing = renewing.then(renew).catch(() => undefined)
  }, lease_ms / 3)

  return {
    token,
    held: () => !lost && monotonicMs() < good_until,
    async finish(next_ms, error) {
      clearInterval(timer)
      await renewing
      await sql.run(finishJob, [name, token, Math.ceil(next_ms), error])
    },
  }
}

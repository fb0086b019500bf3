// Leases: claims that end by the database's clock and are renewed while the work runs.
import type { Sql } from '../db/database.ts'
import { monotonicMs } from '../kit/clock.ts'
import { claimJob, finishJob, putSchedules, renewLease } from './tasks.sql.ts'

type Renewal = {
  lease_ms: number
  /** The time before the claim was requested. */
  asked_at: number
  /** False if another worker has taken the claim over. */
  renew: () => Promise<boolean>
}
export type RenewedLease = {
  /** False once another worker may have the claim. */
  held: () => boolean
  /** Ends the renewals, once the one in progress has been answered. */
  stop: () => Promise<void>
}

/** Renews a claim at each third of its time until it is stopped. */
export function renewing({ lease_ms, asked_at, renew }: Renewal): RenewedLease {
  let lost = false
  let held_until = asked_at + lease_ms
  let under_way: Promise<void> = Promise.resolve()

  async function once(): Promise<void> {
    const began = monotonicMs()
    if (await renew()) held_until = began + lease_ms
    else lost = true
  }
  const timer = setInterval(() => {
    // The lease is not lost while the database is unreachable for a moment, but only at the end of
    // its time.
    under_way = under_way.then(once).catch(() => undefined)
  }, lease_ms / 3)

  return {
    held: () => !lost && monotonicMs() < held_until,
    async stop() {
      clearInterval(timer)
      await under_way
    },
  }
}

export type Lease = {
  /** A fence that increases with every claim of this job on any node. */
  token: bigint
  /** False once another worker may have the claim, so that no new round begins. */
  held: () => boolean
  /** Ends the lease; the job is due again in `next_ms`. */
  finish: (next_ms: number, error: string | null) => Promise<void>
}
type Asked = { name: string; every_ms: number; lease_ms: number; woken: boolean }

/** The lease of a job, or how long to wait before asking again. */
export async function claim(sql: Sql, asked: Asked): Promise<Lease | { wait_ms: number }> {
  const { name, every_ms, lease_ms, woken } = asked
  const asked_at = monotonicMs()
  const answer = await sql.maybe(claimJob, { name, lease_ms, woken })
  if (answer === undefined) {
    // Its row is missing: another version of the service deleted it, or this is the first start.
    await sql.run(putSchedules, { names: [name], every_ms: [every_ms] })
    return { wait_ms: 0 }
  }
  const { token, wait_ms } = answer
  if (token === null) return { wait_ms }
  const renew = async () =>
    (await sql.maybe(renewLease, { name, lease_token: token, lease_ms })) !== undefined
  const lease = renewing({ lease_ms, asked_at, renew })
  return {
    token,
    held: lease.held,
    async finish(next_ms, error) {
      await lease.stop()
      await sql.run(finishJob, {
        name,
        lease_token: token,
        in_ms: Math.ceil(next_ms),
        last_error: error,
      })
    },
  }
}

// Rate limits shared by all nodes: a node leases a few units at a time from the shared row and
// spends them by itself, so that most requests cost no query, and no number of nodes gets more than
// the quota.
import { performance } from 'node:perf_hooks'
import type { Sql } from '../db/database.ts'
import { leaseUnits } from './limits.sql.ts'

/** `quota` units in each window of `window_s` seconds. */
export type Policy = { name: string; quota: number; window_s: number }
/** How a key stands after a request, for the RateLimit header fields. */
export type Standing = { policy: Policy; allowed: boolean; left: number; resets_s: number }
export type Limits = { take: (policy: Policy, key: string, units: number) => Promise<Standing> }

type Lease = {
  units: number
  left: number
  ends_at: number
  /** How many were asked for last. */
  size: number
  asking: Promise<void> | null
}

// At most a tenth of the quota at once. A key's first lease in a node is what it needs, each
// further one twice the last: a busy key costs few queries, and a node that dies takes hardly
// anything with it.
const share = 10
const mostLeases = 50_000

/**
 * Limits over the shared table. While the database is away each node grants one share of the quota
 * by itself.
 */
export function openLimits(sql: Sql): Limits {
  const leases = new Map<string, Lease>()

  async function ask(key: string, policy: Policy, units: number): Promise<void> {
    const old = leases.get(key)
    const current = old && old.ends_at > performance.now() ? old : undefined
    const kept = current?.units ?? 0
    const most = Math.ceil(policy.quota / share)
    const size = Math.min(most, current ? 2 * current.size : Math.ceil((old?.size ?? 1) / 2))
    const wanted = Math.max(units - kept, size)
    const row = await sql
      .one(leaseUnits, [key, policy.quota, wanted, policy.window_s])
      .catch(() => ({ granted: most, left: 0, resets_s: policy.window_s }))
    if (leases.size >= mostLeases) dropEnded(leases)
    leases.set(key, {
      // Units of a window that ended meanwhile went with it; the shared row says what the new one
      // allows.
      units: row.granted + kept,
      left: row.left,
      ends_at: performance.now() + row.resets_s * 1000,
      size,
      asking: null,
    })
  }

  /** Asks once for all callers that wait for the same key. */
  async function refill(key: string, policy: Policy, units: number): Promise<void> {
    const asking = ask(key, policy, units)
    const lease = leases.get(key)
    if (lease) lease.asking = asking
    else leases.set(key, { units: 0, left: 0, ends_at: 0, size: 1, asking })
    await asking
  }

  return {
    async take(policy, key, units) {
      const fullKey = `${policy.name}:${key}`
      for (;;) {
        const lease = leases.get(fullKey)
        if (lease && lease.asking !== null) await lease.asking
        else if (!lease || lease.ends_at <= performance.now()) await refill(fullKey, policy, units)
        else if (lease.units >= units) {
          lease.units -= units
          return standing(policy, lease, true)
        } else if (lease.left === 0) return standing(policy, lease, false)
        else await refill(fullKey, policy, units)
      }
    },
  }
}

function standing(policy: Policy, lease: Lease, allowed: boolean): Standing {
  const resets_s = Math.max(0, (lease.ends_at - performance.now()) / 1000)
  return { policy, allowed, left: lease.units + lease.left, resets_s }
}

function dropEnded(leases: Map<string, Lease>): void {
  const now = performance.now()
  for (const [key, lease] of leases) if (!lease.asking && lease.ends_at < now) leases.delete(key)
}

/**
 * RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers) for the tightest of several
 * standings.
 */
export function limitHeaders(standings: Standing[]): Record<string, string> {
  if (standings.length === 0) return {}
  const policies = standings.map(
    ({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.window_s}`,
  )
  const left = standings.map((standing) => {
    const seconds = Math.ceil(standing.resets_s)
    return `"${standing.policy.name}";r=${Math.max(0, standing.left)};t=${seconds}`
  })
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: left.join(', ') }
}

// Rate limits shared by all nodes: a node leases a few units at a time from the shared row and
// spends them by itself, so that most requests cost no query, and no number of nodes gets more than
// the quota.

import { LruMap } from 'toad-cache'
import type { Sql } from '../../db/database.ts'
import { monotonicMs } from '../../kit/clock.ts'
import { siteOf } from '../../kit/net/ip.ts'
import { leaseUnits } from './rate-limits.sql.ts'

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
const usual_capacity = 50_000

/**
 * Limits over the shared table. The leases of a node are an LRU cache: one that is evicted loses
 * the units that it had not spent, and no limit, because the shared row has counted them. While the
 * database is away each node grants one share of the quota by itself.
 */
export function openLimits(sql: Sql, { capacity = usual_capacity } = {}): Limits {
  const leases = new LruMap<Lease>(capacity)
  const alone = grantsAlone(capacity)

  async function ask(key: string, policy: Policy, units: number): Promise<void> {
    const old = leases.get(key)
    const current = old && old.ends_at > monotonicMs() ? old : undefined
    const kept = current?.units ?? 0
    const most = Math.ceil(policy.quota / share)
    const size = Math.min(most, current ? 2 * current.size : Math.ceil((old?.size ?? 1) / 2))
    const wanted = Math.max(units - kept, size)
    const row = await sql
      .one(leaseUnits, [key, policy.quota, wanted, policy.window_s])
      .catch(() => alone(policy, most))
    leases.set(key, {
      // Units of a window that ended meanwhile went with it; the shared row says what the new one
      // allows.
      units: row.granted + kept,
      left: row.left,
      ends_at: monotonicMs() + row.resets_s * 1000,
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
        else if (!lease || lease.ends_at <= monotonicMs()) await refill(fullKey, policy, units)
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
  const resets_s = Math.max(0, (lease.ends_at - monotonicMs()) / 1000)
  return { policy, allowed, left: lease.units + lease.left, resets_s }
}

type Granted = { granted: number; left: number; resets_s: number }

/**
 * What a node grants while nothing shared remembers an evicted lease: as many shares of a policy in
 * one window as there are leases, so that evicting them on purpose gains nothing beyond that.
 */
function grantsAlone(capacity: number): (policy: Policy, units: number) => Granted {
  const windows = new Map<string, { ends_at: number; shares: number }>()
  return ({ name, window_s }, units) => {
    const now = monotonicMs()
    const known = windows.get(name)
    const fresh = { ends_at: now + window_s * 1000, shares: 0 }
    const current = known && known.ends_at > now ? known : fresh
    windows.set(name, current)
    current.shares += 1
    const granted = current.shares <= capacity ? units : 0
    return { granted, left: 0, resets_s: (current.ends_at - now) / 1000 }
  }
}

/** A site has more requests than an address of it, and far fewer than all its addresses. */
const times_of_site = 4

/**
 * Takes units of an address's quota and, in IPv6, of its site's (/48), as one party has 65,536 of
 * the /64 that count as an address. What an address is refused does not count for its neighbours.
 */
export async function takeAt(
  limits: Limits,
  policy: Policy,
  { address, units }: { address: string; units: number },
): Promise<Standing> {
  const own = await limits.take(policy, `address:${address}`, units)
  if (!own.allowed || !address.endsWith('/64')) return own
  const { name, quota, window_s } = policy
  const wider = { name: `${name}-of-site`, quota: times_of_site * quota, window_s }
  const site = await limits.take(wider, `site:${siteOf(address)}`, units)
  return site.allowed && site.left >= own.left ? own : site
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

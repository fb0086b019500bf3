// Request quotas (fixed windows) shared by all nodes: a node leases a few units at a time from the
// shared row and spends them locally, so that most requests cost no query, and no number of nodes
// gets more than the quota.

import { LRUCache } from 'lru-cache'
import type { Sql } from '../db/database.ts'
import { monotonicMs } from '../kit/clock.ts'
import { type Fault, fault } from '../kit/fault.ts'
import { siteOf } from '../kit/net/ip.ts'
import { leaseUnits } from './rate-limits.sql.ts'

export const rateLimited = fault('rate_limited', 'limited', {
  sentence: 'Too many requests.',
  hint: 'Try again after Retry-After; RateLimit and RateLimit-Policy show what is left.',
})

/** A quota of `quota` units in each window of `window_s` seconds. */
export type Policy = { name: string; quota: number; window_s: number }
/** The state of a key after a request, for the RateLimit header fields. */
export type LimitState = { policy: Policy; allowed: boolean; left: number; resets_s: number }
/** An address as `countedAddress` returns it, or the key of a known caller. */
export type LimitKey = { address: string } | { principal: string }
type Spending = {
  key: LimitKey
  units: number
  /** Gets the state of each policy; the state so far is part of the header fields of a 429. */
  states: LimitState[]
}
export type Limits = {
  take: (policy: Policy, key: string, units: number) => Promise<LimitState>
  /**
   * Takes units of each policy in order. Throws rate_limited (429) at the first policy without
   * enough.
   */
  enforce: (policies: readonly Policy[], spending: Spending) => Promise<void>
}

type Lease = {
  units: number
  left: number
  ends_at: number
  /** The number that was requested last. */
  size: number
  asking: Promise<void> | null
}

// At most a tenth of the quota is leased at once. A key's first lease in a node covers its demand,
// and each further one is twice the last: a busy key costs few queries, and a node that dies takes
// hardly anything with it.
const share = 10
const usual_capacity = 50_000

/**
 * Limits over the shared table. The leases of a node are an LRU cache: an evicted lease loses the
 * units that it had not spent, but no limit is exceeded, because the shared row has counted them.
 * While the database is away, each node grants one share of the quota on its own.
 */
export function openLimits(sql: Sql, { capacity = usual_capacity } = {}): Limits {
  const leases = new LRUCache<string, Lease>({ max: capacity })
  const grantLocally = localGrants(capacity)

  async function ask(key: string, policy: Policy, units: number): Promise<void> {
    const old = leases.get(key)
    const current = old && old.ends_at > monotonicMs() ? old : undefined
    const kept = current?.units ?? 0
    const most = Math.ceil(policy.quota / share)
    const size = Math.min(most, current ? 2 * current.size : Math.ceil((old?.size ?? 1) / 2))
    const wanted = Math.max(units - kept, size)
    const row = await sql
      .one(leaseUnits, { key, quota: policy.quota, units: wanted, window_s: policy.window_s })
      .catch(() => grantLocally(policy, most))
    leases.set(key, {
      // Units of a window that ended meanwhile are lost with it; the shared row says how much the
      // new window allows.
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

  async function take(policy: Policy, key: string, units: number): Promise<LimitState> {
    const fullKey = `${policy.name}:${key}`
    for (;;) {
      const lease = leases.get(fullKey)
      if (lease && lease.asking !== null) await lease.asking
      else if (!lease || lease.ends_at <= monotonicMs()) await refill(fullKey, policy, units)
      else if (lease.units >= units) {
        lease.units -= units
        return stateOf(policy, lease, true)
      } else if (lease.left === 0) return stateOf(policy, lease, false)
      else await refill(fullKey, policy, units)
    }
  }

  return {
    take,
    async enforce(policies, { key, units, states }) {
      for (const policy of policies) {
        const state =
          'principal' in key
            ? await take(policy, key.principal, units)
            : await takeForAddress({ take }, policy, { address: key.address, units })
        states.push(state)
        if (!state.allowed) throw limitExceeded(state, states)
      }
    },
  }
}

function limitExceeded({ policy, resets_s }: LimitState, states: LimitState[]): Fault {
  return rateLimited({
    detail: `More than ${policy.quota} ${policy.name} in ${policy.window_s} seconds.`,
    headers: limitHeaders(states),
    retry_after_s: resets_s,
  })
}

function stateOf(policy: Policy, lease: Lease, allowed: boolean): LimitState {
  const resets_s = Math.max(0, (lease.ends_at - monotonicMs()) / 1000)
  return { policy, allowed, left: lease.units + lease.left, resets_s }
}

type Granted = { granted: number; left: number; resets_s: number }

/**
 * The units that a node grants while the database, which remembers evicted leases, is away: as many
 * shares of a policy in one window as there are leases, so that evicting them on purpose gains
 * nothing more.
 */
function localGrants(capacity: number): (policy: Policy, units: number) => Granted {
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

/** A site may send more requests than one of its addresses, and far fewer than all of them. */
const times_of_site = 4

/**
 * Takes units of an address's quota and, for IPv6, of its site's (/48), because one party has
 * 65,536 of the /64 that count as an address. Units that are refused to an address do not count for
 * its neighbors.
 */
export async function takeForAddress(
  limits: Pick<Limits, 'take'>,
  policy: Policy,
  { address, units }: { address: string; units: number },
): Promise<LimitState> {
  const own = await limits.take(policy, `address:${address}`, units)
  if (!own.allowed || !address.endsWith('/64')) return own
  const { name, quota, window_s } = policy
  const wider = { name: `${name}-of-site`, quota: times_of_site * quota, window_s }
  const site = await limits.take(wider, `site:${siteOf(address)}`, units)
  return site.allowed && site.left >= own.left ? own : site
}

/**
 * The fields RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers) for several
 * policies.
 */
export function limitHeaders(states: readonly LimitState[]): Record<string, string> {
  if (states.length === 0) return {}
  const policies = states.map(
    ({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.window_s}`,
  )
  const left = states.map((state) => {
    const seconds = Math.ceil(state.resets_s)
    return `"${state.policy.name}";r=${Math.max(0, state.left)};t=${seconds}`
  })
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: left.join(', ') }
}

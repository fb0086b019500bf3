// The leases that this node holds, which are renewed together and ended before the database could
// give them to another node.

import type { Logger } from 'pino'
import type { Sql } from '../db/database.ts'
import type { LeaseHolder, SessionLease } from '../epp/pool/pooled-session.ts'
import { monotonicMs } from '../kit/clock.ts'
import { releaseLease, releaseNode, renewLeases } from './session-leases.sql.ts'

export type HeldLease = {
  id: bigint
  registry: string
  holder: LeaseHolder
  taken_ms: number
  /**
   * The time by this machine's clock from before the request, which is never later than in the
   * database.
   */
  valid_until_ms: number
  lost: AbortController
  /** Whether its holder was asked to give it up. */
  revoked: boolean
}

type HeldLeaseParts = {
  sql: Sql
  log: Pick<Logger, 'warn' | 'error'>
  node: string
  lease_ms: number
  /** Called when a renewal finds that another node waits at a registry. */
  waitedFor: (registry: string) => void
}

// The shares of a lease after which it is renewed, after which sessions without a renewal take no
// new command, and after which they are ended. The rest is for a busy machine and for the time to
// send the logout.
const renew_at = 4 / 15
const leave_at = 10 / 15
const end_at = 13 / 15

export class HeldLeases {
  readonly #parts: HeldLeaseParts
  readonly #all = new Map<bigint, HeldLease>()
  readonly #releasing = new Set<Promise<unknown>>()
  #timer: NodeJS.Timeout | null = null
  #renewing: Promise<void> | null = null
  #asked_ms = 0

  constructor(parts: HeldLeaseParts) {
    this.#parts = parts
  }

  /** Adds a lease that the database granted; `asked_ms` is a time before the request for it. */
  add(
    { id, registry, holder }: Pick<HeldLease, 'id' | 'registry' | 'holder'>,
    asked_ms: number,
  ): SessionLease {
    const { lease_ms } = this.#parts
    const lease: HeldLease = {
      id,
      registry,
      holder,
      taken_ms: monotonicMs(),
      valid_until_ms: asked_ms + lease_ms,
      lost: new AbortController(),
      revoked: false,
    }
    this.#all.set(id, lease)
    if (!this.#timer) {
      this.#asked_ms = asked_ms
      this.#timer = setInterval(() => this.#tick(), lease_ms / 15)
      this.#timer.unref()
    }
    return { lost: lease.lost.signal, release: () => this.#release(lease) }
  }

  at(registry: string): HeldLease[] {
    return [...this.#all.values()].filter((lease) => lease.registry === registry)
  }

  revoke(lease: HeldLease): void {
    if (lease.revoked) return
    lease.revoked = true
    lease.holder.giveUp()
  }

  /** Ends the remaining leases, and releases them in the database. */
  async close(): Promise<void> {
    for (const lease of this.#all.values()) this.#end(lease)
    await this.#renewing
    await Promise.all(this.#releasing)
    const { sql, log, node } = this.#parts
    // If that fails, the leases expire.
    await sql
      .run(releaseNode, { node })
      .catch((err) => log.warn({ err }, 'session leases not released'))
  }

  #tick(): void {
    const now = monotonicMs()
    const { lease_ms, log } = this.#parts
    for (const lease of this.#all.values()) {
      const age = lease_ms - (lease.valid_until_ms - now)
      if (age >= end_at * lease_ms) {
        log.error({ registry: lease.registry }, 'session ended: its lease could not be renewed')
        this.#end(lease)
      } else if (age >= leave_at * lease_ms) this.revoke(lease)
    }
    if (this.#renewing || now - this.#asked_ms < renew_at * lease_ms) return
    this.#renewing = this.#renew()
      .catch((err) => log.warn({ err }, 'session leases not renewed'))
      .finally(() => {
        this.#renewing = null
      })
  }

  async #renew(): Promise<void> {
    const { sql, lease_ms, log, waitedFor } = this.#parts
    const asked = [...this.#all.values()]
    const asked_ms = monotonicMs()
    this.#asked_ms = asked_ms
    const rows = await sql.run(renewLeases, { leases: asked.map(({ id }) => id), lease_ms })
    const kept = new Set(rows.map(({ lease }) => lease))
    for (const lease of asked) {
      if (kept.has(lease.id)) lease.valid_until_ms = asked_ms + lease_ms
      else if (this.#all.has(lease.id)) {
        log.error({ registry: lease.registry }, 'session ended: another node has its lease')
        this.#end(lease)
      }
    }
    const wanted = rows.filter(({ waited_for }) => waited_for).map(({ registry }) => registry)
    for (const registry of new Set(wanted)) waitedFor(registry)
  }

  #end(lease: HeldLease): void {
    this.#purge(lease)
    lease.lost.abort()
  }

  #release(lease: HeldLease): void {
    if (!this.#purge(lease)) return
    const { sql, log } = this.#parts
    const released = sql
      .run(releaseLease, { lease: lease.id })
      .catch((err) => log.warn({ err }, 'session lease not released before it expires'))
      .finally(() => this.#releasing.delete(released))
    this.#releasing.add(released)
  }

  #purge(lease: HeldLease): boolean {
    const held = this.#all.delete(lease.id)
    if (this.#all.size === 0 && this.#timer) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    return held
  }
}

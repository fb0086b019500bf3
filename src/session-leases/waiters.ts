// The leases of one registry on this node: local waiters for a lease, and leases that are given up
// because other nodes wait.

import type { Logger } from 'pino'
import type { Sql } from '../db/database.ts'
import type { LeaseHolder, SessionLease } from '../epp/pool/pooled-session.ts'
import { monotonicMs } from '../kit/clock.ts'
import { AutoResetEvent } from '../kit/concurrency/auto-reset-event.ts'
import { type Revocation, revocationFor } from './fair-share.ts'
import type { HeldLease, HeldLeases } from './leases.ts'
import { releaseLeasesOfDeadNodes } from './process-liveness.ts'
import { acquireLeases, endWait, readNodeStates } from './session-leases.sql.ts'

// The delay that a lost notification costs; the mark of a waiting node outlasts a few of them.
const ask_again_ms = 500
const mark_ms = 2_000
const look_again_ms = 250

type RegistryLeasesParts = {
  sql: Sql
  log: Pick<Logger, 'warn'>
  node: string
  registry: string
  /** The number of sessions of all nodes together. */
  sessions: number
  lease_ms: number
  leases: HeldLeases
}

type Waiting = { holder: LeaseHolder; resolve: (lease: SessionLease | null) => void }

export class RegistryLeases {
  readonly #parts: RegistryLeasesParts
  readonly #waiting: Waiting[] = []
  readonly #freed = new AutoResetEvent()
  readonly #wanted = new AutoResetEvent()
  #serving: Promise<void> | null = null
  #sharing: Promise<void> | null = null
  #closed = false
  /** Whether the database shows that this node waits. */
  #marked = false
  #failing = false

  constructor(parts: RegistryLeasesParts) {
    this.#parts = parts
  }

  acquire(holder: LeaseHolder): Promise<SessionLease | null> {
    return new Promise((resolve) => {
      if (this.#closed) throw new Error('The session leases are closed')
      this.#waiting.push({ holder, resolve })
      holder.closing.addEventListener('abort', () => this.#freed.signal(), { once: true })
      this.#serving ??= this.#serve()
    })
  }

  /** A lease became free, or another node waits for one. Both are handled. */
  wake(): void {
    this.#freed.signal()
    this.#wanted.signal()
    if (this.#closed || this.#sharing || this.#held().length === 0) return
    this.#sharing = this.#shareWithOthers()
  }

  /** The waiters get no lease. */
  async close(): Promise<void> {
    this.#closed = true
    this.#freed.signal()
    this.#wanted.signal()
    await Promise.all([this.#serving, this.#sharing])
  }

  #held(): HeldLease[] {
    return this.#parts.leases.at(this.#parts.registry)
  }

  async #serve(): Promise<void> {
    // Concurrent calls are served by one statement.
    await null
    for (;;) {
      this.#refuseUnwanted()
      if (this.#waiting.length === 0 && !this.#marked) break
      this.#freed.reset()
      if (this.#waiting.length === 0) await this.#removeMark()
      else {
        await this.#acquire()
        if (this.#waiting.length > 0) await this.#freed.wait(ask_again_ms)
      }
    }
    this.#serving = null
  }

  #refuseUnwanted(): void {
    const wanted = this.#closed ? 0 : (this.#waiting[0]?.holder.wanted() ?? 0)
    for (const { resolve } of this.#waiting.splice(Math.max(0, wanted))) resolve(null)
  }

  async #acquire(): Promise<void> {
    const { sql, node, registry, sessions, lease_ms, leases } = this.#parts
    const count = this.#waiting.length
    const asked_ms = monotonicMs()
    const rows = await this.#trying(() =>
      sql.run(acquireLeases, {
        registry,
        node,
        budget: sessions,
        wanted: count,
        lease_ms,
        wait_ms: mark_ms,
      }),
    )
    if (!rows) return
    this.#marked = rows.length < count
    for (const { lease, waited_for } of rows) {
      const next = this.#waiting.shift()
      if (!next) throw new Error('More session leases than were asked for')
      next.resolve(leases.add({ id: lease, registry, holder: next.holder }, asked_ms))
      // A node that began to wait since the statement has notified us before we knew which leases
      // we hold.
      if (waited_for || this.#wanted.reset()) this.wake()
    }
    if (this.#marked && (await this.#trying(() => releaseLeasesOfDeadNodes(sql, registry))))
      this.#freed.signal()
  }

  /** If this fails, the mark expires. */
  async #removeMark(): Promise<void> {
    const { sql, node, registry } = this.#parts
    this.#marked = false
    await this.#trying(() => sql.run(endWait, { registry, node }))
  }

  /**
   * As long as others wait, this gives up the leases that are due to them, one session at a time.
   */
  async #shareWithOthers(): Promise<void> {
    const { sql, registry, node, sessions } = this.#parts
    while (!this.#closed && this.#held().length > 0) {
      this.#wanted.reset()
      const nodes = await this.#trying(() => sql.run(readNodeStates, { registry }))
      const waited = nodes?.some((one) => one.node !== node && one.waited_ms !== null)
      if (!waited && !this.#wanted.reset()) break
      const revocation = revocationFor(nodes ?? [], { node, sessions })
      if (revocation) this.#revokeOne(revocation)
      await this.#wanted.wait(look_again_ms)
    }
    this.#sharing = null
  }

  #revokeOne({ idle_ms, held_ms }: Revocation): void {
    const held = this.#held()
    // The session ends with its command; then everything is counted again.
    if (held.some(({ revoked }) => revoked)) return
    const now = monotonicMs()
    const idle = held
      .filter(({ holder }) => (holder.idleMs() ?? -1) >= idle_ms)
      .sort((a, b) => (b.holder.idleMs() ?? 0) - (a.holder.idleMs() ?? 0))
    const busy = held
      .filter(({ taken_ms }) => held_ms !== null && now - taken_ms >= held_ms)
      .sort((a, b) => a.taken_ms - b.taken_ms)
    const chosen = idle[0] ?? busy[0]
    if (chosen) this.#parts.leases.revoke(chosen)
  }

  /** It is undefined while the database is away, which is logged once. */
  async #trying<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask()
      this.#failing = false
      return answer
    } catch (err) {
      const { log, registry } = this.#parts
      if (!this.#failing) log.warn({ err, registry }, 'session leases cannot be read')
      this.#failing = true
      return undefined
    }
  }
}

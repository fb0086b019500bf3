// Pool of EPP sessions to one registry: they are opened on demand, kept alive, assigned to commands
// by priority, and all closed at the end.

import { PriorityQueue } from '../../kit/concurrency/priority-queue.ts'
import { EppError } from '../errors.ts'
import type { Reply } from '../replies/reply.ts'
import { fateOf } from '../replies/result-codes.ts'
import { openSession, type Session } from '../session/session.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { PoolSettings } from './pool-settings.ts'
import {
  type CommandRequest,
  endOf,
  isRetryable,
  isSentAgainAfter,
  type Job,
  type Priority,
  priorities,
  refusalError,
  retryOf,
} from './pooled-command.ts'
import {
  leaseFor,
  noLease,
  type PoolEntry,
  type PooledSession,
  type PoolHealth,
  type SessionLease,
} from './pooled-session.ts'

export class Pool {
  readonly #settings: PoolSettings
  readonly #breaker: CircuitBreaker
  readonly #queue: PriorityQueue<Priority, Job>
  readonly #sessions = new Set<PooledSession>()
  readonly #idle: PooledSession[] = []
  readonly #work = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #opening = 0
  /** How many log-ins have begun, and how many of the first of them are lost. */
  #begun = 0
  #lost = 0
  /** Sessions that are being opened and wait for a lease. */
  #waiting = 0
  /** Why the last unanswered command got no answer, until a command gets one. */
  #unanswered: EppError | null = null

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#breaker = new CircuitBreaker(settings.sessions, settings.now)
    this.#queue = new PriorityQueue({ priorities, ...settings.queue }, (job, refusal) =>
      job.reject(refusalError(refusal, settings.queue)),
    )
  }

  /**
   * Sends a command on the next free session. Rejects with EppError (whose `sent` says whether the
   * server may have it), or with UnwritableCommand if the frame cannot be written. The reply may
   * have any code.
   */
  request(request: CommandRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new EppError('shut_down', 'The pool is closed')
      const text = request.frame(request.cl_trid)
      this.#queue.add({ ...request, text, resolve, reject, sent_again: false })
      this.#dispatch()
    })
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  health(): PoolHealth {
    // More sessions wait for a lease than commands wait, because other commands timed out.
    const without = this.#sessions.size === 0 && this.#waiting > this.#queue.length
    const last = this.#breaker.last ?? (without ? noLease() : this.#unanswered)
    const state = this.#sessions.size > 0 ? 'up' : last ? 'down' : 'idle'
    return {
      state,
      sessions: this.#sessions.size,
      idle: this.#idle.length,
      queued: this.#queue.length,
      circuit_open: this.#breaker.open,
      last_error: last?.message ?? null,
    }
  }

  /** Refuses waiting commands, lets running ones finish (at most one time-out), and logs out. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#refuseAll(new EppError('shut_down', 'The pool is closed'))
    for (const session of this.#idle.splice(0)) this.#start(this.#retire(session))
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  #refuseAll(error: EppError): void {
    for (const job of this.#queue.drain()) job.reject(error)
  }

  #start(work: Promise<void>): void {
    this.#work.add(work)
    void work.finally(() => this.#work.delete(work))
  }

  #dispatch(): void {
    while (this.#idle.length > 0) {
      const job = this.#queue.take()
      if (!job) return
      const session = this.#idle.at(-1)
      if (session && this.#removeIdle(session)) this.#start(this.#run(job, session))
    }
    const counts = { alive: this.#sessions.size, opening: this.#opening }
    const wanted = this.#closed ? 0 : this.#queue.length - this.#opening
    const count = wanted > 0 ? Math.min(wanted, this.#breaker.allowance(counts)) : 0
    for (let i = 0; i < count; i += 1) this.#start(this.#openOne())
    if (this.#sessions.size === 0 && this.#opening === 0 && this.#queue.length > 0) {
      this.#refuseAll(this.#breaker.refusal())
    }
  }

  async #openOne(): Promise<void> {
    this.#opening += 1
    const entry: PoolEntry = { session: null, leaving: false }
    let lease: SessionLease | null = null
    try {
      lease = await this.#acquireLease(entry)
      this.#begun += 1
      const nth = this.#begun
      const session = lease && (await openSession(this.#settings.session, lease.lost))
      if (session?.open === false)
        throw new EppError('closed', 'The server hung up after the log-in')
      this.#opening -= 1
      if (lease && session) this.#add(session, { lease, entry, nth })
      else this.#withoutLease()
    } catch (error) {
      this.#opening -= 1
      lease?.release()
      const isEpp = error instanceof EppError
      this.#failedToOpen(
        isEpp ? error : new EppError('unreachable', String(error), { cause: error }),
      )
    }
  }

  async #acquireLease(entry: PoolEntry): Promise<SessionLease | null> {
    const { acquireLease, now } = this.#settings
    this.#waiting += 1
    try {
      const holder = {
        wanted: () => (this.#closed ? 0 : this.#queue.length - (this.#opening - this.#waiting)),
        closing: this.#closing.signal,
        idleMs: () => (entry.session?.idle ? now() - entry.session.used_ms : null),
        giveUp: () => this.#giveUp(entry),
      }
      return await leaseFor(holder, acquireLease)
    } finally {
      this.#waiting -= 1
    }
  }

  /** No lease arrived while a command waited for a session. */
  #withoutLease(): void {
    if (this.#sessions.size === 0 && this.#opening === 0 && !this.#closed)
      this.#unanswered = noLease()
    this.#dispatch()
  }

  #giveUp(entry: PoolEntry): void {
    entry.leaving = true
    const { session } = entry
    if (session && this.#removeIdle(session)) this.#start(this.#retire(session))
  }

  #failedToOpen(error: EppError): void {
    this.#breaker.failed(error, this.#sessions.size)
    this.#reportFailure('open_failed', error)
    // Commands that wait for the first session are refused at once, with the reason.
    if (this.#sessions.size === 0 && this.#opening === 0) this.#refuseAll(error)
    this.#dispatch()
  }

  #add(session: Session, held: Pick<PooledSession, 'lease' | 'entry' | 'nth'>): void {
    const opened_ms = this.#settings.now()
    const pooled = { session, ...held, opened_ms, used_ms: opened_ms, idle: false, proven: false }
    if (held.nth <= this.#lost) held.entry.leaving = true
    held.entry.session = pooled
    this.#sessions.add(pooled)
    session.onEnd(() => this.#remove(pooled))
    this.#breaker.opened()
    this.#settings.report({ event: 'opened', sessions: this.#sessions.size })
    this.#makeIdle(pooled)
  }

  #remove(pooled: PooledSession): void {
    if (!this.#sessions.delete(pooled)) return
    clearTimeout(pooled.timer)
    this.#removeIdle(pooled)
    pooled.lease.release()
    this.#settings.report({ event: 'closed', sessions: this.#sessions.size })
  }

  /** Removes it from the idle sessions. Returns false if it is not idle. */
  #removeIdle(pooled: PooledSession): boolean {
    const at = this.#idle.indexOf(pooled)
    if (at >= 0) this.#idle.splice(at, 1)
    pooled.idle = false
    return at >= 0
  }

  async #run(job: Job, pooled: PooledSession): Promise<void> {
    clearTimeout(pooled.timer)
    const begun = this.#begun
    try {
      await job.permit?.()
      const reply = await pooled.session.send(job.text, job.cl_trid, job.steps)
      this.#unanswered = null
      this.#noteFate(reply, { pooled, begun })
      if (!this.#closed && isSentAgainAfter(reply, job)) this.#requeue(job)
      else job.resolve(reply)
    } catch (error) {
      if (error instanceof EppError) this.#unanswered = error
      if (!this.#closed && isRetryable(job, error)) this.#requeue(job)
      else job.reject(error)
    }
    pooled.used_ms = this.#settings.now()
    this.#makeIdle(pooled)
  }

  #requeue(job: Job): void {
    this.#queue.add(retryOf(job, this.#settings.session.freshId), { first: true })
  }

  #noteFate(reply: Reply, sent: { pooled: PooledSession; begun: number }): void {
    const fate = fateOf(reply)
    if (fate === 'lost') this.#loseLogIns(reply, sent)
    else if (fate === 'refused') this.#noteRefused(endOf(reply))
    else if (!sent.pooled.proven) {
      sent.pooled.proven = true
      this.#breaker.proven()
    }
  }

  /** A server that lost one log-in may have lost all that had begun when the command was sent. */
  #loseLogIns(reply: Reply, sent: { pooled: PooledSession; begun: number }): void {
    const { pooled, begun } = sent
    pooled.session.destroy('No longer logged in')
    this.#lost = Math.max(this.#lost, begun)
    for (const each of this.#sessions) if (each.nth <= begun) this.#giveUp(each.entry)
    const error = endOf(reply)
    if (!pooled.proven) this.#breaker.failed(error, this.#sessions.size)
    this.#reportFailure('refused', error)
  }

  #noteRefused(error: EppError): void {
    this.#breaker.failed(error, this.#sessions.size)
    this.#reportFailure('refused', error)
  }

  #makeIdle(pooled: PooledSession): void {
    if (pooled.session.open && this.#mustRetire(pooled)) this.#start(this.#retire(pooled))
    else if (pooled.session.open) {
      this.#idle.push(pooled)
      pooled.idle = true
      const keepAlive = () => this.#start(this.#keepAlive(pooled))
      pooled.timer = setTimeout(keepAlive, this.#settings.idle_ms * 0.4)
      pooled.timer.unref()
    }
    this.#dispatch()
  }

  #mustRetire({ session, entry, opened_ms }: PooledSession): boolean {
    const { now, max_commands, max_age_ms } = this.#settings
    const isWorn = session.commands >= max_commands || now() - opened_ms >= max_age_ms
    return this.#closed || isWorn || entry.leaving
  }

  async #keepAlive(pooled: PooledSession): Promise<void> {
    if (!this.#removeIdle(pooled)) return
    try {
      await pooled.session.keepAlive()
    } catch (error) {
      this.#reportFailure('refused', error)
    }
    this.#makeIdle(pooled)
  }

  async #retire(pooled: PooledSession): Promise<void> {
    clearTimeout(pooled.timer)
    await pooled.session.close()
    this.#remove(pooled)
    this.#dispatch()
  }

  #reportFailure(event: 'open_failed' | 'refused', error: unknown): void {
    const failure = error instanceof EppError ? error.failure : 'garbage'
    const message = error instanceof Error ? error.message : String(error)
    this.#settings.report({ event, sessions: this.#sessions.size, failure, message })
  }
}

// The sessions to one registry: opened when needed, kept, shared out by urgency, and closed to the
// last.

import { PriorityQueue } from '../../kit/concurrency/priority-queue.ts'
import { EppError } from '../errors.ts'
import type { Reply } from '../replies/reply.ts'
import { classOf, result } from '../replies/result-codes.ts'
import { openSession, type Session, type SessionSettings } from '../session/session.ts'
import { Admission } from './circuit-breaker.ts'
import {
  type Job,
  mayRepeat,
  type Priority,
  priorities,
  type QueueLimits,
  type Request,
  refusalError,
  repeated,
} from './pooled-command.ts'
import { Member, Seat } from './pooled-session.ts'
import type { AcquireSlot, Slot } from './session-permit.ts'

export type PoolEvent =
  | { event: 'opened' | 'closed'; sessions: number }
  | { event: 'open_failed' | 'refused'; sessions: number; failure: string; message: string }

export type PoolSettings = {
  session: SessionSettings
  sessions: number
  /** The server ends a silent session after so long; a hello goes out at 40 % of it. */
  idle_ms: number
  queue: QueueLimits
  max_commands: number
  max_age_ms: number
  /** Monotonic milliseconds. */
  now: () => number
  report: (event: PoolEvent) => void
  /** A budget of sessions over several nodes; left out, `sessions` are this pool's alone. */
  acquireSlot?: AcquireSlot
}

const noSlot = () => new EppError('session_limit', 'Other nodes hold all the sessions')

export class Pool {
  readonly #settings: PoolSettings
  readonly #admission: Admission
  readonly #queue: PriorityQueue<Priority, Job>
  readonly #members = new Set<Member>()
  readonly #idle: Member[] = []
  readonly #work = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #opening = 0
  /** Those being opened that wait for a slot. */
  #waiting = 0
  /** Why the last command that got no answer got none, until one gets its answer. */
  #unanswered: EppError | null = null

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#admission = new Admission(settings.sessions, settings.now)
    this.#queue = new PriorityQueue({ priorities, ...settings.queue }, (job, refusal) =>
      job.reject(refusalError(refusal, settings.queue)),
    )
  }

  /**
   * Sends a command on the next free session. Rejects with EppError (`sent` tells whether the
   * server may have it), or UnwritableCommand when the frame cannot be written. The reply may have
   * any code.
   */
  request(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new EppError('shut_down', 'The pool is closed')
      const text = request.frame(request.cl_trid)
      this.#queue.add({ ...request, text, resolve, reject, sent_again: false })
      this.#pump()
    })
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  health(): {
    state: 'up' | 'down' | 'idle'
    sessions: number
    queued: number
    last_error: string | null
  } {
    // More wait for a slot than commands wait for them: the others' time was over.
    const without = this.#members.size === 0 && this.#waiting > this.#queue.length
    const last = this.#admission.last ?? (without ? noSlot() : this.#unanswered)
    const state = this.#members.size > 0 ? 'up' : last ? 'down' : 'idle'
    return {
      state,
      sessions: this.#members.size,
      queued: this.#queue.length,
      last_error: last?.message ?? null,
    }
  }

  /** Refuses what waits, lets what runs finish (at most one time-out), logs out everywhere. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#refuseAll(new EppError('shut_down', 'The pool is closed'))
    for (const member of this.#idle.splice(0)) this.#start(this.#retire(member))
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  #refuseAll(error: EppError): void {
    for (const job of this.#queue.drain()) job.reject(error)
  }

  #start(work: Promise<void>): void {
    this.#work.add(work)
    void work.finally(() => this.#work.delete(work))
  }

  #pump(): void {
    while (this.#idle.length > 0) {
      const job = this.#queue.take()
      if (!job) return
      const member = this.#idle.at(-1)
      if (member && this.#unlist(member)) this.#start(this.#run(job, member))
    }
    const counts = { alive: this.#members.size, opening: this.#opening }
    const wanted = this.#queue.length - this.#opening
    const room = this.#closed ? 0 : Math.min(wanted, this.#admission.room(counts))
    for (let i = 0; i < room; i += 1) this.#start(this.#openOne())
    if (this.#members.size === 0 && this.#opening === 0 && this.#queue.length > 0) {
      this.#refuseAll(this.#admission.refusal())
    }
  }

  async #openOne(): Promise<void> {
    this.#opening += 1
    const seat = new Seat()
    let slot: Slot | null = null
    try {
      slot = await this.#takeSlot(seat)
      const session = slot && (await openSession(this.#settings.session, slot.lost))
      if (session?.open === false)
        throw new EppError('closed', 'The server hung up after the log-in')
      this.#opening -= 1
      if (slot && session) this.#admit(session, { slot, seat })
      else this.#goWithout()
    } catch (error) {
      this.#opening -= 1
      slot?.release()
      this.#failedToOpen(
        error instanceof EppError
          ? error
          : new EppError('unreachable', String(error), { cause: error }),
      )
    }
  }

  async #takeSlot(seat: Seat): Promise<Slot | null> {
    const { acquireSlot, now } = this.#settings
    this.#waiting += 1
    try {
      return await seat.takeSlot(acquireSlot, {
        wanted: () => (this.#closed ? 0 : this.#queue.length - (this.#opening - this.#waiting)),
        closing: this.#closing.signal,
        idleMs: () => (seat.member?.idle ? now() - seat.member.used_ms : null),
        giveUp: () => this.#dismiss(seat),
      })
    } finally {
      this.#waiting -= 1
    }
  }

  /** No slot came while somebody waited for one. */
  #goWithout(): void {
    if (this.#members.size === 0 && this.#opening === 0 && !this.#closed)
      this.#unanswered = noSlot()
    this.#pump()
  }

  #dismiss(seat: Seat): void {
    seat.leaving = true
    if (seat.member && this.#unlist(seat.member)) this.#start(this.#retire(seat.member))
  }

  #failedToOpen(error: EppError): void {
    this.#admission.failed(error, this.#members.size)
    this.#tell('open_failed', error)
    // Who waits for the first session learns at once why there is none.
    if (this.#members.size === 0 && this.#opening === 0) this.#refuseAll(error)
    this.#pump()
  }

  #admit(session: Session, place: { slot: Slot; seat: Seat }): void {
    const member = new Member(session, place, this.#settings.now())
    place.seat.member = member
    this.#members.add(member)
    session.onEnd(() => this.#purge(member))
    this.#admission.opened()
    this.#settings.report({ event: 'opened', sessions: this.#members.size })
    this.#giveBack(member)
  }

  #purge(member: Member): void {
    if (!this.#members.delete(member)) return
    member.endTimer()
    this.#unlist(member)
    member.slot.release()
    this.#settings.report({ event: 'closed', sessions: this.#members.size })
  }

  /** Takes it off the idle ones; false when it is none. */
  #unlist(member: Member): boolean {
    const at = this.#idle.indexOf(member)
    if (at >= 0) this.#idle.splice(at, 1)
    member.idle = false
    return at >= 0
  }

  async #run(job: Job, member: Member): Promise<void> {
    member.endTimer()
    try {
      const reply = await member.session.send(job.text, job.cl_trid, job.steps)
      this.#unanswered = null
      this.#notice(reply)
      // 2002: the server no longer knows who we are, and ran nothing. Once more, from the log-in
      // on.
      if (reply.code === result.use_error && !job.sent_again) {
        member.session.destroy('Not logged in any more')
        this.#again(job)
      } else job.resolve(reply)
    } catch (error) {
      if (error instanceof EppError) this.#unanswered = error
      if (!this.#closed && mayRepeat(job, error)) this.#again(job)
      else job.reject(error)
    }
    member.used_ms = this.#settings.now()
    this.#giveBack(member)
  }

  #again(job: Job): void {
    this.#queue.add(repeated(job, this.#settings.session.freshId), { first: true })
  }

  #notice({ code, message }: Reply): void {
    const kind = classOf(code)
    if (kind !== 'authentication' && kind !== 'session_limit') return
    const error = new EppError(kind, `${code} ${message}`, { code })
    if (kind === 'authentication') this.#admission.distrusted(error)
    else this.#admission.limited(this.#members.size)
    this.#tell('refused', error)
  }

  #giveBack(member: Member): void {
    const { now, idle_ms } = this.#settings
    if (member.session.open) {
      if (this.#closed || member.mustGo(now(), this.#settings)) this.#start(this.#retire(member))
      else {
        this.#idle.push(member)
        member.idle = true
        member.timer = setTimeout(() => this.#start(this.#keepAlive(member)), idle_ms * 0.4)
        member.timer.unref()
      }
    }
    this.#pump()
  }

  async #keepAlive(member: Member): Promise<void> {
    if (!this.#unlist(member)) return
    try {
      await member.session.keepAlive()
    } catch (error) {
      this.#tell('refused', error)
    }
    this.#giveBack(member)
  }

  async #retire(member: Member): Promise<void> {
    member.endTimer()
    await member.session.close()
    this.#purge(member)
    this.#pump()
  }

  #tell(event: 'open_failed' | 'refused', error: unknown): void {
    const failure = error instanceof EppError ? error.failure : 'garbage'
    const message = error instanceof Error ? error.message : String(error)
    this.#settings.report({ event, sessions: this.#members.size, failure, message })
  }
}

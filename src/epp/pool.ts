// The sessions to one registry: opened when needed, kept, shared out by urgency, and closed to the
// last.
import { Admission } from './admission.ts'
import type { Steps } from './channel.ts'
import { EppError } from './errors.ts'
import { type Priority, Queue } from './queue.ts'
import type { Reply } from './reply.ts'
import { classOf, result } from './results.ts'
import { openSession, type Session, type SessionSettings } from './session.ts'

export type PoolEvent =
  | { event: 'opened' | 'closed'; sessions: number }
  | { event: 'open_failed' | 'refused'; sessions: number; failure: string; message: string }

export type PoolSettings = {
  session: SessionSettings
  sessions: number
  /** The server ends a silent session after so long; a hello goes out at 40 % of it. */
  idle_ms: number
  queue: { limit: number; wait_ms: number }
  max_commands: number
  max_age_ms: number
  /** Monotonic milliseconds. */
  now: () => number
  report: (event: PoolEvent) => void
  /**
   * A budget of sessions over several nodes: gives the slot's release, or null when all are taken.
   */
  acquireSlot?: () => Promise<(() => void) | null>
}

export type Request = {
  /** Called with the clTRID, and with `<clTRID>.2` if the pool has to send once more. */
  frame: (cl_trid: string) => string
  cl_trid: string
  priority: Priority
  /** Then a lost answer stays lost: only a command that certainly did not run is sent again. */
  transforms: boolean
  steps: Steps | null
}

/** RFC 5730 section 2.5. */
const longest_cl_trid = 64

type Job = Request & {
  text: string
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
  sent_again: boolean
}

type Member = {
  session: Session
  born_ms: number
  timer: NodeJS.Timeout | null
  release: () => void
}

export class Pool {
  readonly #settings: PoolSettings
  readonly #admission: Admission
  readonly #queue: Queue<Job>
  readonly #members = new Set<Member>()
  readonly #idle: Member[] = []
  readonly #work = new Set<Promise<void>>()
  #opening = 0
  #closed = false
  /** The last command that got no answer, until one gets its answer. */
  #unanswered: EppError | null = null

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#admission = new Admission(settings.sessions, settings.now)
    this.#queue = new Queue(settings.queue)
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

  health(): {
    state: 'up' | 'down' | 'idle'
    sessions: number
    queued: number
    last_error: string | null
  } {
    const last = this.#admission.last ?? this.#unanswered
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
    this.#closed = true
    this.#queue.clear(new EppError('shut_down', 'The pool is closed'))
    for (const member of this.#idle.splice(0)) this.#start(this.#retire(member))
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  #start(work: Promise<void>): void {
    this.#work.add(work)
    void work.finally(() => this.#work.delete(work))
  }

  #pump(): void {
    while (this.#idle.length > 0) {
      const job = this.#queue.take()
      if (!job) return
      const member = this.#idle.pop()
      if (member) this.#start(this.#run(job, member))
    }
    const counts = { alive: this.#members.size, opening: this.#opening }
    const wanted = this.#queue.length - this.#opening
    const room = this.#closed ? 0 : Math.min(wanted, this.#admission.room(counts))
    for (let i = 0; i < room; i += 1) this.#start(this.#openOne())
    if (this.#members.size === 0 && this.#opening === 0 && this.#queue.length > 0) {
      this.#queue.clear(this.#admission.refusal())
    }
  }

  async #openOne(): Promise<void> {
    this.#opening += 1
    let release: (() => void) | null = null
    try {
      release = this.#settings.acquireSlot ? await this.#settings.acquireSlot() : () => {}
      if (!release) throw new EppError('session_limit', 'Other nodes hold all the sessions')
      const session = await openSession(this.#settings.session)
      if (!session.open) throw new EppError('closed', 'The server hung up after the log-in')
      this.#opening -= 1
      this.#admit(session, release)
    } catch (error) {
      this.#opening -= 1
      release?.()
      this.#failedToOpen(
        error instanceof EppError
          ? error
          : new EppError('unreachable', String(error), { cause: error }),
      )
    }
  }

  #failedToOpen(error: EppError): void {
    this.#admission.failed(error, this.#members.size)
    this.#tell('open_failed', error)
    // Who waits for the first session learns at once why there is none.
    if (this.#members.size === 0 && this.#opening === 0) this.#queue.clear(error)
    this.#pump()
  }

  #admit(session: Session, release: () => void): void {
    const member: Member = { session, born_ms: this.#settings.now(), timer: null, release }
    this.#members.add(member)
    session.onEnd(() => this.#forget(member))
    this.#admission.opened()
    this.#settings.report({ event: 'opened', sessions: this.#members.size })
    this.#giveBack(member)
  }

  #forget(member: Member): void {
    if (!this.#members.delete(member)) return
    if (member.timer) clearTimeout(member.timer)
    const at = this.#idle.indexOf(member)
    if (at >= 0) this.#idle.splice(at, 1)
    member.release()
    this.#settings.report({ event: 'closed', sessions: this.#members.size })
  }

  async #run(job: Job, member: Member): Promise<void> {
    if (member.timer) clearTimeout(member.timer)
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
      if (this.#mayRepeat(job, error)) this.#again(job)
      else job.reject(error)
    }
    this.#giveBack(member)
  }

  #mayRepeat(job: Job, error: unknown): boolean {
    if (job.sent_again || this.#closed || !(error instanceof EppError)) return false
    return error.sent === 'not_sent' || !job.transforms
  }

  /** With another clTRID, as some servers drop the connection for one that they know. */
  #again(job: Job): void {
    const next = `${job.cl_trid}.2`
    const cl_trid = next.length <= longest_cl_trid ? next : this.#settings.session.freshId()
    const again = { ...job, cl_trid, text: job.frame(cl_trid), sent_again: true }
    this.#queue.add(again, { first: true })
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
    const { max_commands, max_age_ms, now, idle_ms } = this.#settings
    if (member.session.open) {
      const worn = member.session.commands >= max_commands || now() - member.born_ms >= max_age_ms
      if (worn || this.#closed) this.#start(this.#retire(member))
      else {
        this.#idle.push(member)
        member.timer = setTimeout(() => this.#start(this.#keepAlive(member)), idle_ms * 0.4)
        member.timer.unref()
      }
    }
    this.#pump()
  }

  async #keepAlive(member: Member): Promise<void> {
    const at = this.#idle.indexOf(member)
    if (at < 0) return
    this.#idle.splice(at, 1)
    try {
      await member.session.keepAlive()
    } catch (error) {
      this.#tell('refused', error)
    }
    this.#giveBack(member)
  }

  async #retire(member: Member): Promise<void> {
    if (member.timer) clearTimeout(member.timer)
    await member.session.close()
    this.#forget(member)
    this.#pump()
  }

  #tell(event: 'open_failed' | 'refused', error: unknown): void {
    const failure = error instanceof EppError ? error.failure : 'garbage'
    const message = error instanceof Error ? error.message : String(error)
    this.#settings.report({ event, sessions: this.#members.size, failure, message })
  }
}

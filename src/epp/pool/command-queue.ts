// Commands that wait for a session: by priority, then by age; bounded in number and in time.
import { EppError } from '../errors.ts'

export const priorities = ['purchase', 'normal', 'background'] as const
export type Priority = (typeof priorities)[number]

export type Waiting = { priority: Priority; reject: (error: EppError) => void }

export class Queue<Job extends Waiting> {
  readonly #lanes: Record<Priority, Job[]> = { purchase: [], normal: [], background: [] }
  readonly #timers = new Map<Job, NodeJS.Timeout>()
  readonly #limit: number
  readonly #wait_ms: number

  constructor(limits: { limit: number; wait_ms: number }) {
    this.#limit = limits.limit
    this.#wait_ms = limits.wait_ms
  }

  get length(): number {
    return this.#timers.size
  }

  /**
   * Lets a job wait. A full queue refuses it, or, when something less urgent waits, the youngest of
   * that; so does the clock after `wait_ms`. `first`: a job that had its turn already goes ahead of
   * its equals.
   */
  add(job: Job, { first }: { first: boolean } = { first: false }): void {
    if (this.length >= this.#limit && !this.#makeRoom(job)) {
      job.reject(new EppError('overloaded', `More than ${this.#limit} commands wait already`))
      return
    }
    if (first) this.#lanes[job.priority].unshift(job)
    else this.#lanes[job.priority].push(job)
    const late = () => this.#refuse(job, `No session became free in ${this.#wait_ms} ms`)
    this.#timers.set(job, setTimeout(late, this.#wait_ms))
  }

  /** The most urgent, oldest job. */
  take(): Job | undefined {
    for (const priority of priorities) {
      const job = this.#lanes[priority].shift()
      if (job) {
        this.#purge(job)
        return job
      }
    }
    return undefined
  }

  /** Refuses all that wait. */
  clear(error: EppError): void {
    for (let job = this.take(); job; job = this.take()) job.reject(error)
  }

  #makeRoom(job: Job): boolean {
    for (const priority of priorities.toReversed()) {
      if (priority === job.priority) return false
      const youngest = this.#lanes[priority].at(-1)
      if (youngest) {
        this.#refuse(youngest, 'Gave way to something more urgent')
        return true
      }
    }
    return false
  }

  #refuse(job: Job, reason: string): void {
    const lane = this.#lanes[job.priority]
    lane.splice(lane.indexOf(job), 1)
    this.#purge(job)
    job.reject(new EppError('overloaded', reason))
  }

  #purge(job: Job): void {
    clearTimeout(this.#timers.get(job))
    this.#timers.delete(job)
  }
}

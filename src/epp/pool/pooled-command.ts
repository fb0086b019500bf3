// A command in the pool: the reasons of its refusal, and whether it may be sent again.

import type { Refusal } from '../../kit/concurrency/priority-queue.ts'
import { EppError } from '../errors.ts'
import type { Reply } from '../replies/reply.ts'
import { classOf, fateOf } from '../replies/result-codes.ts'
import type { Steps } from '../session/channel.ts'

export const priorities = ['purchase', 'normal', 'background'] as const
export type Priority = (typeof priorities)[number]

export type CommandRequest = {
  /** Called with the clTRID, or with `<clTRID>.2` if the pool has to send again. */
  frame: (cl_trid: string) => string
  cl_trid: string
  priority: Priority
  /** If set, a lost answer stays lost: only a command that certainly did not run is sent again. */
  transforms: boolean
  /** Called once a session is held, before the first byte. If it rejects, so does the request. */
  permit?: (() => Promise<unknown>) | undefined
  steps: Steps | null
}

export type Job = CommandRequest & {
  text: string
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
  sent_again: boolean
}

export type QueueLimits = { limit: number; wait_ms: number }

/** The error of a command that leaves the queue without a session. */
export function refusalError(refusal: Refusal, { limit, wait_ms }: QueueLimits): EppError {
  const reasons = {
    full: `More than ${limit} commands are already waiting`,
    displaced: 'Gave way to something more urgent',
    late: `No session became free in ${wait_ms} ms`,
  }
  return new EppError('overloaded', reasons[refusal])
}

/** RFC 5730 section 2.5. */
const longest_cl_trid = 64

/** Whether a command may be sent again after such a failure. */
export function isRetryable(job: Job, error: unknown): boolean {
  if (job.sent_again || !(error instanceof EppError)) return false
  return error.sent === 'not_sent' || !job.transforms
}

/** The end of a session whose server says that it is over, or is not logged in. */
export function endOf(reply: Reply): EppError {
  const { code, message } = reply
  if (fateOf(reply) === 'lost') return new EppError('login', `${code} ${message}`, { code })
  const failure = classOf(code) === 'session_limit' ? 'session_limit' : 'authentication'
  return new EppError(failure, `${code} ${message}`, { code })
}

/** Whether its answer says that it did not run or, for a read, that it was not completed. */
export function isSentAgainAfter(reply: Reply, { sent_again, transforms }: Job): boolean {
  const fate = fateOf(reply)
  if (sent_again || fate === 'stays') return false
  return fate === 'ended' || fate === 'unread' ? !transforms : true
}

/** Uses another clTRID, because some servers drop the connection for one that they know. */
export function retryOf(job: Job, freshId: () => string): Job {
  const next = `${job.cl_trid}.2`
  const cl_trid = next.length <= longest_cl_trid ? next : freshId()
  return { ...job, cl_trid, text: job.frame(cl_trid), sent_again: true }
}

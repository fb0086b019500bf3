// A command on its way through the pool, and whether it may go out once more.

import { EppError } from '../errors.ts'
import type { Reply } from '../replies/reply.ts'
import type { Steps } from '../session/channel.ts'
import type { Priority } from './command-queue.ts'

export type Request = {
  /** Called with the clTRID, and with `<clTRID>.2` if the pool has to send once more. */
  frame: (cl_trid: string) => string
  cl_trid: string
  priority: Priority
  /** Then a lost answer stays lost: only a command that certainly did not run is sent again. */
  transforms: boolean
  steps: Steps | null
}

export type Job = Request & {
  text: string
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
  sent_again: boolean
}

/** RFC 5730 section 2.5. */
const longest_cl_trid = 64

/** Whether a command may be sent again after such a failure. */
export function mayRepeat(job: Job, error: unknown): boolean {
  if (job.sent_again || !(error instanceof EppError)) return false
  return error.sent === 'not_sent' || !job.transforms
}

/** With another clTRID, as some servers drop the connection for one that they know. */
export function repeated(job: Job, freshId: () => string): Job {
  const next = `${job.cl_trid}.2`
  const cl_trid = next.length <= longest_cl_trid ? next : freshId()
  return { ...job, cl_trid, text: job.frame(cl_trid), sent_again: true }
}

// Polling: repeats a read until its object has reached its end. A time-out or Ctrl-C prints the
// command that resumes.
import { setTimeout as sleep } from 'node:timers/promises'
import { TimeoutError } from '../../sdk/client/errors.ts'
import type { Flags } from '../arguments.ts'
import { exitCodes, Failure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { millisecondsOf } from './command.ts'

const PAUSE_MS = 2_000

type Until<T> = {
  /**
   * Shows the object that the command waits for, so that Ctrl-C can say how to resume from the
   * first line on.
   */
  begin?: (() => Promise<void>) | undefined
  read: () => Promise<T>
  isOver: (seen: T) => boolean
  show: (seen: T) => void
  terminal: Terminal
  flags: Flags
  /** The command that resumes the wait. */
  next: string
}

/** A wait of the SDK client, whose time-out says how to resume. */
export async function inTime<T>(waiting: Promise<T>, next: string): Promise<T> {
  try {
    return await waiting
  } catch (error) {
    // The time-out of a single request has a cause.
    if (!(error instanceof TimeoutError) || error.cause !== undefined) throw error
    throw new Failure(exitCodes.unavailable, 'Timed out while waiting', { next })
  }
}

export async function until<T>(given: Until<T>): Promise<T> {
  const { terminal, next } = given
  const { timeout = Number.POSITIVE_INFINITY } = millisecondsOf(given.flags)
  const end = Date.now() + timeout
  const stop = () => {
    terminal.show(`Continue with: ${next}`)
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', stop)
  try {
    await given.begin?.()
    for (;;) {
      const seen = await given.read()
      if (given.isOver(seen)) return seen
      given.show(seen)
      if (Date.now() + PAUSE_MS > end)
        throw new Failure(exitCodes.unavailable, 'Timed out while waiting', { next })
      await sleep(PAUSE_MS)
    }
  } finally {
    process.off('SIGINT', stop)
  }
}

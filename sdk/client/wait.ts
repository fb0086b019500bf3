// Waits for the end of an order or for the answer to an approval, by the long polls of the service.
import { TimeoutError } from './errors.ts'
import { sleep } from './retry.ts'

export type WaitOptions<T> = {
  signal?: AbortSignal
  /** Milliseconds in all, to the second; without it, until the end. */
  timeout?: number
  /** Called with each state that is not the last one. */
  onProgress?: (seen: T) => void
}
type Poll<T> = (wait: number) => Promise<T>

/** Seconds of one poll: below the 50 of the service, since proxies often cut after 30. */
const longestPoll = 25

export async function waitUntil<T>(
  poll: Poll<T>,
  isOver: (seen: T) => boolean,
  { signal, timeout = Number.POSITIVE_INFINITY, onProgress }: WaitOptions<T>,
): Promise<T> {
  const end = Date.now() + timeout
  for (;;) {
    const started = Date.now()
    const left = Math.max(0, end - started)
    const seen = await poll(Math.max(1, Math.min(longestPoll, Math.floor(left / 1000))))
    if (isOver(seen)) return seen
    onProgress?.(seen)
    if (Date.now() >= end)
      throw new TimeoutError({ message: `Not at its end after ${timeout / 1000} seconds.` })
    const pause = Math.min(1000 - (Date.now() - started), end - Date.now())
    if (pause > 0) await sleep(pause, signal)
  }
}

/** The id of an order or approval, of it, or of the answer that names it. */
export function idOf(
  given: string | { id: string } | { operation: { id: string } | null },
): string {
  if (typeof given === 'string') return given
  const id = 'id' in given ? given.id : given.operation?.id
  if (id === undefined) throw new TypeError('The answer names no operation: nothing is open.')
  return id
}

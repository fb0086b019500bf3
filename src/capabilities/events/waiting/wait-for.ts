// Long poll: reads, sleeps until a notification or the deadline, and reads again.
import type { App, Call } from '../../../app.ts'
import { tooManyWaits } from '../faults.ts'

/** A token that was revoked ends a wait within 5 s (decision 10): its cache holds for 3 s more. */
const reauthorize_ms = 1_500
/** How often it looks anyway, should a notification be lost. */
const look_again_ms = 5_000

type Wait<T> = {
  /** How long to wait, in milliseconds. With 0 it looks once. */
  for_ms: number
  look: () => Promise<T>
  isOver: (seen: T) => boolean
}

/**
 * Returns the last reading, as soon as the wait is over or else when the time is. The call must be
 * of a customer. Throws too_many_waits, and 401 or 403 when the token ends meanwhile.
 */
export async function waitFor<T>(app: App, call: Call, wait: Wait<T>): Promise<T> {
  const { for_ms, look, isOver } = wait
  if (for_ms === 0) return look()
  const place = await app.eventWaits.enter(call.customer_id)
  if (!place) throw tooManyWaits({ retry_after_s: 5 })
  const closed = call.closed()
  const ends_at = app.monotonic_ms() + for_ms
  try {
    for (;;) {
      const seen = await look()
      const look_at = app.monotonic_ms() + look_again_ms
      if (isOver(seen)) return seen
      let woken = false
      while (!woken && app.monotonic_ms() < look_at) {
        const left_ms = Math.min(ends_at, look_at) - app.monotonic_ms()
        const sleep_ms = Math.max(0, Math.min(left_ms, reauthorize_ms))
        woken = await place.next(sleep_ms, closed)
        if (closed.aborted || app.eventWaits.ended) return seen
        await call.reauthorize()
        if (!woken && app.monotonic_ms() >= ends_at) return seen
      }
    }
  } finally {
    place.release()
  }
}

// When a document that could not be read may be asked for again. That is no memory of the failure
// (the draft forbids one, section 4.3): whoever asks in the pause is told to come later.

import { LruMap } from 'toad-cache'
import { type BackoffRange, backoffMs } from '../../../kit/concurrency/backoff.ts'

const most = 1_000
const after_second: BackoffRange = { first_ms: 5_000, longest_ms: 60_000 }
const known_ms = 30_000
const usual_s = 10

/** It may well be read later: nothing was learned of the client. ASCII words without quotes. */
export class NotNow extends Error {
  readonly status: 429 | 503
  readonly retry_after_s: number

  constructor(status: 429 | 503, retry_after_s: number, words: string) {
    const seconds = Math.max(1, Math.ceil(retry_after_s))
    super(`${words}; try again in ${seconds} seconds`)
    this.name = 'NotNow'
    this.status = status
    this.retry_after_s = seconds
  }
}

type Pause = { times: number; until_ms: number; words: string }
export type Pauses = {
  /** Throws NotNow during a pause. */
  check: (url: string) => void
  /** After a failure: what to tell whoever waited for it. `known`: an older copy serves. */
  begin: (url: string, failure: { known: boolean; words: string }) => NotNow
  /** After a success. */
  end: (url: string) => void
}

/**
 * The first failure is followed by none, so that a document can be put right; then 5 s, 10 s, up to
 * a minute. Where a copy serves there is no haste.
 */
export function openPauses(now_ms: () => number): Pauses {
  const pauses = new LruMap<Pause>(most)
  const told = ({ words, until_ms }: Pause) => {
    const left_s = (until_ms - now_ms()) / 1000
    const what = `The document at client_id was not read: ${words}`
    return new NotNow(503, left_s > 0 ? left_s : usual_s, what)
  }

  return {
    check(url) {
      const pause = pauses.get(url)
      if (pause && pause.until_ms > now_ms()) throw told(pause)
    },
    begin(url, { known, words }) {
      const times = (pauses.get(url)?.times ?? 0) + 1
      const growing_ms = backoffMs(times - 1, after_second)
      const pause_ms = known ? Math.max(known_ms, growing_ms) : growing_ms
      const pause = { times, until_ms: now_ms() + pause_ms, words }
      pauses.set(url, pause)
      return told(pause)
    },
    end: (url) => pauses.delete(url),
  }
}

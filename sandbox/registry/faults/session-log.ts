// The effect log of a registry, which also counts sessions and frames.
import { EffectLog, type RequestCounters } from '../../support/effect-log.ts'

type SessionCounters = {
  sessions: { opened: number; open: number; logged_in: number }
  frames: number
  cut_frames: number
  refused_frames: number
}
export type Counters = SessionCounters & RequestCounters

export class SessionLog extends EffectLog {
  readonly #sessions: SessionCounters = {
    sessions: { opened: 0, open: 0, logged_in: 0 },
    frames: 0,
    cut_frames: 0,
    refused_frames: 0,
  }

  opened(): void {
    this.#sessions.sessions.opened += 1
    this.#sessions.sessions.open += 1
  }

  closed(cut: boolean): void {
    this.#sessions.sessions.open -= 1
    if (cut) this.#sessions.cut_frames += 1
  }

  loggedIn(by: 1 | -1): void {
    this.#sessions.sessions.logged_in += by
  }

  frame(): void {
    this.#sessions.frames += 1
  }

  /** A frame with an invalid length header. */
  refusedFrame(): void {
    this.#sessions.refused_frames += 1
  }

  override counters(): Counters {
    return { ...structuredClone(this.#sessions), ...super.counters() }
  }
}

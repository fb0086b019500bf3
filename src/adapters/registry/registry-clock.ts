// The registries' time where it is not the service's clock: the sandbox's, which can jump.
import { type Clock, systemClock } from '../../kit/clock.ts'

export type Calendar = Clock & {
  /** How far it is ahead of the service's clock, in milliseconds. */
  offset_ms: () => number
  set: (offset_ms: number) => void
}

/** A clock at an offset from another; at first there is none. */
export function openCalendar(clock: Clock = systemClock): Calendar {
  let offset = 0
  return {
    now: () => new Date(clock.now().getTime() + offset),
    offset_ms: () => offset,
    set: (offset_ms) => {
      offset = offset_ms
    },
  }
}

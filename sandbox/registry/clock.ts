// The registries' own clock: real time plus an offset that jumps forward and is kept.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export const DAY_MS = 86_400_000

export class Clock {
  readonly #real: () => number
  readonly #file: string | null
  #offset = 0

  /** `real` gives epoch milliseconds; `file` keeps the offset, null for memory only. */
  constructor(real: () => number, file: string | null) {
    this.#real = real
    this.#file = file
    if (file !== null && existsSync(file)) {
      const saved: { offset_ms: number } = JSON.parse(readFileSync(file, 'utf8'))
      this.#offset = saved.offset_ms
    }
  }

  now(): number {
    return this.#real() + this.#offset
  }

  /** Jumps forward. @throws RangeError when it would go back: registry time never does */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock only goes forward')
    this.#offset += ms
    if (this.#file === null) return
    writeFileSync(`${this.#file}.new`, JSON.stringify({ offset_ms: this.#offset }))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

/** Adds calendar years in UTC; 29 February becomes the 28th in a common year. */
export function addYears(time: number, years: number): number {
  const date = new Date(time)
  const month = date.getUTCMonth()
  date.setUTCFullYear(date.getUTCFullYear() + years)
  if (date.getUTCMonth() !== month) date.setUTCDate(0)
  return date.getTime()
}

/** xs:dateTime in UTC. */
export function dateTime(time: number): string {
  return new Date(time).toISOString()
}

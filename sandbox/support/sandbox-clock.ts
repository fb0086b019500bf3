// The sandbox's clock: real time plus a durable offset that only grows.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { SandboxStartError } from './folder-lock.ts'

export const DAY_MS = 86_400_000

function readOffset(file: string): number {
  try {
    const saved: { offset_ms: number } = JSON.parse(readFileSync(file, 'utf8'))
    if (Number.isSafeInteger(saved.offset_ms) && saved.offset_ms >= 0) return saved.offset_ms
  } catch {
    // The error is reported below.
  }
  throw new SandboxStartError(
    `${file} cannot be read. It holds {"offset_ms": N}, how far the sandbox's time is ahead.`,
  )
}

export class Clock {
  readonly #real: () => number
  readonly #file: string | null
  #offset = 0

  /**
   * `real` returns epoch milliseconds. `file` stores the offset; if it is null, the offset is kept
   * in memory only.
   */
  constructor(real: () => number, file: string | null) {
    this.#real = real
    this.#file = file
    if (file !== null && existsSync(file)) {
      this.#offset = readOffset(file)
    }
  }

  now(): number {
    return this.#real() + this.#offset
  }

  /** Jumps forward. @throws RangeError for a jump back: registry time never decreases */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('the clock only goes forward')
    this.#offset += ms
    if (this.#file === null) return
    writeFileSync(`${this.#file}.new`, JSON.stringify({ offset_ms: this.#offset }))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

/** Adds calendar years in UTC; 29 February becomes 28 February in a common year. */
export function addYears(time: number, years: number): number {
  const date = new Date(time)
  const month = date.getUTCMonth()
  date.setUTCFullYear(date.getUTCFullYear() + years)
  if (date.getUTCMonth() !== month) date.setUTCDate(0)
  return date.getTime()
}

/** A time as xs:dateTime in UTC. */
export function dateTime(time: number): string {
  return new Date(time).toISOString()
}

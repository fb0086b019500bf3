// The input of a command, and its output before it is printed.
import type { Api } from '../api.ts'

export type Flags = {
  years?: string
  'max-price'?: string
  currency?: string
  'idempotency-key'?: string
  cursor?: string
  yes?: boolean
}
export type Context = {
  api: Api
  words: string[]
  flags: Flags
  /** Asks a person; null where there is none to answer. */
  ask: ((question: string) => Promise<boolean>) | null
  /** Prints one of many results as soon as it is there: a line, or the body with --json. */
  emit: (body: unknown, line: string) => void
  /** A line of progress, on standard error. */
  say: (line: string) => void
}
/** `body` is printed with --json; the lines without. */
export type Shown = { body: unknown; lines: string[]; exit?: number }
export type Command = {
  usage: string
  summary: string
  run: (context: Context) => Promise<Shown>
}

export function day(date: string | null): string {
  return date === null ? '-' : new Date(date).toLocaleDateString('sv-SE')
}

// The input of a command, and its output before it is printed.
import type { RegistrarClient } from '../api.ts'
import type { FlagName, Flags } from '../arguments.ts'
import { exitCodes, Failure, usage } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'

export type Context = {
  registrar: RegistrarClient
  session: Session
  words: string[]
  flags: Flags
  terminal: Terminal
  /** Prints one of many results as soon as it arrives: as a line, or as the body with --json. */
  emit: (body: unknown, line: string) => void
}
/**
 * With --json, `body` is printed; without it, the lines. The first of several lines is a heading.
 */
export type Shown = { body: unknown; lines: string[]; exit?: number }
export type Command = {
  /** The forms of the command, one line each, without "agent-registrar". */
  usage: readonly string[]
  summary: string
  flags?: readonly FlagName[]
  /** Whether the command works without a credential. */
  isPublic?: true
  run: (context: Context) => Promise<Shown>
}

/** The words of a command line, as many as the command takes. */
export function wordsOf(words: readonly string[], ...wanted: string[]): string[] {
  if (words.length === wanted.length) return [...words]
  if (wanted.length === 0) throw usage(`Unexpected argument: ${words[0]}`)
  throw usage(`Give ${wanted.join(' and ')}`)
}

export function oneOf(words: readonly string[], wanted: string): string {
  return wordsOf(words, wanted)[0] ?? ''
}

/** Continues after the user answers yes, or with --yes. */
export async function confirm(
  { terminal, flags }: Pick<Context, 'terminal' | 'flags'>,
  statement: string,
  question: string,
): Promise<void> {
  if (flags.yes === true) return
  if (terminal.ask === null) throw usage(`${statement} Give --yes to confirm without a terminal`)
  if (!(await terminal.ask(`${statement} ${question}`)))
    throw new Failure(exitCodes.refused, 'Nothing was done')
}

export function currencyOf({ currency = 'USD' }: Flags): 'USD' | 'EUR' {
  const found = currency.toUpperCase()
  if (found === 'USD' || found === 'EUR') return found
  throw usage(`--currency is USD or EUR, not ${currency}`)
}

export function amountOf(text: string, name: string): string {
  if (/^\d{1,8}(\.\d{1,2})?$/.test(text)) return text
  throw usage(`${name} is an amount such as 25 or 25.50, not ${text}`)
}

export function millisecondsOf({ timeout }: Flags): { timeout?: number } {
  if (timeout === undefined) return {}
  if (/^[1-9]\d{0,6}$/.test(timeout)) return { timeout: Number(timeout) * 1000 }
  throw usage(`--timeout is a number of seconds, not ${timeout}`)
}

/** A time in the time zone of the user. */
export function day(date: string | null): string {
  return date === null ? '-' : new Date(date).toLocaleDateString('sv-SE')
}

export function minute(date: string | null): string {
  return date === null ? '-' : new Date(date).toLocaleString('sv-SE').slice(0, 16)
}

type Money = { amount: string; currency: string }

export function money(of: Money | null): string {
  return of === null ? '-' : `${of.amount} ${of.currency}`
}

export async function accountId({ registrar }: Pick<Context, 'registrar'>): Promise<string> {
  return (await registrar.getAccount()).id
}

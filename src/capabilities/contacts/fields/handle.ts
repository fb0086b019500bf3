// Generated handles: initials, digits and the country, e.g. JD1234-NL.
import { randomInt } from 'node:crypto'
import { withoutAccents } from './ascii.ts'

// The contract promises four digits; more only where the short ones are used up.
const widths = [4, 4, 4, 4, 6, 9, 12, 12] as const
const atOnce = 32

/** First letters of the first and the last word, in A-Z; XX where there is none. */
export function initialsOf(name: string): string {
  const words = withoutAccents(name)
    .toUpperCase()
    .split(/[^\p{L}]+/u)
    .map((word) => /^[A-Z]/.exec(word)?.[0] ?? '')
    .filter((initial) => initial !== '')
  const [first] = words
  if (first === undefined) return 'XX'
  return words.length === 1 ? first : first + (words.at(-1) ?? '')
}

/** Whether something of a handle can be seen. */
export function isSeen(handle: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(handle)
}

function randomDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('')
}

/**
 * Lists of random handles for this person, each list with more digits than the one before once
 * those clash.
 */
export function handleCandidates(name: string, country: string): string[][] {
  const initials = initialsOf(name)
  return widths.map((width) =>
    Array.from({ length: atOnce }, () => `${initials}${randomDigits(width)}-${country}`),
  )
}

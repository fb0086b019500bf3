// Byzantine answers: the command is applied correctly (except for name_not_done), and its answer is
// rewritten with false dates or the identifier of another object.

import { addYears, dateTime } from './sandbox-clock.ts'

/** The replacement of each exDate. */
const EXPIRIES = {
  date_before: (expiry: number) => dateTime(addYears(expiry, -1)),
  date_now: (_expiry: number, now: number) => dateTime(now),
  date_1970: () => '1970-01-01T00:00:00.0Z',
  date_12026: (expiry: number) => `1${dateTime(expiry)}`,
  date_no_date: () => 'not-a-date',
  date_empty: () => '',
  date_plus_1: (expiry: number) => dateTime(addYears(expiry, 1)),
  date_plus_2: (expiry: number) => dateTime(addYears(expiry, 2)),
  date_plus_10: (expiry: number) => dateTime(addYears(expiry, 10)),
} as const satisfies Record<string, (expiry: number, now: number) => string>

/** The replacement of each crDate. */
const CREATIONS = {
  created_1970: '1970-01-01T00:00:00.0Z',
  created_no_date: 'not-a-date',
} as const

export const FALSE_EXPIRIES = Object.keys(EXPIRIES).filter(isFalseExpiry)
export const FALSE_CREATION_DATES = Object.keys(CREATIONS).filter(isFalseCreationDate)
/**
 * The fault `name_not_done` acts as if the answer to another client's command arrived and ours was
 * never run.
 */
export const FALSE_NAMES = ['name_other', 'name_not_done'] as const
export const BYZANTINE_ANSWERS = [
  ...FALSE_EXPIRIES,
  ...FALSE_CREATION_DATES,
  ...FALSE_NAMES,
] as const
export type ByzantineAnswer = (typeof BYZANTINE_ANSWERS)[number]

function isFalseExpiry(name: string): name is keyof typeof EXPIRIES {
  return Object.hasOwn(EXPIRIES, name)
}

function isFalseCreationDate(name: string): name is keyof typeof CREATIONS {
  return Object.hasOwn(CREATIONS, name)
}

export function isFalseName(fault: ByzantineAnswer): boolean {
  return FALSE_NAMES.some((one) => one === fault)
}

export function isByzantine(name: string): name is ByzantineAnswer {
  return BYZANTINE_ANSWERS.some((one) => one === name)
}

/** The false expiry of a fault, or null for a fault of another kind. */
export function falsifiedExpiry(
  fault: ByzantineAnswer,
  expiry: number,
  now: number,
): string | null {
  return isFalseExpiry(fault) ? EXPIRIES[fault](expiry, now) : null
}

/** The false registration date of a fault, or null for a fault of another kind. */
export function falsifiedCreationDate(fault: ByzantineAnswer): string | null {
  return isFalseCreationDate(fault) ? CREATIONS[fault] : null
}

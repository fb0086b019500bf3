// Byzantine answers: the command is applied as it should be (but for name_not_done), and its answer
// is rewritten to carry false dates, or the identifier of another object.

import type { Reply } from '../commands/reply.ts'
import { addYears, dateTime } from '../model/sandbox-clock.ts'

/** What replaces each exDate; null is a text that is no date. */
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

/** What replaces each crDate. */
const CREATIONS = {
  created_1970: '1970-01-01T00:00:00.0Z',
  created_no_date: 'not-a-date',
} as const

export const EXPIRY_LIES = Object.keys(EXPIRIES).filter(isExpiryLie)
export const CREATION_LIES = Object.keys(CREATIONS).filter(isCreationLie)
/** `name_not_done`: as if the answer to somebody else's command came, and ours was never run. */
export const NAME_LIES = ['name_other', 'name_not_done'] as const
export const LIES = [...EXPIRY_LIES, ...CREATION_LIES, ...NAME_LIES] as const
export type Lie = (typeof LIES)[number]

function isExpiryLie(name: string): name is keyof typeof EXPIRIES {
  return Object.hasOwn(EXPIRIES, name)
}

function isCreationLie(name: string): name is keyof typeof CREATIONS {
  return Object.hasOwn(CREATIONS, name)
}

export function isNameLie(lie: Lie): boolean {
  return NAME_LIES.some((one) => one === lie)
}

export function isLie(name: string): name is Lie {
  return LIES.some((one) => one === name)
}

/** What a lie makes of an expiry; null where it is about something else. */
export function falseExpiry(lie: Lie, expiry: number, now: number): string | null {
  return isExpiryLie(lie) ? EXPIRIES[lie](expiry, now) : null
}

/** The same of a moment of registration. */
export function falseCreation(lie: Lie): string | null {
  return isCreationLie(lie) ? CREATIONS[lie] : null
}

/** The answer with the lie in it; one that has no such part is as it was. */
export function lyingReply(reply: Reply, lie: Lie, now: number): Reply {
  const { data } = reply
  return data === undefined ? reply : { ...reply, data: rewritten(data, lie, now) }
}

function rewritten(data: string, lie: Lie, now: number): string {
  if (isExpiryLie(lie))
    return data.replaceAll(/(<domain:exDate>)([^<]*)/g, (_, tag: string, date: string) => {
      return tag + EXPIRIES[lie](Date.parse(date), now)
    })
  if (isCreationLie(lie))
    return data.replaceAll(/(<\w+:crDate>)[^<]*/g, (_, tag: string) => tag + CREATIONS[lie])
  return data
    .replaceAll(/(<(?:domain|host):name\b[^>]*>)([^<]*)/g, '$1other-$2')
    .replaceAll(/(<contact:id\b[^>]*>)[^<]*/g, '$1other-id')
}

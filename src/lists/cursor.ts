// Cursors of lists: the place where a page ended, as an opaque text. A checksum binds it to its
// list, so that a cursor of another list, or of an earlier form, is refused and never misread.
import { hash } from 'node:crypto'
import { type InvalidField, InvalidInput } from '../kit/fault.ts'
import { isLine } from '../kit/field-reader.ts'
import { idPattern } from '../kit/random.ts'

/** The value that a list is ordered by, as texts and back. */
export type Key<T> = {
  parts: (value: T) => readonly string[]
  /** Undefined where the texts are no such value: callers can compute a checksum, too. */
  value: (parts: readonly string[]) => T | undefined
}

const form = 'c1_'
const checksum_octets = 6
export const cursorPattern = `^${form}[A-Za-z0-9_-]{12,1300}$`
/** They complete "Input should be ..." for every cursor that is refused. */
export const cursorWords = 'a next_cursor of this list: to begin again, leave out the cursor'

export function encodeCursor<T>(list: string, key: Key<T>, value: T): string {
  const body = JSON.stringify(key.parts(value))
  const checksum = hash('sha256', `${list}\n${body}`, 'buffer').subarray(0, checksum_octets)
  return form + Buffer.concat([checksum, Buffer.from(body)]).toString('base64url')
}

/** Throws the 422 of a cursor that this list did not give. */
export function decodeCursor<T>(list: string, key: Key<T>, cursor: string): T {
  const value = key.value(partsOf(cursor))
  // Encoded again, it shows whether the checksum is right and the form is the only one.
  if (value === undefined || encodeCursor(list, key, value) !== cursor)
    throw new InvalidInput([refused])
  return value
}

const refused: InvalidField = {
  path: ['cursor'],
  msg: `Input should be ${cursorWords}`,
  type: 'string_pattern_mismatch',
}

function partsOf(cursor: string): string[] {
  const octets = Buffer.from(cursor.slice(form.length), 'base64url')
  try {
    const parts: unknown = JSON.parse(octets.subarray(checksum_octets).toString())
    return Array.isArray(parts) ? parts.map(String) : []
  } catch {
    return []
  }
}

/** A key of one text that `read` takes. */
function ofOne<T>(text: (value: T) => string, read: (text: string) => T | undefined): Key<T> {
  return {
    parts: (value) => [text(value)],
    value: ([one, ...more]) => (one === undefined || more.length > 0 ? undefined : read(one)),
  }
}

const greatest = 9_223_372_036_854_775_807n

/** A whole number of 64 bits from 0 on, such as an id or a position. */
export const byNumber: Key<bigint> = ofOne(String, (text) =>
  /^[0-9]{1,19}$/.test(text) && BigInt(text) <= greatest ? BigInt(text) : undefined,
)

const longest_text = 300

/** A text that PostgreSQL can compare, such as a name or the id of another service. */
export const byText: Key<string> = ofOne(String, (text) =>
  text.length <= longest_text && isLine(text) ? text : undefined,
)

/** An identifier as `newId` makes it. */
export function byId(prefix: string): Key<string> {
  const pattern = new RegExp(idPattern(prefix))
  return ofOne(String, (text) => (pattern.test(text) ? text : undefined))
}

const latest_ms = 8_640_000_000_000_000

/** A moment in milliseconds, from 1970 on. */
export const byMoment: Key<Date> = ofOne(
  (value) => String(value.getTime()),
  (text) =>
    /^[0-9]{1,16}$/.test(text) && Number(text) <= latest_ms ? new Date(Number(text)) : undefined,
)

/** Two values, the second of which orders those with the same first one. */
export function byBoth<A, B>(first: Key<A>, second: Key<B>): Key<readonly [A, B]> {
  return {
    parts: ([a, b]) => [...first.parts(a), ...second.parts(b)],
    value: ([a, ...rest]) => {
      const one = a === undefined ? undefined : first.value([a])
      const other = second.value(rest)
      return one === undefined || other === undefined ? undefined : [one, other]
    },
  }
}

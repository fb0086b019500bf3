// Keyset pagination: the fields of every list that has pages, and the cut of one page with the
// cursor of the next. It reads one row more than fits, to know whether there is another page.
import Type, { type TInteger, type TOptional } from 'typebox'
import { nullable, patterned, withDefault } from '../kit/schema.ts'
import { cursorPattern, cursorWords, decodeCursor, encodeCursor, type Key } from './cursor.ts'

type Limit = { default: number; maximum?: number; description?: string }

/** How many entries a page has at most: 1 to 500 unless the contract says otherwise. */
export function limitField({
  default: preset,
  maximum = 500,
  description = 'The most entries on a page.',
}: Limit): TInteger {
  return withDefault(Type.Integer({ minimum: 1, maximum, description }), preset)
}

/** The limit of a list that has another answer without one. */
export function optionalLimitField(description: string): TOptional<TInteger> {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description }))
}

const cursor = Type.Optional(
  patterned(cursorPattern, cursorWords, { description: 'next_cursor of the previous page.' }),
)
const next_cursor = nullable(
  Type.String({ description: 'The cursor of the next page, or null on the last page.' }),
)

/** The fields of a request as `takes` of a list declares them. */
export type Asked = { limit: number; cursor?: string }
/** `after`: where the previous page ended, or null at the beginning; `most`: rows to read. */
export type PageToRead<K> = { after: K | null; most: number }
type Page<Row> = { rows: Row[]; next_cursor: string | null }

/** A list by the name of its operation, and the key that orders its rows. */
export function pagesOf<K>(list: string, key: Key<K>, limit: Limit = { default: 100 }) {
  const cursorAt = (value: K): string => encodeCursor(list, key, value)
  const placeOf = (given: string | undefined): K | null =>
    given === undefined ? null : decodeCursor(list, key, given)
  const toRead = (asked: Asked): PageToRead<K> => ({
    after: placeOf(asked.cursor),
    most: asked.limit + 1,
  })
  /** Cuts the page out of the rows that were read. */
  function cut<Row>(found: readonly Row[], limit: number, keyOf: (row: Row) => K): Page<Row> {
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const next = found.length > limit && last !== undefined ? cursorAt(keyOf(last)) : null
    return { rows, next_cursor: next }
  }
  return {
    takes: { limit: limitField(limit), cursor },
    gives: { next_cursor },
    /** The cursor of the page after the row with this key. */
    cursorAt,
    /** Where a page begins; null without a cursor. Throws the 422 of a cursor of another list. */
    placeOf,
    toRead,
    cut,
    /** Reads the rows of one page. */
    async read<Row>(
      asked: Asked,
      rowsAfter: (page: PageToRead<K>) => Promise<readonly Row[]>,
      keyOf: (row: Row) => K,
    ): Promise<Page<Row>> {
      return cut(await rowsAfter(toRead(asked)), asked.limit, keyOf)
    },
  }
}

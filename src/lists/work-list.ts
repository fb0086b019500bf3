// Lists of the work that waits for an operator: the operation with its page, its entries and their
// order, from what sets each list apart.
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { type App, type Call, type Operation, operation, operatorOnly } from '../app.ts'
import type { Key } from './cursor.ts'
import { type Asked, type PageToRead, pagesOf } from './paging.ts'

type Filter<F extends TProperties> = { [Name in keyof F]: Static<F[Name]> }

type WorkList<K, Row, Entry extends TSchema, F extends TProperties> = {
  name: string
  does: string
  more?: string
  at: string
  area: string
  /** Further fields of the request, each with a default. */
  filters?: F
  /** The name of the field with the entries. */
  entries: string
  entry: Entry
  /** The name of the schema of a page. */
  title: string
  /** The key that orders the rows. */
  by: Key<K>
  read: (page: PageToRead<K>, call: Call, filter: Filter<F>) => Promise<readonly Row[]>
  keyOf: (row: Row) => K
  present: (
    rows: readonly Row[],
    app: App,
    filter: Filter<F>,
  ) => Static<Entry>[] | Promise<Static<Entry>[]>
}

/** Declares the list: `limit` and `cursor` beside its filters, `next_cursor` beside its entries. */
export function workList<K, Row, Entry extends TSchema, F extends TProperties = NoFilters>(
  list: WorkList<K, Row, Entry, F>,
): Operation {
  const { name, does, more, at, area, entries } = list
  const pages = pagesOf(name, list.by)
  const fields = Type.Object({ ...list.filters, ...pages.takes })
  return operation({
    ...{ name, does, at, area, who: operatorOnly() },
    ...(more !== undefined && { more }),
    takes: Type.Unsafe<Filter<F> & Asked>(fields),
    gives: Type.Object(
      { [entries]: Type.Array(list.entry), ...pages.gives },
      { title: list.title },
    ),
    fails: [],
    effect: 'none',
    async run(input, call, app) {
      const { rows, next_cursor } = await pages.read(
        input,
        (page) => list.read(page, call, input),
        list.keyOf,
      )
      return { [entries]: await list.present(rows, app, input), next_cursor }
    },
  })
}

type NoFilters = Record<never, never>

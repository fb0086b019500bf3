// Every list with a cursor as one asynchronous iterable: the next page is asked for when needed.

type Page = { next_cursor?: string | null; has_more?: boolean }
type Asked = { query?: { cursor?: string } }
type ListIn<P> = { [K in keyof P]-?: P[K] extends readonly unknown[] ? K : never }[keyof P]
type EntryOf<P, K extends keyof P> = P[K] extends ReadonlyArray<infer Entry> ? Entry : never
type Given<O, K> = object extends O ? [options?: O, entries?: K] : [options: O, entries?: K]

/**
 * The entries of all pages: `for await (const one of paginate(registrar.listDomains))`. A page with
 * several arrays needs the name of the one that is paged, after the options.
 */
export async function* paginate<O, P extends Page, K extends ListIn<P> = ListIn<P>>(
  list: (options: O) => Promise<P>,
  ...[options, entries]: Given<O, K>
): AsyncGenerator<EntryOf<P, K>, void, undefined> {
  let asked: O & Asked = Object({ ...options })
  for (;;) {
    const page = await list(asked)
    yield* entriesOf<EntryOf<P, K>>(page, entries)
    const { next_cursor: cursor, has_more } = page
    if (typeof cursor !== 'string' || has_more === false) return
    asked = { ...asked, query: { ...asked.query, cursor } }
  }
}

function entriesOf<Entry>(page: object, name?: PropertyKey): Entry[] {
  if (name !== undefined) return Object(page)[name]
  const arrays = Object.values(page).filter((value) => Array.isArray(value))
  const [only] = arrays
  if (!only || arrays.length > 1)
    throw new TypeError('A page has no array or several: name the one that is paged.')
  return only
}

// A long list as a stream of JSON. It is made page by page (keyset pagination), so that no turn of
// the event loop makes all of it.

export type Pages = AsyncIterable<readonly unknown[]>

/** The items of a customer's list that are read at once. */
export const items_at_once = 500

type Page<T> = { items: T[]; next: bigint | null }

/**
 * All of a list, or a stream of it where it is longer than a page. `next` is the id that the
 * following page begins after, or null after the last page.
 */
export async function wholeList<T>(
  pageAfter: (id: bigint | null) => Promise<Page<T>>,
): Promise<T[] | Listing> {
  const first = await pageAfter(null)
  if (first.next === null) return first.items
  return new ArrayListing(pagesFrom(first, pageAfter))
}

async function* pagesFrom<T>(
  first: Page<T>,
  pageAfter: (id: bigint | null) => Promise<Page<T>>,
): AsyncGenerator<T[]> {
  yield first.items
  for (let { next } = first; next !== null; ) {
    const page = await pageAfter(next)
    yield page.items
    next = page.next
  }
}

/** The page of these rows, of which one more was read than fits. */
export function pageOf<T extends { id: bigint }>(rows: readonly T[]): Page<T> {
  const items = rows.slice(0, items_at_once)
  return { items, next: rows.length > items_at_once ? (items.at(-1)?.id ?? null) : null }
}

/** The object `{...lists, ...rest}`, where each list has all of its pages. It can be read once. */
export class Listing {
  readonly #lists: readonly (readonly [field: string, pages: Pages])[]
  readonly #rest: object

  constructor(lists: Readonly<Record<string, Pages>>, rest: object) {
    this.#lists = Object.entries(lists)
    this.#rest = rest
  }

  /** Its JSON, a page at a time. It rejects as the pages do. */
  async *json(): AsyncGenerator<string> {
    let start = '{'
    for (const [field, pages] of this.#lists) {
      yield `${start}${JSON.stringify(field)}:[`
      start = '],'
      let separator = ''
      for await (const page of pages) {
        if (page.length === 0) continue
        yield separator + page.map((item) => JSON.stringify(item)).join(',')
        separator = ','
      }
    }
    const fields = JSON.stringify(this.#rest).slice(1, -1)
    yield `]${fields === '' ? '' : ','}${fields}}`
  }

  /** All of it, for a surface that cannot stream. */
  async whole(): Promise<object> {
    const lists: Record<string, unknown[]> = {}
    for (const [field, pages] of this.#lists) {
      const all: unknown[] = []
      for await (const page of pages) for (const item of page) all.push(item)
      lists[field] = all
    }
    return { ...lists, ...this.#rest }
  }
}

/** The array of all pages. */
class ArrayListing extends Listing {
  readonly #pages: Pages

  constructor(pages: Pages) {
    super({}, {})
    this.#pages = pages
  }

  override async *json(): AsyncGenerator<string> {
    let start = '['
    for await (const page of this.#pages) {
      if (page.length === 0) continue
      yield start + page.map((item) => JSON.stringify(item)).join(',')
      start = ','
    }
    yield start === '[' ? '[]' : ']'
  }

  override async whole(): Promise<object> {
    const all: unknown[] = []
    for await (const page of this.#pages) for (const item of page) all.push(item)
    return all
  }
}

// A long list as a stream of JSON: made page by page (keyset pagination), so that no turn of the
// event loop makes all of it.

export type Pages = AsyncIterable<readonly unknown[]>

/** The object `{...lists, ...rest}`, where each list is all of its pages; to be read once. */
export class Listing {
  readonly #lists: readonly (readonly [field: string, pages: Pages])[]
  readonly #rest: object

  constructor(lists: Readonly<Record<string, Pages>>, rest: object) {
    this.#lists = Object.entries(lists)
    this.#rest = rest
  }

  /** Its JSON, a page at a time; rejects as the pages do. */
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

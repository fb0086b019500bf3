// A long list as a stream of JSON: made page by page (keyset pagination), so that no turn of the
// event loop makes all of it.

export type Pages = AsyncIterable<readonly unknown[]>

/** The object `{[field]: [...all pages], ...rest}`; to be read once. */
export class Listing {
  readonly #field: string
  readonly #pages: Pages
  readonly #rest: object

  constructor(field: string, { pages, rest }: { pages: Pages; rest: object }) {
    this.#field = field
    this.#pages = pages
    this.#rest = rest
  }

  /** Its JSON, a page at a time; rejects as the pages do. */
  async *json(): AsyncGenerator<string> {
    yield `{${JSON.stringify(this.#field)}:[`
    let separator = ''
    for await (const page of this.#pages) {
      if (page.length === 0) continue
      yield separator + page.map((item) => JSON.stringify(item)).join(',')
      separator = ','
    }
    const fields = JSON.stringify(this.#rest).slice(1, -1)
    yield `]${fields === '' ? '' : ','}${fields}}`
  }

  /** All of it, for a surface that cannot stream. */
  async whole(): Promise<object> {
    const all: unknown[] = []
    for await (const page of this.#pages) for (const item of page) all.push(item)
    return { [this.#field]: all, ...this.#rest }
  }
}

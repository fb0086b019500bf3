// Rows of the simulated Openprovider: maps in memory, made durable by a journal of one line a
// request.
import { Journal } from '../registry/model/journal.ts'
import type { Account, Customer, Domain, Effect, Foreign } from './records.ts'

type Rows = {
  domain: Domain
  foreign: Foreign
  customer: Customer
  effect: Effect
  account: Account
  sequence: number
}
type Name = keyof Rows
type Change = [table: string, key: string, row: unknown]

class Table<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #changed: (key: string, row: Row | null) => void

  constructor(changed: (key: string, row: Row | null) => void) {
    this.#changed = changed
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  values(): Row[] {
    return [...this.#rows.values()]
  }

  entries(): MapIterator<[string, Row]> {
    return this.#rows.entries()
  }

  put(key: string, row: Row): void {
    this.restore(key, row)
    this.#changed(key, row)
  }

  remove(key: string): void {
    this.restore(key, null)
    this.#changed(key, null)
  }

  /** Sets a row without a line in the journal. */
  restore(key: string, row: Row | null): void {
    if (row === null) this.#rows.delete(key)
    else this.#rows.set(key, row)
  }
}

export class OpenproviderStore {
  readonly #journal: Journal | null
  #changes: Change[] = []
  readonly tables: { [T in Name]: Table<Rows[T]> }

  /** `file` null keeps the rows in memory only. */
  constructor(file: string | null) {
    this.#journal = file === null ? null : new Journal(file)
    const table = <T extends Name>(name: T): Table<Rows[T]> =>
      new Table((key, row) => this.#changes.push([name, key, row]))
    this.tables = {
      domain: table('domain'),
      foreign: table('foreign'),
      customer: table('customer'),
      effect: table('effect'),
      account: table('account'),
      sequence: table('sequence'),
    }
    this.#replay()
  }

  #replay(): void {
    if (!this.#journal) return
    this.#journal.replay((changes: [Name, string, never][]) => {
      for (const [name, key, row] of changes) this.tables[name].restore(key, row)
    })
    this.#journal.restart(this.#snapshot())
  }

  *#snapshot(): Generator<string> {
    for (const [name, table] of Object.entries(this.tables))
      for (const [key, row] of table.entries()) yield JSON.stringify([[name, key, row]])
  }

  /** Makes the changes since the last call durable; true when there were any. */
  commit(): boolean {
    if (this.#changes.length === 0) return false
    this.#journal?.append(JSON.stringify(this.#changes))
    this.#changes = []
    return true
  }

  /** The next number of a sequence; it never repeats, even over restarts. */
  next(name: string): number {
    const value = (this.tables.sequence.get(name) ?? 0) + 1
    this.tables.sequence.put(name, value)
    return value
  }

  close(): void {
    this.#journal?.close()
  }
}

// Rows of one registry: maps in memory, changed atomically per command, made durable by a journal.
import type { Journal } from './journal.ts'
import type { Account, Contact, Domain, Effect, Host, Message } from './records.ts'

type Rows = {
  domain: Domain
  contact: Contact
  host: Host
  account: Account
  message: Message
  effect: Effect
  sequence: number
}
type TableName = keyof Rows
type Change<T extends TableName> = [table: T, key: string, row: Rows[T] | null]
type Watcher<T> = (before: T | undefined, after: T | undefined) => void

/** A map whose changes are logged. Rows are immutable: put a new one. */
class Table<T> {
  readonly #rows = new Map<string, T>()
  readonly #changed: (key: string, before: T | undefined, after: T | undefined) => void
  #watcher: Watcher<T> = () => {}

  constructor(changed: (key: string, before: T | undefined, after: T | undefined) => void) {
    this.#changed = changed
  }

  get size(): number {
    return this.#rows.size
  }

  get(key: string): T | undefined {
    return this.#rows.get(key)
  }

  has(key: string): boolean {
    return this.#rows.has(key)
  }

  values(): MapIterator<T> {
    return this.#rows.values()
  }

  entries(): MapIterator<[string, T]> {
    return this.#rows.entries()
  }

  put(key: string, row: T): void {
    this.#changed(key, this.#rows.get(key), row)
    this.restore(key, row)
  }

  remove(key: string): void {
    this.#changed(key, this.#rows.get(key), undefined)
    this.restore(key, undefined)
  }

  /** Sets a row without logging: for replay and rollback. */
  restore(key: string, row: T | undefined): void {
    const before = this.#rows.get(key)
    if (row === undefined) this.#rows.delete(key)
    else this.#rows.set(key, row)
    this.#watcher(before, row)
  }

  /** Called at every change, replay and rollback included, to maintain an index. */
  watch(watcher: Watcher<T>): void {
    this.#watcher = watcher
  }
}

export class Store {
  readonly #journal: Journal | null
  #changes: Change<TableName>[] = []
  #undo: (() => void)[] = []
  readonly tables: { [T in TableName]: Table<Rows[T]> }

  constructor(journal: Journal | null) {
    this.#journal = journal
    this.tables = {
      domain: this.#table('domain'),
      contact: this.#table('contact'),
      host: this.#table('host'),
      account: this.#table('account'),
      message: this.#table('message'),
      effect: this.#table('effect'),
      sequence: this.#table('sequence'),
    }
  }

  #table<T extends TableName>(name: T): Table<Rows[T]> {
    const table: Table<Rows[T]> = new Table((key, before, after) => {
      this.#changes.push([name, key, after ?? null])
      this.#undo.push(() => table.restore(key, before))
    })
    return table
  }

  /** Replays the journal, then compacts it to the current rows. */
  open(): void {
    if (this.#journal === null) return
    this.#journal.replay((changes: Change<TableName>[]) => {
      for (const change of changes) this.#replay(change)
    })
    this.#journal.restart(this.#snapshot())
  }

  #replay<T extends TableName>(change: Change<T>): void {
    this.tables[change[0]].restore(change[1], change[2] ?? undefined)
  }

  *#snapshot(): Generator<string> {
    for (const [name, table] of Object.entries(this.tables)) {
      for (const [key, row] of table.entries()) yield JSON.stringify([[name, key, row]])
    }
  }

  /** Makes the changes since the last call durable, as one line; true when there were any. */
  commit(): boolean {
    if (this.#changes.length === 0) return false
    this.#journal?.append(JSON.stringify(this.#changes))
    this.#changes = []
    this.#undo = []
    return true
  }

  /** Reverts the changes since the last commit. */
  rollback(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#changes = []
    this.#undo = []
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

// Rows of a simulated service: maps in memory that each command changes atomically and a journal
// makes durable.
import { Journal } from './journal.ts'

type Change = [table: string, key: string, row: unknown]
type Watcher<Row> = (before: Row | undefined, after: Row | undefined) => void
type Changed<Row> = (key: string, before: Row | undefined, after: Row | undefined) => void
/** A table as replay and compaction use it. */
type Replayed = {
  restore(key: string, row: unknown): void
  entries(): Iterable<[string, unknown]>
}

/** A map whose changes are logged. Rows are immutable: put a new one. */
class Table<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #changed: Changed<Row>
  #watcher: Watcher<Row> = () => {}

  constructor(changed: Changed<Row>) {
    this.#changed = changed
  }

  get size(): number {
    return this.#rows.size
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  has(key: string): boolean {
    return this.#rows.has(key)
  }

  values(): MapIterator<Row> {
    return this.#rows.values()
  }

  entries(): MapIterator<[string, Row]> {
    return this.#rows.entries()
  }

  put(key: string, row: Row): void {
    this.#changed(key, this.#rows.get(key), row)
    this.restore(key, row)
  }

  remove(key: string): void {
    this.#changed(key, this.#rows.get(key), undefined)
    this.restore(key, undefined)
  }

  /** Sets a row without logging: for replay and rollback. */
  restore(key: string, row: Row | undefined): void {
    const before = this.#rows.get(key)
    if (row === undefined) this.#rows.delete(key)
    else this.#rows.set(key, row)
    this.#watcher(before, row)
  }

  /** Called at every change, replay and rollback included, to maintain an index. */
  watch(watcher: Watcher<Row>): void {
    this.#watcher = watcher
  }
}

export class JournaledStore {
  readonly #journal: Journal | null
  readonly #tables = new Map<string, Replayed>()
  #changes: Change[] = []
  #undo: (() => void)[] = []
  readonly #sequence = this.table<number>('sequence')

  /** With `file` null, the rows are kept in memory only. */
  constructor(file: string | null) {
    this.#journal = file === null ? null : new Journal(file)
  }

  /** Declares a table; all tables are declared before `open`. */
  table<Row>(name: string): Table<Row> {
    const table: Table<Row> = new Table((key, before, after) => {
      this.#changes.push([name, key, after ?? null])
      this.#undo.push(() => table.restore(key, before))
    })
    this.#tables.set(name, table)
    return table
  }

  /** Replays the journal, then compacts it to the current rows. */
  open(): void {
    if (this.#journal === null) return
    this.#journal.replay((changes: Change[]) => {
      for (const [name, key, row] of changes) this.#replay(name, key, row)
    })
    this.#journal.restart(this.#snapshot())
  }

  #replay(name: string, key: string, row: unknown): void {
    const table = this.#tables.get(name)
    if (!table) throw new Error(`no table ${name}`)
    table.restore(key, row ?? undefined)
  }

  *#snapshot(): Generator<string> {
    for (const [name, table] of this.#tables)
      for (const [key, row] of table.entries()) yield JSON.stringify([[name, key, row]])
  }

  /** Makes the changes since the last call durable as one line. Returns true if there were any. */
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

  /** The next number of a sequence, which never repeats, even across restarts. */
  next(name: string): number {
    const value = (this.#sequence.get(name) ?? 0) + 1
    this.#sequence.put(name, value)
    return value
  }

  close(): void {
    this.#journal?.close()
  }
}

// Journal: an append-only file of JSON lines, where each line is written before the answer is sent.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { SandboxStartError } from './folder-lock.ts'

export class Journal {
  readonly #file: string
  #handle: number | null = null

  constructor(file: string) {
    this.#file = file
  }

  /**
   * Reads all whole lines in order. A last line that a crash cut off was never answered, so it is
   * ignored. Throws SandboxStartError with the place of a line that cannot be read or applied.
   */
  replay<T>(apply: (changes: T) => void): void {
    if (!existsSync(this.#file)) return
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    lines.pop()
    for (const [index, line] of lines.entries())
      try {
        apply(JSON.parse(line))
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        throw new SandboxStartError(
          `${this.#file}:${index + 1} cannot be read (${why}). Restore the file from a copy, or ` +
            'remove the whole DATA_DIR to start over.',
        )
      }
  }

  /** Replaces the file by these lines (the compacted state) and opens it for appending. */
  restart(lines: Iterable<string>): void {
    const next = `${this.#file}.new`
    const handle = openSync(next, 'w', 0o600)
    for (const line of lines) writeWhole(handle, `${line}\n`)
    fsyncSync(handle)
    closeSync(handle)
    renameSync(next, this.#file)
    this.#handle = openSync(this.#file, 'a', 0o600)
  }

  append(line: string): void {
    if (this.#handle === null) throw new Error('the journal is not open')
    writeWhole(this.#handle, `${line}\n`)
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }
}

function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) written += writeSync(handle, bytes, written)
}

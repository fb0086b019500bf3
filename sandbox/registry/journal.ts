// An append-only file of JSON lines; a line is with the kernel before the answer leaves.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'

export class Journal {
  readonly #file: string
  #handle: number | null = null

  constructor(file: string) {
    this.#file = file
  }

  /** All whole lines; a last line cut by a crash was never answered, so it is left out. */
  lines(): string[] {
    if (!existsSync(this.#file)) return []
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    lines.pop()
    return lines
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

// Lock file of a data folder: an advisory lock of the operating system, taken by SQLite, that ends
// with its process. If two processes wrote, a journal would lose the lines of one of them.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** An error that the user can fix, described in one line. */
export class SandboxStartError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'SandboxStartError'
  }
}

// The sandbox of a killed service notices the end of its parent a moment later.
const wait_ms = 10_000

/** Throws SandboxStartError when another process keeps the lock. */
export function lockRows(folder: string): { release: () => void } {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: wait_ms })
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && /locked|busy/i.test(error.message))
      throw new SandboxStartError(`Other simulated registries are at work in ${folder}. Stop them.`)
    throw error
  }
  return { release: () => database.close() }
}

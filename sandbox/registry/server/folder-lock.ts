// One process at a time on a folder of rows: an advisory lock of the operating system, taken by
// SQLite, which ends with its process. A journal that two have open loses what one of them wrote.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a person can mend, in one line. */
export class SandboxStartError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'SandboxStartError'
  }
}

// Those of a killed service notice its end a moment later, and finish what they do.
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

// An exclusive lock on a folder: an advisory lock of the operating system on a file in it, taken
// by SQLite, so that it ends with its process however that ends, and no process id is believed.

import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from './clock.ts'

const lockFile = 'lock.sqlite'
const holderFile = 'lock.json'

/** The folder is locked by another process, or by another part of this one. */
export class FolderLocked extends Error {
  constructor(folder: string) {
    super(`${folder} is in use by ${holderOf(folder)}`)
    this.name = 'FolderLocked'
  }
}

/** The holder wrote this text for people, and no decision depends on it. */
function holderOf(folder: string): string {
  try {
    const { pid, since, host } = Object(JSON.parse(readFileSync(join(folder, holderFile), 'utf8')))
    const elsewhere = host === hostname() ? '' : ` on ${host}`
    return `process ${pid}${elsewhere}, since ${since}`
  } catch {
    return 'another process'
  }
}

/** The databases of held locks, because one that is garbage collected would drop its lock. */
const held = new Set<DatabaseSync>()

/**
 * Two that lock at once may each hold a part of what the other needs. The one that lacks more lets
 * go and asks again (not with `locking_mode = exclusive`), so that one of them is not refused.
 */
const contention_ms = 500

/**
 * Throws FolderLocked when another holds the lock, and the error of SQLite when the disk is full.
 */
export function lockFolder(folder: string): { release: () => void } {
  const database = new DatabaseSync(join(folder, lockFile), { timeout: contention_ms })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new FolderLocked(folder)
    throw error
  }
  const holder = { pid: process.pid, since: systemClock.now().toISOString(), host: hostname() }
  writeFileSync(join(folder, holderFile), `${JSON.stringify(holder)}\n`)
  held.add(database)
  return {
    release: () => {
      held.delete(database)
      database.close()
    },
  }
}

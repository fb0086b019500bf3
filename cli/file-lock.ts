// A lock file: of several commands that run at once, only one at a time changes the stored
// credentials. A lock is taken over if its process has ended or if it is older than any holder
// works.
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes, Failure } from './failure.ts'

/** Longer than a request of a holder can take. */
const STALE_MS = 60_000
const MOST_WAIT_MS = 90_000
const POLL_MS = 40

export async function withFileLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`
  const end = Date.now() + MOST_WAIT_MS
  while (!take(path, holder)) {
    if (Date.now() > end)
      throw new Failure(exitCodes.unavailable, `Another command holds ${path}`, {
        next: 'End that command, or delete the file if there is none.',
      })
    takeOver(path)
    await sleep(POLL_MS)
  }
  try {
    return await withoutInterrupt(work)
  } finally {
    if (contentOf(path) === holder) rmSync(path, { force: true })
  }
}

/**
 * Ctrl-C has to wait, because a refresh token that is lost on its way to the file cannot be
 * recovered.
 */
async function withoutInterrupt<T>(work: () => T | Promise<T>): Promise<T> {
  const others = process.listeners('SIGINT')
  let interrupted = false
  const hold = () => {
    interrupted = true
  }
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', hold)
  try {
    return await work()
  } finally {
    process.off('SIGINT', hold)
    for (const other of others) process.on('SIGINT', other)
    if (interrupted) setImmediate(() => process.kill(process.pid, 'SIGINT'))
  }
}

function take(path: string, holder: string): boolean {
  try {
    writeFileSync(path, holder, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes a stale lock. It is renamed first, so that only one of the commands that see it gets it.
 */
function takeOver(path: string): void {
  const seen = contentOf(path)
  if (seen === null || !isStale(path, seen)) return
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
    // Another command replaced the lock in between, so its lock is put back.
    if (contentOf(aside) !== seen) linkSync(aside, path)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function isStale(path: string, content: string): boolean {
  const [host, pid] = content.split(' ')
  if (host === hostname() && !isAlive(Number(pid))) return true
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function codeOf(error: unknown): string {
  const { code } = Object(error)
  return typeof code === 'string' ? code : ''
}

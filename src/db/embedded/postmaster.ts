// The running server by its pid file: its identity, readiness and stop.

import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../kit/clock.ts'
import { EmbeddedDatabaseError } from '../postgres/errors.ts'

export type Postmaster = { pid: number; port: number; ready: boolean }

const stop_timeout_ms = 30_000
const look_every_ms = 10

/**
 * The contents of <cluster>/postmaster.pid; it remains after a crash, so it proves nothing by
 * itself.
 */
function readPidFile(cluster: string): Postmaster | null {
  let text: string
  try {
    text = readFileSync(`${cluster}/postmaster.pid`, 'utf8')
  } catch {
    return null
  }
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return { pid, port: Number(lines[3]), ready: lines[7] === 'ready' }
}

/**
 * The server of this cluster if it really runs: the pid may have been reused by another program, or
 * be that of a dead child.
 */
export function findRunning(cluster: string): Postmaster | null {
  const found = readPidFile(cluster)
  return found && isServerOf(found.pid, cluster) ? found : null
}

function isServerOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false
  // Elsewhere the connection that follows decides: the socket is in a folder that only we may
  // enter.
  if (process.platform !== 'linux') return true
  try {
    // A zombie has an empty command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return false
  }
}

/**
 * Removes the pid file of a crashed server when its number went to another program: PostgreSQL
 * would take that for a living server forever. A restarted container gives the same numbers out
 * again. It does so only if /proc shows that no process of the old server is left in the cluster's
 * folder.
 */
export function purgeReusedPid(cluster: string): boolean {
  const found = readPidFile(cluster)
  if (process.platform !== 'linux' || !found || !isAlive(found.pid)) return false
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const folder = realpathSync(cluster)
  if (isServerOf(found.pid, cluster) || others.some((pid) => worksIn(pid, folder))) return false
  rmSync(`${cluster}/postmaster.pid`)
  return true
}

function worksIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    // The process has ended or is another user's; ours would be readable.
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that it is alive and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Waits until the server takes connections; `alive` ends the wait if it no longer runs. */
export async function becomesReady(
  cluster: string,
  pid: number,
  alive: () => boolean,
): Promise<boolean> {
  while (alive()) {
    const now = readPidFile(cluster)
    // Line 8 alone is not enough: the file of a crashed server says "ready", too.
    if (now?.pid === pid && now.ready) return true
    await sleep(look_every_ms)
  }
  return false
}

/** Ends the server at once but cleanly (fast shutdown), so that no shared memory stays behind. */
export async function stopPostmaster(cluster: string, pid: number): Promise<void> {
  if (!isServerOf(pid, cluster)) return
  process.kill(pid, 'SIGINT')
  const deadline = monotonicMs() + stop_timeout_ms
  while (isServerOf(pid, cluster) && existsSync(`${cluster}/postmaster.pid`)) {
    if (monotonicMs() > deadline)
      throw new EmbeddedDatabaseError(
        `PostgreSQL (process ${pid}) did not stop within ${stop_timeout_ms / 1000} s.`,
        `Its log is beside ${cluster}.`,
      )
    await sleep(look_every_ms)
  }
  // The file is removed a moment before the process ends.
  while (isServerOf(pid, cluster) && monotonicMs() < deadline) await sleep(look_every_ms)
}

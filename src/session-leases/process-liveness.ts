// Process liveness: detects dead nodes of this machine, whose leases are released before they
// expire. Otherwise a restarted process would wait for its own unexpired leases.
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import type { Sql } from '../db/database.ts'
import { readNodesByPrefix, releaseNode } from './session-leases.sql.ts'

/**
 * This boot of this machine and this namespace of process numbers, in which a missing number is
 * proof of death. It is null if the system does not show it (then leases only expire).
 */
function findProcessScope(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')} `
  } catch {
    return null
  }
}

const process_scope = findProcessScope()

/** Makes a name that no other process ever has. */
export function newNode(): string {
  return `${process_scope ?? ''}${process.pid} ${randomUUID()}`
}

/**
 * It is also false for a process that cannot be known, because it is on another machine or its
 * number is used again.
 */
function isDead(node: string): boolean {
  if (process_scope === null || !node.startsWith(process_scope)) return false
  const pid = Number.parseInt(node.slice(process_scope.length), 10)
  try {
    // This sends no signal, but only asks. A process is gone when all its connections have been
    // closed.
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/**
 * Releases the leases of dead processes of this machine at a registry. Returns false if there are
 * none.
 */
export async function releaseLeasesOfDeadNodes(sql: Sql, registry: string): Promise<boolean> {
  if (process_scope === null) return false
  const dead = (await sql.run(readNodesByPrefix, { registry, prefix: process_scope })).filter(
    ({ node }) => isDead(node),
  )
  for (const { node } of dead) await sql.run(releaseNode, { node })
  return dead.length > 0
}

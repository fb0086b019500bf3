// Whether another node of this machine is dead for certain, so that its slots need not wait for the
// end of their leases: a service that was killed and started again would else stand before its own.
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import type { Sql } from '../db/database.ts'
import { leaveSlots, readNeighbours } from './session-leases.sql.ts'

/**
 * This boot of this machine and this space of process numbers, where a number that is missing is
 * proof of death. Null where the system does not tell (then only leases count).
 */
function findPlace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')} `
  } catch {
    return null
  }
}

export const place = findPlace()

/** A name that no other process ever has. */
export function newNode(): string {
  return `${place ?? ''}${process.pid} ${randomUUID()}`
}

/** False also for one that cannot be known: another machine's, or a number that is used again. */
function isDead(node: string): boolean {
  if (place === null || !node.startsWith(place)) return false
  const pid = Number.parseInt(node.slice(place.length), 10)
  try {
    // No signal: it only asks. A process is gone when all its connections have been closed.
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Frees what dead processes of this machine held at a registry; false when that is nothing. */
export async function buryNeighbours(sql: Sql, registry: string): Promise<boolean> {
  if (place === null) return false
  const dead = (await sql.run(readNeighbours, [registry, place])).filter(({ node }) => isDead(node))
  for (const { node } of dead) await sql.run(leaveSlots, [node])
  return dead.length > 0
}

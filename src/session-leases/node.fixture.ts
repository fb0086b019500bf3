// For tests: nodes with their own registry, over one database and one sandbox, or as a child
// process that is to be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { app_role } from '../../test/support/database.ts'
import { openEppRegistry } from '../adapters/registry/epp/epp.ts'
import type { EppProfile, Registry } from '../adapters/registry/port.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { openSessionLeases } from './index.ts'

export type Node = { registry: Registry; close: () => Promise<void> }
type NodeOptions = { profile: EppProfile; lease_ms?: number; node?: string }

export function openNode(db: Database, { profile, ...options }: NodeOptions): Node {
  const log = pino({ level: 'silent' })
  const leases = openSessionLeases({ db, log }, options)
  const registry = openEppRegistry(profile, { log, acquireLease: leases.of(profile) })
  return {
    registry,
    async close() {
      await registry.close()
      await leases.close()
    },
  }
}

/** Makes `count` reads at once, each a separate command, and returns whether each was answered. */
export async function look({ registry }: Node, count: number): Promise<boolean[]> {
  const [tld] = registry.profile.tlds
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      registry.check([`some-${i}.${tld}`], { priority: 'normal', fees: false }),
    ),
  )
  return answers.map(([answer]) => answer?.available === true)
}

/** Waits for an effect of other processes. Throws an Error after 40 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await condition())) {
    if (performance.now() - began > 40_000) throw new Error(`Never: ${condition}`)
    await sleep(10)
  }
  return performance.now() - began
}

type ChildOptions = NodeOptions & { url: string }

/** A node in a separate process that holds all sessions of its profile, busy or not. */
export async function startChild(options: ChildOptions): Promise<ChildProcess> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(createInterface({ input: child.stdout }), 'line')
  return child
}

if (import.meta.main) {
  const { url, ...options }: ChildOptions = JSON.parse(process.argv[2] ?? '')
  const db = await openDatabase({ url, app_role })
  const node = openNode(db, options)
  while (node.registry.health().sessions < options.profile.sessions)
    await look(node, options.profile.sessions * 2)
  process.stdout.write('ready\n')
  process.stdin.on('end', () => process.exit(0)).resume()
}

// Shared state of the sessions of one registry: rows, faults, effect log, session counts.

import { Delays } from '../../support/delays.ts'
import type { Faults } from '../faults/epp-faults.ts'
import { SessionLog } from '../faults/session-log.ts'
import type { Registry } from '../model/registry.ts'

const HALF = 50_000

/** Recent clTRIDs of each registrar, in two generations of bounded size. */
export class Seen {
  #recent = new Set<string>()
  #older = new Set<string>()

  /** True when this registrar used the clTRID before; adds it otherwise. */
  check(registrar: string, clTrid: string): boolean {
    const key = `${registrar} ${clTrid}`
    if (this.#recent.has(key) || this.#older.has(key)) return true
    this.#recent.add(key)
    if (this.#recent.size < HALF) return false
    this.#older = this.#recent
    this.#recent = new Set()
    return false
  }
}

export class RegistryState {
  readonly registry: Registry
  readonly faults: Faults
  readonly effectLog = new SessionLog()
  readonly seen = new Seen()
  readonly delays = new Delays()
  readonly report: (error: unknown) => void
  /** Ends the log-ins of a registrar, one function for each session. */
  readonly logOuts = new Set<(registrar: string) => void>()
  readonly #present = new Map<string, number>()
  readonly #started = Date.now().toString(36)
  #trids = 0

  constructor(parts: { registry: Registry; faults: Faults; report: (error: unknown) => void }) {
    this.registry = parts.registry
    this.faults = parts.faults
    this.report = parts.report
  }

  /** Counts a session of a registrar. Returns false if it already has all its sessions. */
  enter(registrar: string): boolean {
    const present = this.#present.get(registrar) ?? 0
    if (present >= this.registry.settings.sessions_per_registrar) return false
    this.#present.set(registrar, present + 1)
    this.effectLog.loggedIn(1)
    return true
  }

  leave(registrar: string): void {
    this.#present.set(registrar, (this.#present.get(registrar) ?? 1) - 1)
    this.effectLog.loggedIn(-1)
  }

  nextTrid(): string {
    this.#trids += 1
    return `${this.registry.profile.name}-${this.#started}-${this.#trids}`
  }

  close(): void {
    this.delays.close()
    this.registry.store.close()
  }
}

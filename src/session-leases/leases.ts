// The slots that this node holds: renewed together, and ended before the database could lend them
// to another.

import type { Logger } from 'pino'
import type { Sql } from '../db/database.ts'
import type { Borrower, Slot } from '../epp/pool/session-permit.ts'
import { monotonicMs } from '../kit/clock.ts'
import { giveSlotBack, leaveSlots, renewSlots } from './session-leases.sql.ts'

export type Loan = {
  id: bigint
  registry: string
  borrower: Borrower
  taken_ms: number
  /** By this machine's clock, from before the database was asked: never later than over there. */
  good_until_ms: number
  lost: AbortController
  /** Told to give it up. */
  recalled: boolean
}

export type LoanParts = {
  sql: Sql
  log: Pick<Logger, 'warn' | 'error'>
  node: string
  lease_ms: number
  /** Called when a renewal finds that another node waits at a registry. */
  waitedFor: (registry: string) => void
}

// Of a lease: when it is renewed, when sessions without a renewal take no new command, and when
// they are ended. The rest is for a busy machine and for the way of the farewell.
const renew_at = 4 / 15
const leave_at = 10 / 15
const end_at = 13 / 15

export class Loans {
  readonly #parts: LoanParts
  readonly #all = new Map<bigint, Loan>()
  readonly #givingBack = new Set<Promise<unknown>>()
  #timer: NodeJS.Timeout | null = null
  #renewing: Promise<void> | null = null
  #asked_ms = 0

  constructor(parts: LoanParts) {
    this.#parts = parts
  }

  /** Notes what the database lent; `asked_ms`: before it was asked. */
  add(
    { id, registry, borrower }: Pick<Loan, 'id' | 'registry' | 'borrower'>,
    asked_ms: number,
  ): Slot {
    const { lease_ms } = this.#parts
    const loan: Loan = {
      id,
      registry,
      borrower,
      taken_ms: monotonicMs(),
      good_until_ms: asked_ms + lease_ms,
      lost: new AbortController(),
      recalled: false,
    }
    this.#all.set(id, loan)
    if (!this.#timer) {
      this.#asked_ms = asked_ms
      this.#timer = setInterval(() => this.#tick(), lease_ms / 15)
      this.#timer.unref()
    }
    return { lost: loan.lost.signal, release: () => this.#release(loan) }
  }

  at(registry: string): Loan[] {
    return [...this.#all.values()].filter((loan) => loan.registry === registry)
  }

  recall(loan: Loan): void {
    if (loan.recalled) return
    loan.recalled = true
    loan.borrower.giveUp()
  }

  /** Ends what is left, and tells the database. */
  async close(): Promise<void> {
    for (const loan of this.#all.values()) this.#lose(loan)
    await this.#renewing
    await Promise.all(this.#givingBack)
    const { sql, log, node } = this.#parts
    // Unheard, its slots come free with the end of their leases.
    await sql.run(leaveSlots, [node]).catch((err) => log.warn({ err }, 'session slots not left'))
  }

  #tick(): void {
    const now = monotonicMs()
    const { lease_ms, log } = this.#parts
    for (const loan of this.#all.values()) {
      const age = lease_ms - (loan.good_until_ms - now)
      if (age >= end_at * lease_ms) {
        log.error({ registry: loan.registry }, 'session ended: its slot could not be renewed')
        this.#lose(loan)
      } else if (age >= leave_at * lease_ms) this.recall(loan)
    }
    if (this.#renewing || now - this.#asked_ms < renew_at * lease_ms) return
    this.#renewing = this.#renew()
      .catch((err) => log.warn({ err }, 'session slots not renewed'))
      .finally(() => {
        this.#renewing = null
      })
  }

  async #renew(): Promise<void> {
    const { sql, lease_ms, log, waitedFor } = this.#parts
    const asked = [...this.#all.values()]
    const asked_ms = monotonicMs()
    this.#asked_ms = asked_ms
    const rows = await sql.run(renewSlots, [asked.map(({ id }) => id), lease_ms])
    const kept = new Set(rows.map(({ loan }) => loan))
    for (const loan of asked) {
      if (kept.has(loan.id)) loan.good_until_ms = asked_ms + lease_ms
      else if (this.#all.has(loan.id)) {
        log.error({ registry: loan.registry }, 'session ended: its slot is another node’s')
        this.#lose(loan)
      }
    }
    const wanted = rows.filter(({ waited_for }) => waited_for).map(({ registry }) => registry)
    for (const registry of new Set(wanted)) waitedFor(registry)
  }

  #lose(loan: Loan): void {
    this.#purge(loan)
    loan.lost.abort()
  }

  #release(loan: Loan): void {
    if (!this.#purge(loan)) return
    const { sql, log } = this.#parts
    const told = sql
      .run(giveSlotBack, [loan.id])
      .catch((err) => log.warn({ err }, 'session slot not given back before its lease ends'))
      .finally(() => this.#givingBack.delete(told))
    this.#givingBack.add(told)
  }

  #purge(loan: Loan): boolean {
    const held = this.#all.delete(loan.id)
    if (this.#all.size === 0 && this.#timer) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    return held
  }
}

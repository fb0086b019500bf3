// Observes one checkout at once, for a hint that it was paid. Hints of one checkout are coalesced:
// many at once cost two readings, not one each.

import type { App } from '../../../../app.ts'
import type { CheckoutId } from '../../../../kit/random.ts'
import { gatewayOf } from '../checkout-rows.ts'
import { compareOne } from './compare-balances.ts'
import { observe } from './observe.ts'
import { knownPaymentsOf, observeNoLaterThan, readCursor, watchedCheckout } from './watched.sql.ts'

const pause_ms = 1_000
/** A reading that was only noted has been made by then, unless this node ended. */
const noted_ms = 5_000

type Entry = { began_ms: number; running: Promise<number>; next: Promise<number> | null }

declare module '../../../../app.ts' {
  interface App {
    checkoutObservations: CheckoutObservations
  }
}

/** At most one reading of a checkout a second, and one that begins after each hint. */
export class CheckoutObservations {
  readonly #entries = new Map<string, Entry>()
  readonly #monotonic_ms: () => number

  constructor({ monotonic_ms }: Pick<App, 'monotonic_ms'>) {
    this.#monotonic_ms = monotonic_ms
  }

  /** `begun` is true if it began at once; otherwise it begins within the pause. */
  observe(id: string, read: () => Promise<number>): { begun: boolean; done: Promise<number> } {
    const entry = this.#entries.get(id)
    if (!entry) return { begun: true, done: this.#begin(id, read) }
    entry.next ??= this.#following(id, entry, read)
    return { begun: false, done: entry.next }
  }

  #begin(id: string, read: () => Promise<number>): Promise<number> {
    const running = read()
    const entry: Entry = { began_ms: this.#monotonic_ms(), running, next: null }
    this.#entries.set(id, entry)
    const ended = running.catch(() => undefined).then(() => this.#pause(entry))
    void ended.then(() => {
      if (entry.next === null) this.#entries.delete(id)
    })
    return running
  }

  async #following(id: string, entry: Entry, read: () => Promise<number>): Promise<number> {
    await entry.running.catch(() => undefined)
    await this.#pause(entry)
    return this.#begin(id, read)
  }

  /** A reading is kept until a second after it began. */
  #pause({ began_ms }: Entry): Promise<void> {
    const left_ms = began_ms + pause_ms - this.#monotonic_ms()
    return new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, left_ms)).unref()
    })
  }
}

/** Rejects with GatewayUnavailable. Returns the number of payments that were credited. */
async function readOne(app: App, id: string): Promise<number> {
  const gateway = gatewayOf(app)
  const { name } = gateway
  const destination = await app.db.maybe(watchedCheckout, { id, gateway: name })
  if (!destination) return 0
  const now = app.clock.now()
  const [known, at] = await Promise.all([
    app.db.run(knownPaymentsOf, { checkout_ids: [id], now }),
    app.db.maybe(readCursor, { gateway: name }),
  ])
  const cursor = at?.cursor ?? null
  const round = { gateway, destinations: [destination], known, cursor, version: null }
  // This also settles the payments that a node stored before it died.
  const credited = await observe(app, { ...round, settled_anyway: [id] })
  return credited + (await compareOne(app, gateway, id))
}

/**
 * Rejects with GatewayUnavailable. Returns the number of payments that this reading, which began
 * after the call, credited.
 */
export function observeCheckout(app: App, id: string): Promise<number> {
  return app.checkoutObservations.observe(id, () => readOne(app, id)).done
}

/**
 * Like `observeCheckout`, but if a reading has just begun (`noted`) the caller need not wait for
 * the next, which is noted in the database, so that a crash does not lose it.
 */
export async function hintCheckout(
  app: App,
  id: CheckoutId,
): Promise<{ noted: boolean; done: Promise<number> }> {
  const { begun, done } = app.checkoutObservations.observe(id, () => readOne(app, id))
  if (begun) return { noted: false, done }
  // The rejection is handled here as well, in case the statement below fails first.
  done.catch((error) =>
    app.log.warn(
      { err: error, checkout_id: id },
      'checkout not read from its gateway; it is read again later',
    ),
  )
  const { name: gateway, reads_on } = gatewayOf(app)
  const at = new Date(app.clock.now().getTime() + noted_ms)
  // Where a gateway reads on, each round of the watch reads all of them.
  if (!reads_on) await app.db.run(observeNoLaterThan, { id, gateway, at })
  return { noted: true, done }
}

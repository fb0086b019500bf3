// Pacing of packets to one address: each is sent in a slot that was reserved for it alone, so that
// all scans of all nodes together stay below the limit, however many there are.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../../kit/clock.ts'

const slots_at_once = 10

/**
 * Reserves this many slots of an address, one after the other, and returns the milliseconds until
 * the first.
 */
type ReserveSlots = (address: string, slots: number) => Promise<number>

/** `slot_ms` is the length of a slot, so that an address gets one packet in each. */
export type Pace = { slot_ms: number; reserve: ReserveSlots }
type Pacing = Pace & { address: string; signal: AbortSignal }

/** The pacer of one scan for one address. */
export class SlotPacer {
  readonly #pacing: Pacing
  #next_ms = 0
  #left = 0
  #before: Promise<void> = Promise.resolve()
  #sent = 0

  constructor(pacing: Pacing) {
    this.#pacing = pacing
  }

  /** The number of packets that it let through. */
  get sent(): number {
    return this.#sent
  }

  /** Resolves when this many packets may be sent; rejects once the scan is over. */
  async take(packets: number): Promise<void> {
    const mine = this.#before.then(() => this.#wait(packets))
    this.#before = mine.catch(() => undefined)
    await mine
  }

  async #wait(packets: number): Promise<void> {
    for (let left = packets; left > 0; left -= 1) {
      await this.#slot()
      this.#sent += 1
    }
  }

  /**
   * A slot that was missed is lost, because a packet sent later would coincide with that of another
   * scan.
   */
  async #slot(): Promise<void> {
    const { signal, slot_ms } = this.#pacing
    for (;;) {
      signal.throwIfAborted()
      if (this.#left === 0) await this.#reserve()
      const wait_ms = this.#next_ms - monotonicMs()
      this.#left -= 1
      this.#next_ms += slot_ms
      if (wait_ms < -slot_ms) continue
      if (wait_ms > 0) await sleep(wait_ms, undefined, { signal })
      return
    }
  }

  async #reserve(): Promise<void> {
    const { address, reserve } = this.#pacing
    const wait_ms = await reserve(address, slots_at_once)
    this.#next_ms = monotonicMs() + wait_ms
    this.#left = slots_at_once
  }
}

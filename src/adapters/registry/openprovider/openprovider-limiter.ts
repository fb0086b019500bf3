// How many requests go out at once, and who is next: a purchase before a look before a sweep.
import type { Priority } from '../port.ts'

const waiting_limit = 1_000
const order = ['purchase', 'normal', 'background'] as const

type Waiter = { go: (admitted: boolean) => void }

export class Gate {
  readonly #places: number
  readonly #wait_ms: number
  readonly #waiting: Record<Priority, Set<Waiter>> = {
    purchase: new Set(),
    normal: new Set(),
    background: new Set(),
  }
  #running = 0
  #idle: (() => void)[] = []

  constructor({ places, wait_ms }: { places: number; wait_ms: number }) {
    this.#places = places
    this.#wait_ms = wait_ms
  }

  get running(): number {
    return this.#running
  }

  get queued(): number {
    return order.reduce((sum, priority) => sum + this.#waiting[priority].size, 0)
  }

  /** False: too many wait, or none was done in time. True: call `leave` afterwards. */
  async enter(priority: Priority): Promise<boolean> {
    if (this.#running < this.#places) {
      this.#running += 1
      return true
    }
    if (this.queued >= waiting_limit) return false
    const line = this.#waiting[priority]
    return new Promise((resolve) => {
      const waiter: Waiter = {
        go(admitted) {
          clearTimeout(timer)
          line.delete(waiter)
          resolve(admitted)
        },
      }
      const timer = setTimeout(() => waiter.go(false), this.#wait_ms)
      line.add(waiter)
    })
  }

  leave(): void {
    const next = order.flatMap((priority) => [...this.#waiting[priority]].slice(0, 1)).at(0)
    if (next) next.go(true)
    else this.#running -= 1
    if (this.#running === 0) for (const tell of this.#idle.splice(0)) tell()
  }

  /** Once nothing runs any more. */
  async emptied(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }
}

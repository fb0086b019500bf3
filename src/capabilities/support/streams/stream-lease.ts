// The lease of a node on its event streams: other nodes count them while it is renewed. Streams
// that ended are released together.
import { randomUUID } from 'node:crypto'
import type { App } from '../../../app.ts'
import { type RenewedLease, renewing } from '../../../tasks/index.ts'
import { closeStreams, endNode, renewNode } from './streams.sql.ts'

const lease_ms = 12_000

export class StreamLease {
  readonly lease_ms = lease_ms
  readonly #parts: Pick<App, 'db' | 'log' | 'monotonic_ms'>
  readonly #lost: () => void
  #node: string = randomUUID()
  #renewed: RenewedLease | null = null
  #released: string[] = []
  #releasing: Promise<void> | null = null

  /** The state is `lost` if the lease expired, for example after a pause of this process. */
  constructor(parts: Pick<App, 'db' | 'log' | 'monotonic_ms'>, { lost }: { lost: () => void }) {
    this.#parts = parts
    this.#lost = lost
  }

  /** The number of the lease for streams that are opened from now on. */
  get node(): string {
    return this.#node
  }

  /** Called when the first stream opens; renews the lease from then on. */
  begin(): void {
    const node = this.#node
    this.#renewed ??= renewing({
      lease_ms,
      asked_at: this.#parts.monotonic_ms(),
      renew: () => this.#renew(node),
    })
  }

  /** Called when no stream is open any longer. */
  pause(): void {
    void this.#renewed?.stop()
    this.#renewed = null
  }

  /** A row that stays because the database was unreachable ends with the lease. */
  release(id: string): void {
    this.#released.push(id)
    this.#releasing ??= this.#release()
  }

  async end(): Promise<void> {
    this.pause()
    await this.#releasing
    await this.#remove(this.#node)
  }

  async #remove(node: string): Promise<void> {
    await this.#parts.db
      .run(endNode, { node })
      .catch((error) =>
        this.#parts.log.warn({ err: error }, 'event streams of this node not deleted'),
      )
  }

  async #release(): Promise<void> {
    const { db, log } = this.#parts
    while (this.#released.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const ids = this.#released.splice(0)
      await db
        .run(closeStreams, { ids })
        .catch((error) => log.warn({ err: error }, 'closed event streams not deleted'))
    }
    this.#releasing = null
  }

  async #renew(node: string): Promise<boolean> {
    // It was lost by a renewal before this one, which waited for the database, too.
    if (node !== this.#node) return false
    const { db, log } = this.#parts
    const kept = await db.maybe(renewNode, { node, lease_ms }).catch((error) => {
      // The lease may still be renewed in time.
      log.warn({ err: error }, 'lease of event streams not renewed')
      throw error
    })
    if (kept) return true
    log.warn('lease of event streams expired: they are ended')
    // The next stream takes a new lease.
    this.pause()
    this.#node = randomUUID()
    this.#lost()
    await this.#remove(node)
    return false
  }
}

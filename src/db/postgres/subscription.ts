// Subscription to a channel of NOTIFY: opened by its first use, and by the next one after a
// failure.
import type { ChannelListener } from './listener.ts'

type Source = { listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>> }

export class Subscription {
  readonly #source: Source
  readonly #channel: string
  readonly #listener: ChannelListener
  #open: Promise<() => Promise<void>> | null = null

  /** `reconnected` is also called once it listens: nothing before that was notified. */
  constructor(source: Source, channel: string, listener: ChannelListener) {
    this.#source = source
    this.#channel = channel
    this.#listener = listener
  }

  /** Resolves when it listens. Rejects when there is no connection; the next call tries again. */
  async ensure(): Promise<void> {
    this.#open ??= this.#listen().catch((error) => {
      this.#open = null
      throw error
    })
    await this.#open
  }

  /** The same without waiting, for a caller that notices a change also without a notification. */
  begin(): void {
    this.ensure().catch(() => undefined)
  }

  async close(): Promise<void> {
    const end = await this.#open?.catch(() => null)
    await end?.()
  }

  async #listen(): Promise<() => Promise<void>> {
    const end = await this.#source.listen(this.#channel, this.#listener)
    this.#listener.reconnected()
    return end
  }
}

// The current authorization server of this node: created lazily, and again when the signing keys
// change, here or on another node.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { type Keys, openKeys } from '../keys/keys.ts'
import { type Library, loadLibrary } from '../shared/load-oidc-provider.ts'
import { newProvider, type ProviderParts } from './provider.ts'

type Serving = {
  provider: Provider
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}
export type ProviderInstance = {
  /** Rejects with DatabaseUnavailable while the first one cannot be created. */
  current: () => Promise<Serving>
  close: () => Promise<void>
}

const retry_ms = 5_000
// A timer may fire a moment early.
const leeway_ms = 50
// The longest delay that setTimeout takes.
const longest_ms = 2 ** 31 - 1

type ProviderInstanceParts = {
  app: Pick<App, 'db' | 'settings' | 'log' | 'clock' | 'encryption'>
  middleware: ProviderParts['middleware']
  reportError: ProviderParts['reportError']
  addressOf: ProviderParts['addressOf']
  device_log_ins: ProviderParts['device_log_ins']
  documentsWith: (library: Library) => ProviderParts['documents']
}

/** The ids of the keys, in the order in which these are used. */
function idsOf({ sign, cookie }: Keys): string {
  return [...sign.map(({ kid }) => kid), ...cookie].join(' ')
}

export function openProviderInstance(parts: ProviderInstanceParts): ProviderInstance {
  const renewal = new RenewedProvider(parts)
  return { current: () => renewal.current(), close: () => renewal.close() }
}

class RenewedProvider {
  readonly #parts: ProviderInstanceParts
  #documents: ProviderParts['documents'] | null = null
  #serving: Promise<Serving> | null = null
  #unlisten: (() => Promise<void>) | null = null
  #timer: NodeJS.Timeout | undefined
  /** The ids of the keys in use. */
  #known = ''
  #closed = false

  constructor(parts: ProviderInstanceParts) {
    this.#parts = parts
  }

  current(): Promise<Serving> {
    if (this.#serving) return this.#serving
    const made = this.#first()
    this.#serving = made
    // The next request tries again.
    made.catch(() => {
      if (this.#serving === made) this.#serving = null
    })
    return made
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#serving?.catch(() => null)
    clearTimeout(this.#timer)
    await this.#unlisten?.()
  }

  async #first(): Promise<Serving> {
    const { app } = this.#parts
    const renew = () => this.#renew()
    this.#unlisten ??= await app.db.listen('oauth_keys', { notified: renew, reconnected: renew })
    return this.#servingWith(await openKeys(app))
  }

  #servingWith(keys: Keys): Serving {
    const { app, documentsWith } = this.#parts
    this.#followChanges(keys)
    if (keys.unreadable > 0)
      app.log.warn(
        { keys: keys.unreadable },
        'keys of OAuth are sealed with another ENCRYPTION_KEY',
      )
    const library = loadLibrary(app.log, app.clock)
    this.#documents ??= documentsWith(library)
    const provider = newProvider({ ...this.#parts, library, documents: this.#documents }, keys)
    const callback = provider.callback()
    return { provider, respond: async (request, response) => callback(request, response) }
  }

  /** The current one stays in use until the next one is ready. */
  #renew(): void {
    if (this.#closed) return
    const { app } = this.#parts
    openKeys(app).then(
      (keys) => {
        if (idsOf(keys) === this.#known) this.#followChanges(keys)
        else this.#serving = Promise.resolve(this.#servingWith(keys))
      },
      (error) => {
        if (this.#closed) return
        app.log.warn({ err: error }, 'the keys of the authorization server cannot be read')
        this.#renewIn(retry_ms)
      },
    )
  }

  #followChanges(keys: Keys): void {
    this.#known = idsOf(keys)
    if (keys.changes_in_ms !== null) this.#renewIn(keys.changes_in_ms + leeway_ms)
  }

  #renewIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#renew(), Math.min(ms, longest_ms))
    this.#timer.unref()
  }
}

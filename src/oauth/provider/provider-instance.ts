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
// Of setTimeout.
const longest_ms = 2 ** 31 - 1

type ProviderInstanceParts = {
  app: Pick<App, 'db' | 'settings' | 'log' | 'clock' | 'encryption'>
  middleware: ProviderParts['middleware']
  reportError: ProviderParts['reportError']
  addressOf: ProviderParts['addressOf']
  device_log_ins: ProviderParts['device_log_ins']
  documentsWith: (library: Library) => ProviderParts['documents']
}

/** In the order in which they are used. */
function idsOf({ sign, cookie }: Keys): string {
  return [...sign.map(({ kid }) => kid), ...cookie].join(' ')
}

export function openProviderInstance(parts: ProviderInstanceParts): ProviderInstance {
  const { db, log } = parts.app
  let documents: ProviderParts['documents'] | null = null
  let serving: Promise<Serving> | null = null
  let unlisten: (() => Promise<void>) | null = null
  let timer: NodeJS.Timeout | undefined
  /** Of the keys in use. */
  let known = ''
  let closed = false

  function renewIn(ms: number): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(renew, Math.min(ms, longest_ms))
    timer.unref()
  }

  function followChanges(keys: Keys): void {
    known = idsOf(keys)
    if (keys.changes_in_ms !== null) renewIn(keys.changes_in_ms + leeway_ms)
  }

  function servingWith(keys: Keys): Serving {
    followChanges(keys)
    if (keys.unreadable > 0)
      log.warn({ keys: keys.unreadable }, 'keys of OAuth are sealed with another ENCRYPTION_KEY')
    const library = loadLibrary(log, parts.app.clock)
    documents ??= parts.documentsWith(library)
    const provider = newProvider({ ...parts, library, documents }, keys)
    const callback = provider.callback()
    return { provider, respond: async (request, response) => callback(request, response) }
  }

  /** The current one stays in use until the next one is ready. */
  function renew(): void {
    if (closed) return
    openKeys(parts.app).then(
      (keys) => {
        if (idsOf(keys) === known) followChanges(keys)
        else serving = Promise.resolve(servingWith(keys))
      },
      (error) => {
        if (closed) return
        log.warn({ err: error }, 'the keys of the authorization server cannot be read')
        renewIn(retry_ms)
      },
    )
  }

  async function first(): Promise<Serving> {
    unlisten ??= await db.listen('oauth_keys', { notified: renew, reconnected: renew })
    return servingWith(await openKeys(parts.app))
  }

  return {
    current() {
      if (serving) return serving
      const made = first()
      serving = made
      // The next request tries again.
      made.catch(() => {
        if (serving === made) serving = null
      })
      return made
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await serving?.catch(() => null)
      clearTimeout(timer)
      await unlisten?.()
    },
  }
}

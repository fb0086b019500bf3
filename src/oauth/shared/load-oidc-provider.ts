// Loads oidc-provider lazily, on first use, because it takes a quarter of a second, which no start
// should wait for.
import { createRequire, registerHooks } from 'node:module'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../../kit/clock.ts'

export type Library = typeof import('oidc-provider')

/** The library's errors. With `expose` they are shown to the client. */
export type LibraryError = Error & {
  error?: string
  error_description?: string | undefined
  expose?: boolean
  statusCode?: number
}

let loaded: Library | null = null

// The module through which the library reads the time, and its replacement: it would use this
// machine's clock, and has no setting for that (docs/decisions/0025-one-clock.md).
const timeModule = /\/oidc-provider\/lib\/helpers\/epoch_time\.js$/
const clockKey = Symbol.for('agent-registrar.oidc-provider.now')
const source = `const now = Symbol.for('${clockKey.description}')
  export default (date = globalThis[now]()) => Math.floor(date / 1000)`

/** Loads it so that it reads the time from `clock`. Throws where it reads it elsewhere. */
function loadWith(clock: Clock): Library {
  Object.assign(globalThis, { [clockKey]: clock.now.bind(clock) })
  let replaced = false
  const hooks = registerHooks({
    load(url, context, next) {
      if (!timeModule.test(url)) return next(url, context)
      replaced = true
      return { format: 'module', shortCircuit: true, source }
    },
  })
  try {
    const library: Library = createRequire(import.meta.url)('oidc-provider')
    if (!replaced) throw new Error('oidc-provider reads the time from an unknown module')
    return library
  } finally {
    hooks.deregister()
  }
}

/**
 * The library. It writes to the console while it is loaded (about Node releases that are not LTS
 * yet); that goes to our log. It is loaded synchronously, so that no other warnings are caught.
 * There is one per process, which reads the time from the clock that it was first loaded with.
 */
export function loadLibrary(log: Logger, clock: Clock = systemClock): Library {
  if (loaded) return loaded
  // biome-ignore lint/suspicious/noConsole: the library has no other way to report.
  const usual = console.warn
  console.warn = (words: unknown) => log.debug({ words }, 'oidc-provider')
  try {
    loaded = loadWith(clock)
    return loaded
  } finally {
    console.warn = usual
  }
}

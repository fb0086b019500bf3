// Loads oidc-provider when it is first needed: it takes a quarter of a second, which no start waits
// for.
import { createRequire, registerHooks } from 'node:module'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../../kit/clock.ts'

export type Library = typeof import('oidc-provider')

/** The library's errors; `expose`: told to the client. */
export type LibraryError = Error & {
  error?: string
  error_description?: string | undefined
  expose?: boolean
  statusCode?: number
}

let loaded: Library | null = null

// The module through which the library reads the time, and what it is replaced by: it would go by
// this machine's clock, and has no setting for that (docs/decisions/0025-one-clock.md).
const timeModule = /\/oidc-provider\/lib\/helpers\/epoch_time\.js$/
const given = Symbol.for('agent-registrar.oidc-provider.now_ms')
const source = `const given = Symbol.for('${given.description}')
  export default (date = globalThis[given]()) => Math.floor(date / 1000)`

/** Loads it so that it reads the time from `clock`. Throws where it reads it elsewhere. */
function loadWith(clock: Clock): Library {
  Object.assign(globalThis, { [given]: () => clock.now().getTime() })
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
    if (!replaced) throw new Error('oidc-provider reads the time elsewhere than we know')
    return library
  } finally {
    hooks.deregister()
  }
}

/**
 * The library. It speaks to the console while it is loaded (of Node releases that are no LTS yet);
 * that is for our log. Loaded in one go, so that nobody else's words are caught. It is one for the
 * process, and reads the time from the clock that it was first loaded with.
 */
export function loadLibrary(log: Logger, clock: Clock = systemClock): Library {
  if (loaded) return loaded
  // biome-ignore lint/suspicious/noConsole: the library has no other way to speak.
  const usual = console.warn
  console.warn = (words: unknown) => log.debug({ words }, 'oidc-provider')
  try {
    loaded = loadWith(clock)
    return loaded
  } finally {
    console.warn = usual
  }
}

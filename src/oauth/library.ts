// Loads oidc-provider when it is first needed: it takes a quarter of a second, which no start waits
// for.
import { createRequire } from 'node:module'
import type { Logger } from 'pino'

export type Library = typeof import('oidc-provider')

/** The library's errors; `expose`: told to the client. */
export type Noted = Error & {
  error?: string
  error_description?: string | undefined
  expose?: boolean
  statusCode?: number
}

let loaded: Library | null = null

/**
 * The library. It speaks to the console while it is loaded (of Node releases that are no LTS yet);
 * that is for our log. Loaded in one go, so that nobody else's words are caught.
 */
export function libraryOf(log: Logger): Library {
  if (loaded) return loaded
  // biome-ignore lint/suspicious/noConsole: the library has no other way to speak.
  const usual = console.warn
  console.warn = (words: unknown) => log.debug({ words }, 'oidc-provider')
  try {
    const library: Library = createRequire(import.meta.url)('oidc-provider')
    loaded = library
    return library
  } finally {
    console.warn = usual
  }
}

// The current transfer code of a domain at its registry, as the registry shows it or as it is kept
// sealed here. Pure, except for unsealing.
import type { App } from '../../../../app.ts'
import type { Row } from '../../../../db/statement.ts'
import { fingerprintOf } from '../../../../kit/random.ts'

/** Why a code differs from the one that was returned before. */
export const creationReasons = ['asked', 'none', 'unconfirmed', 'unreadable'] as const
export type CreationReason = (typeof creationReasons)[number]

export type KeptCode = Row<'domains_auth_code_of'>

/**
 * `return`: this code is valid. `keep`: the registry has this code, and it is to be kept from now
 * on. `set`: this code is to be set, or a new one if it is null.
 */
export type Current =
  | { do: 'return'; code: string; expires_at: Date }
  | { do: 'keep'; code: string; because: CreationReason | null }
  | { do: 'set'; code: string | null; because: CreationReason | null }

type Facts = {
  kept: KeptCode
  /** The code that the registry shows, empty if there is none, null if it never shows one. */
  shown: string | null
  /** Whether it came from another registrar, which knows the code that it came with. */
  transferred: boolean
  now: Date
}

export function currentCode(app: Pick<App, 'encryption'>, facts: Facts): Current {
  const { kept, shown, now } = facts
  const isValid = kept.expires_at !== null && kept.expires_at > now
  if (shown !== null && shown !== '') return fromShown(app, { ...facts, shown, isValid })
  if (kept.sent_sealed !== null) {
    const code = app.encryption.unseal(kept.sent_sealed)
    return code === undefined
      ? { do: 'set', code: null, because: 'unreadable' }
      : { do: 'set', code, because: 'unconfirmed' }
  }
  if (!isValid || kept.sealed === null || kept.expires_at === null)
    return { do: 'set', code: null, because: 'none' }
  const code = app.encryption.unseal(kept.sealed)
  if (code === undefined) return { do: 'set', code: null, because: 'unreadable' }
  // A value that an older version of this service has set since is not kept here.
  if (fingerprintOf(code) !== kept.hash) return { do: 'set', code: null, because: 'none' }
  // The registry shows codes, and has none, so ours was removed elsewhere.
  if (shown === '') return { do: 'set', code, because: null }
  return { do: 'return', code, expires_at: kept.expires_at }
}

type Shown = Facts & { shown: string; isValid: boolean }

function fromShown(
  app: Pick<App, 'encryption'>,
  { kept, shown, transferred, isValid }: Shown,
): Current {
  if (kept.sent_sealed !== null && app.encryption.unseal(kept.sent_sealed) === shown)
    return { do: 'keep', code: shown, because: 'unconfirmed' }
  if (kept.hash === null && transferred) return { do: 'set', code: null, because: 'none' }
  if (kept.hash !== fingerprintOf(shown)) return { do: 'keep', code: shown, because: null }
  return isValid && kept.expires_at !== null
    ? { do: 'return', code: shown, expires_at: kept.expires_at }
    : { do: 'set', code: null, because: 'none' }
}

/** Some registries show a mask in place of a code; no code is one repeated character. */
export function unmasked(shown: string | null): string | null {
  return shown !== null && /^(.)\1*$/.test(shown) ? null : shown
}

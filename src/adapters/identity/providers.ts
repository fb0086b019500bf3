// The identity providers of the settings.
import { openGithub } from './github.ts'
import { openOidcProvider, type ProviderFacts } from './oidc.ts'
import type { IdentityProviders } from './port.ts'

type Parts = { monotonic_ms: () => number; timeout_s?: number }

/** Opens no connection, because a provider is only asked when a user chooses it. */
export function openIdentityProviders(
  settings: readonly ProviderFacts[],
  parts: Parts,
): IdentityProviders {
  return new Map(
    settings.map((facts) => [
      facts.id,
      facts.id === 'github' ? openGithub(facts, parts.timeout_s) : openOidcProvider(facts, parts),
    ]),
  )
}

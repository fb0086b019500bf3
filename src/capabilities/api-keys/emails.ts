// What an owner is told when an operator made or revoked a key of theirs (decisions part 2), pure.
import { type EmailMessage, words } from '../mail/index.ts'
import type { ApiKey } from './api-key.ts'

/** To the owner, about a key that an operator made. */
export function keyMade(key: ApiKey, site_url: string): EmailMessage {
  return {
    kind: 'api_key_made_by_operator',
    dedupe_key: `api_key_made_by_operator:${key.id}`,
    subject: words`A new API key for your account`,
    happened: [
      words`An operator of this service made an API key for your account: ${nameOf(key)}.`,
      words`It may do this: ${key.scopes.join(', ')}.`,
    ],
    todo: [words`If you did not ask for it, revoke it, and tell us: ${site_url}`],
  }
}

/** To the owner, about a key that an operator revoked, and all that it had made. */
export function keyRevoked(key: ApiKey, site_url: string): EmailMessage {
  return {
    kind: 'api_key_revoked_by_operator',
    dedupe_key: `api_key_revoked_by_operator:${key.id}`,
    subject: words`An API key of your account was revoked`,
    happened: [
      words`An operator of this service revoked an API key of your account: ${nameOf(key)}.`,
      words`Agents that used it, or a key that was made by it, no longer have access.`,
    ],
    todo: [
      words`If they still need access, make a new key.`,
      words`If you did not ask for this, tell us: ${site_url}`,
    ],
  }
}

function nameOf({ key_prefix, name }: ApiKey): string {
  return name === null ? `${key_prefix}...` : `${key_prefix}... ("${name}")`
}

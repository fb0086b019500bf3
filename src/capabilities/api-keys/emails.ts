// Emails to an owner about keys that an operator created or revoked, pure.
import { type EmailMessage, link, paragraph, words } from '../mail/index.ts'
import type { ApiKey } from './api-key.ts'

type NamedKey = Pick<ApiKey, 'id' | 'key_prefix' | 'name' | 'scopes'>

/** About a key that an operator created. */
export function keyCreatedEmail(key: NamedKey, site_url: string): EmailMessage {
  return {
    kind: 'api_key_made_by_operator',
    dedupe_key: `api_key_made_by_operator:${key.id}`,
    subject: words`A new API key for your account`,
    happened: [
      words`An operator of this service created an API key for your account: ${nameOf(key)}.`,
      words`Its scopes: ${key.scopes.join(', ')}.`,
    ],
    todo: [
      words`If you asked for it, you do not need to do anything.`,
      words`If you did not, revoke it and contact us: ${link(site_url)}`,
    ],
  }
}

/** About a key that an operator revoked, with its descendants. */
export function keyRevokedEmail(key: NamedKey, site_url: string): EmailMessage {
  return {
    kind: 'api_key_revoked_by_operator',
    dedupe_key: `api_key_revoked_by_operator:${key.id}`,
    subject: words`An API key of your account was revoked`,
    happened: [
      words`An operator of this service revoked an API key of your account: ${nameOf(key)}.`,
      words`Agents that used it, or a key created with it, no longer have access.`,
    ],
    todo: [
      paragraph(
        words`If they still need access, create a new key.`,
        words`If you did not ask for this, contact us: ${link(site_url)}`,
      ),
    ],
  }
}

function nameOf({ key_prefix, name }: NamedKey): string {
  return name === null ? `${key_prefix}...` : `${key_prefix}... ("${name}")`
}

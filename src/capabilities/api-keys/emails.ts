// Emails to an owner about keys that an operator created or revoked, and about new secrets. Pure.
import type { Caller } from '../../app.ts'
import { button, type EmailMessage, link, paragraph, words } from '../mail/index.ts'
import type { ApiKey } from './api-key.ts'

type NamedKey = Pick<ApiKey, 'id' | 'key_prefix' | 'name' | 'scopes'>

/** Notifies the owner of a key that an operator created. */
export function keyCreatedEmail(key: NamedKey, site_url: string): EmailMessage {
  return {
    kind: 'api_key_made_by_operator',
    dedupe_key: `api_key_made_by_operator:${key.id}`,
    subject: words`A new API key for your account`,
    happened: [
      words`An operator of this service created an API key for your account: ${nameOf(key)}.`,
      words`It has these scopes: ${key.scopes.join(', ')}.`,
    ],
    todo: [
      words`If you asked for this key, you do not need to do anything.`,
      words`If you did not, revoke the key and contact us: ${link(site_url)}`,
    ],
  }
}

/** Notifies the owner of a key that an operator revoked, with its descendants. */
export function keyRevokedEmail(key: NamedKey, site_url: string): EmailMessage {
  return {
    kind: 'api_key_revoked_by_operator',
    dedupe_key: `api_key_revoked_by_operator:${key.id}`,
    subject: words`One of your API keys was revoked`,
    happened: [
      words`An operator of this service revoked one of your API keys: ${nameOf(key)}.`,
      words`Agents that used it, or a key that was created with it, no longer have access.`,
    ],
    todo: [
      paragraph(
        words`If they still need access, create a new key.`,
        words`If you did not ask for this, contact us: ${link(site_url)}`,
      ),
    ],
  }
}

type RotatedKey = { id: number | bigint; key_prefix: string; name: string | null }
type Rotation = { by: Caller; at: Date; dashboard_url: string }

/**
 * Notifies the owner of a new secret that the key did not give itself. A program that rotates one
 * key again and again causes one mail in an hour.
 */
export function keyRotatedEmail(key: RotatedKey, rotation: Rotation): EmailMessage {
  const { by, at, dashboard_url } = rotation
  const time = at.toISOString()
  const once =
    by.kind === 'api_key' || by.kind === 'oauth_client'
      ? `${by.kind === 'api_key' ? by.key_id : by.grant_id}:${time.slice(0, 13)}`
      : time
  return {
    kind: 'api_key_rotated',
    dedupe_key: `api_key_rotated:${key.id}:${once}`,
    subject: words`The secret of one of your API keys was replaced`,
    happened: [
      words`The secret of the API key ${nameOf(key)} was replaced by ${rotatorOf(by)}.`,
      words`The old secret no longer works. Keys that were created with this key stay valid.`,
    ],
    todo: [
      words`If you expected this, you do not need to do anything.`,
      paragraph(
        words`If you did not, revoke the key and the key or app that replaced its secret, and`,
        words`change your password.`,
      ),
      button(words`Open API keys`, `${dashboard_url}/api-keys`),
    ],
  }
}

function rotatorOf(by: Caller): string {
  switch (by.kind) {
    case 'api_key':
      return by.label === null ? 'another API key' : `the API key "${by.label}"`
    case 'oauth_client':
      return `the app "${by.label}"`
    case 'customer':
      return 'someone who was logged in to your account'
    case 'operator':
    case 'customer_tool':
    case 'anonymous':
      return 'this service'
  }
}

function nameOf({ key_prefix, name }: Pick<NamedKey, 'key_prefix' | 'name'>): string {
  return name === null ? `${key_prefix}...` : `${key_prefix}... ("${name}")`
}

// The API key of the dashboard's instructions for MCP clients: one for each account, made at its
// creation and rotated in place by its owner.
import type { App, Call } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { type ApiKeyId, type CustomerId, newSecret } from '../../kit/random.ts'
import { lockCustomer } from '../account/index.ts'
import { apiKeyPrefix, type KeyMaker, usualScopes } from './api-key.ts'
import { insertKey, keyForMcp, notifyRevoked, replaceSecret } from './api-keys.sql.ts'
import { notifyOfRotation } from './notify-of-rotation.ts'

const name = 'MCP'
type KeyParts = Pick<App, 'settings' | 'clock' | 'authentications'>
/** A new key with its secret, which is returned nowhere else. */
type McpKey = { api_key: string; key_id: ApiKeyId; key_prefix: string }

/** The first characters of the account's key, or null if it has none. */
export async function mcpKeyPrefix(sql: Sql, customer_id: CustomerId): Promise<string | null> {
  return (await sql.maybe(keyForMcp, { customer_id }))?.key_prefix ?? null
}

/** Creates the key with the scopes that a key gets by default. */
export async function createMcpKey(
  { settings, clock }: KeyParts,
  sql: Sql,
  { customer_id, made_by }: { customer_id: CustomerId; made_by: KeyMaker },
): Promise<McpKey> {
  const secret = newSecret(apiKeyPrefix(settings.environment))
  const row = await sql.one(insertKey, {
    customer_id,
    parent_key_id: null,
    key_hash: secret.hash,
    key_prefix: secret.shown_prefix,
    name,
    scopes: [...usualScopes],
    expires_at: null,
    oauth_grant_id: null,
    for_mcp: true,
    made_by,
    created_at: clock.now(),
  })
  return { api_key: secret.value, key_id: row.id, key_prefix: row.key_prefix }
}

/**
 * Gives it a new secret: its id, name, scopes and limits stay, and the old secret is rejected at
 * once on every node. Creates it where the account has none, or its owner revoked it.
 */
export async function rotateMcpKey(app: KeyParts, call: Call): Promise<McpKey> {
  const { sql, customer_id } = call
  // Serializes rotations: the second finds the key that the first created.
  await lockCustomer(sql, customer_id)
  const old = await sql.maybe(keyForMcp, { customer_id })
  if (!old) return createMcpKey(app, sql, { customer_id, made_by: 'owner' })
  const secret = newSecret(apiKeyPrefix(app.settings.environment))
  const { id, scopes } = old
  const key_prefix = secret.shown_prefix
  const replaced = { customer_id, id, key_hash: secret.hash, key_prefix, name: null, scopes }
  await sql.one(replaceSecret, replaced)
  app.authentications.invalidate()
  await sql.one(notifyRevoked, { subject: customer_id })
  await notifyOfRotation(app, call, { id, key_prefix, name })
  return { api_key: secret.value, key_id: id, key_prefix }
}

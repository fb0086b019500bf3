// API keys: authentication of agents, and the operations on keys.

import type { Sql } from '../../db/database.ts'
import type { Params } from '../../db/statement.ts'
import type { CustomerId } from '../../kit/random.ts'
import { listApiKeys } from './api-key.ts'
import { notifyRevoked, revokeAllOfCustomer } from './api-keys.sql.ts'
import { createApiKey } from './create-key.ts'
import { flushLastUses } from './last-uses/flush-last-uses.job.ts'
import { revokeApiKey } from './revoke-key.ts'
import { rotateApiKey } from './rotate-key.ts'
import { updateApiKey } from './update-key.ts'

export { apiKeyPrefix, askedForScopes } from './api-key.ts'
export {
  type AuthenticatorParts,
  authenticateApiKeys,
  explainApiKeys,
  type RefusalReader,
  type TokenReader,
  type TokenRefusal,
} from './authentication.ts'
export { AuthenticationCache } from './authentication-cache.ts'
export { writeLastUses } from './last-uses/flush-last-uses.job.ts'
export { newLastUses } from './last-uses/last-uses.ts'
export { createMcpKey, mcpKeyPrefix, rotateMcpKey } from './mcp-key.ts'

export const operations = [createApiKey, listApiKeys, updateApiKey, revokeApiKey, rotateApiKey]
export const jobs = [flushLastUses]

/** Revokes all keys of an account, in the transaction that ends its access. */
export async function revokeAllKeys(
  sql: Sql,
  params: Params<'api_keys_revoke_all_of_customer'>,
): Promise<void> {
  await sql.count(revokeAllOfCustomer, params)
}

/**
 * Makes every node purge its authentication cache; call it in the transaction that revokes access.
 */
export async function notifyAccessRevoked(sql: Sql, customer_id: CustomerId): Promise<void> {
  await sql.one(notifyRevoked, { subject: customer_id })
}

// API keys: authentication of agents and operators, and the operations on keys.
import type { Sql } from '../../db/database.ts'
import { listApiKeys } from './api-key.ts'
import { notifyRevoked } from './api-keys.sql.ts'
import { createApiKey } from './create-key.ts'
import { flushUsesJob } from './flush-key-uses.job.ts'
import { revokeApiKey } from './revoke-key.ts'
import { rotateApiKey } from './rotate-key.ts'

export { apiKeyPrefix, askedForScopes } from './api-key.ts'
export {
  AuthenticationCache,
  type AuthenticatorParts,
  authenticateApiKeys,
  authenticateOperators,
  explainApiKeys,
  LastUses,
  type RefusalReader,
  type TokenReader,
  type TokenRefusal,
} from './authentication.ts'
export { createMcpKey, mcpKeyPrefix, rotateMcpKey } from './mcp-key.ts'
export { ensureOperatorKey, operatorKeyPrefix } from './operator-key.ts'

export const operations = [createApiKey, listApiKeys, revokeApiKey, rotateApiKey]
export const jobs = [flushUsesJob]

/**
 * Makes every node purge its authentication cache; call it in the transaction that revokes access.
 */
export async function notifyAccessRevoked(sql: Sql, customer_id: string): Promise<void> {
  await sql.one(notifyRevoked, { subject: customer_id })
}

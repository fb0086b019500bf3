// The api-keys room: how agents show who they are, and how operators do.
import type { Sql } from '../../db/database.ts'
import { tellRevoked } from './api-keys.sql.ts'
import { createApiKey } from './create-key.ts'
import { flushUsesJob } from './flush-key-uses.job.ts'
import { listApiKeys } from './list-keys.ts'
import { revokeApiKey } from './revoke-key.ts'
import { rotateApiKey } from './rotate-key.ts'

export { apiKeyPrefix } from './api-key.ts'
export {
  type AuthenticatorParts,
  authenticateApiKeys,
  authenticateOperators,
  type TokenReader,
} from './authenticate-api-key.ts'
export { accessOf } from './key-cache.ts'
export { ensureOperatorKey, operatorKeyPrefix } from './operator-key.ts'

export const operations = [createApiKey, listApiKeys, revokeApiKey, rotateApiKey]
export const jobs = [flushUsesJob]

/**
 * Makes every node ask the database again who a customer's tokens are; in the transaction that ends
 * an access.
 */
export async function tellAccessRevoked(sql: Sql, customer_id: string): Promise<void> {
  await sql.one(tellRevoked, [customer_id])
}

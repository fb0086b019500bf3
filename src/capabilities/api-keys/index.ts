// The api-keys room: how agents show who they are, and how operators do.
import type { Sql } from '../../db/database.ts'
import { createApiKey } from './create.ts'
import { flushUsesJob } from './flush-uses.job.ts'
import { listApiKeys } from './list.ts'
import { revokeApiKey } from './revoke.ts'
import { rotateApiKey } from './rotate.ts'
import { tellRevoked } from './store.ts'

export { accessOf } from './access.ts'
export { apiKeyPrefix } from './domain.ts'
export { ensureOperatorKey, operatorKeyPrefix } from './operator-key.ts'
export {
  type RecogniserParts,
  recogniseApiKeys,
  recogniseOperators,
  type TokenReader,
} from './recognise.ts'

export const operations = [createApiKey, listApiKeys, revokeApiKey, rotateApiKey]
export const jobs = [flushUsesJob]

/**
 * Makes every node ask the database again who a customer's tokens are; in the transaction that ends
 * an access.
 */
export async function tellAccessRevoked(sql: Sql, customer_id: string): Promise<void> {
  await sql.one(tellRevoked, [customer_id])
}

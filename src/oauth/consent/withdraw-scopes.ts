// Withdrawal of scopes: the client loses scopes that its owner is asked for again and does not
// allow, in its earlier consents too, with their tokens and API keys (decision 49).

import { type App, scopes as serviceScopes } from '../../app.ts'
import { notifyAccessRevoked } from '../../capabilities/api-keys/index.ts'
import type { Sql } from '../../db/database.ts'
import type { CustomerId, GrantId } from '../../kit/random.ts'
import {
  revokeEmptyGrants,
  withdrawFromGrants,
  withdrawFromKeys,
  withdrawFromModels,
} from '../storage/grants.sql.ts'

type Refused = {
  customer_id: CustomerId
  client_id: string
  /** The new consent. */
  grant_id: GrantId
  /** The scopes that were requested and not allowed. */
  scopes: readonly string[]
}

/**
 * Withdraws the scopes and returns the ids of the consents that lost some. It locks in the same
 * order as a changed password.
 */
export async function withdrawScopes(
  app: Pick<App, 'authentications' | 'clock'>,
  sql: Sql,
  { customer_id, client_id, grant_id, scopes: refused }: Refused,
): Promise<string[]> {
  if (refused.length === 0) return []
  const scopes = [...refused]
  const narrowed = await sql.run(withdrawFromGrants, {
    ...{ customer_id, client_id, scopes },
    except_id: grant_id,
  })
  if (narrowed.length === 0) return []
  const grant_ids = narrowed.map(({ id }) => id)
  await sql.count(withdrawFromModels, { grant_ids, scopes })
  await sql.count(withdrawFromKeys, { customer_id, grant_ids, scopes })
  const now = app.clock.now()
  await sql.count(revokeEmptyGrants, { grant_ids, now, service_scopes: [...serviceScopes] })
  app.authentications.invalidate()
  await notifyAccessRevoked(sql, customer_id)
  return grant_ids
}

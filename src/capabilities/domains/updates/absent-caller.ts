// A key or an app for which the service acts without a request: for an approved request, or for the
// revert of an unconfirmed change.
import { type CustomerCaller, foldScopes } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { ApiKeyId, CustomerId, GrantId } from '../../../kit/random.ts'
import { grantOfApproval, keyOfApproval } from '../../approvals/index.ts'
import { callerLimitsOf } from '../../limits/index.ts'

type Credential = {
  customer_id: CustomerId
  api_key_id: ApiKeyId | null
  oauth_grant_id: GrantId | null
}

/**
 * The caller as it would be authenticated now, since its scopes and limits may have changed.
 * Undefined if it has ended.
 */
export async function absentCaller(
  sql: Pick<Sql, 'maybe'>,
  { customer_id, api_key_id, oauth_grant_id }: Credential,
): Promise<CustomerCaller | undefined> {
  const held = (of: readonly string[]) => new Set(foldScopes(of))
  if (api_key_id !== null) {
    const key = await sql.maybe(keyOfApproval, { api_key_id, customer_id })
    return (
      key && {
        ...{ kind: 'api_key', customer_id, suspended: key.suspended },
        ...{ key_id: key.id, label: key.name, scopes: held(key.scopes) },
        limits: callerLimitsOf(key.limits),
      }
    )
  }
  const grant = await sql.maybe(grantOfApproval, {
    grant_id: oauth_grant_id ?? '',
    customer_id,
  })
  return (
    grant && {
      ...{ kind: 'oauth_client', customer_id, suspended: grant.suspended },
      ...{ grant_id: grant.id, client_id: grant.client_id, label: grant.client_name },
      ...{ scopes: held(grant.scopes), limits: callerLimitsOf(grant.limits) },
    }
  )
}

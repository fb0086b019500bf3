// A key or an app that the service acts for without a request of it: an approved one, or the way
// back of an unconfirmed change.
import { type CustomerCaller, foldScopes } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { grantOfApproval, keyOfApproval } from '../../approvals/index.ts'
import { callerLimitsOf } from '../../limits/index.ts'

type Credential = {
  customer_id: string
  api_key_id: bigint | null
  oauth_grant_id: string | null
}

/**
 * As it would be authenticated now: its scopes and limits may have changed. Undefined: it has
 * ended.
 */
export async function absentCaller(
  sql: Pick<Sql, 'maybe'>,
  { customer_id, api_key_id, oauth_grant_id }: Credential,
): Promise<CustomerCaller | undefined> {
  const held = (of: readonly string[]) => new Set(foldScopes(of))
  if (api_key_id !== null) {
    const key = await sql.maybe(keyOfApproval, { id: api_key_id, customer_id })
    return (
      key && {
        ...{ kind: 'api_key', customer_id, suspended: key.suspended },
        ...{ key_id: key.id, label: key.name, scopes: held(key.scopes) },
        limits: callerLimitsOf(key.limits),
      }
    )
  }
  const grant = await sql.maybe(grantOfApproval, { id: oauth_grant_id ?? '', customer_id })
  return (
    grant && {
      ...{ kind: 'oauth_client', customer_id, suspended: grant.suspended },
      ...{ grant_id: grant.id, client_id: grant.client_id, label: grant.client_name },
      ...{ scopes: held(grant.scopes), limits: callerLimitsOf(grant.limits) },
    }
  )
}

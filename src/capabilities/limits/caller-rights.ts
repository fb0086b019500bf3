// The rights of a caller at this moment, by its credential's own row: what a call that waited for
// an outside party is checked by again, right before its effect (decision 94).

import { type Caller, sharedScopes } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import type { ApprovalId, DomainName } from '../../kit/random.ts'
import { callerLimitsOf } from './caller-limits.ts'
import {
  rightsOfGrant,
  rightsOfKey,
  rightsOfOperator,
  rightsOfSession,
} from './caller-rights.sql.ts'

type Asked = {
  /**
   * The domain that the call is about, in lower-case A-labels, or null if there is none or it is to
   * be bought.
   */
  domain: DomainName | null
  /**
   * The approval of a request that the service makes for the caller, or null if the caller makes
   * it.
   */
  approval_id: ApprovalId | null
}

export type PresentRights = {
  /** The caller as it would be authenticated now, with no scope that it lacked before. */
  caller: Caller
  /** Whether the owner protects the domain. */
  protected: boolean
  /** Whether the approval has not ended; true if there is none. */
  approved: boolean
}

const all = { protected: false, approved: true }

/** Undefined if its credential has ended, or its account is closed. */
export async function presentRights(
  sql: Pick<Sql, 'maybe'>,
  caller: Caller,
  asked: Asked,
): Promise<PresentRights | undefined> {
  switch (caller.kind) {
    case 'anonymous':
    case 'customer_tool':
      return { caller, ...all }
    case 'operator': {
      const { key_id, session_id = null } = caller
      return (await sql.maybe(rightsOfOperator, { key_id, session_id })) && { caller, ...all }
    }
    case 'customer': {
      const row = await sql.maybe(rightsOfSession, { id: caller.session_id, ...asked })
      return row && { ...row, caller: { ...caller, suspended: row.suspended } }
    }
    case 'api_key': {
      const { key_id: id, key_hash = null } = caller
      return narrowed(caller, await sql.maybe(rightsOfKey, { id, key_hash, ...asked }))
    }
    case 'oauth_client':
      return narrowed(caller, await sql.maybe(rightsOfGrant, { id: caller.grant_id, ...asked }))
  }
}

type Agent = Extract<Caller, { kind: 'api_key' | 'oauth_client' }>
type AgentRow = Omit<PresentRights, 'caller'> & {
  suspended: boolean
  scopes: readonly string[]
  limits: Parameters<typeof callerLimitsOf>[0]
}

function narrowed(caller: Agent, row: AgentRow | undefined): PresentRights | undefined {
  if (!row) return undefined
  const scopes = new Set(sharedScopes(caller.scopes, row.scopes))
  const { suspended, approved } = row
  const limits = callerLimitsOf(row.limits)
  return { caller: { ...caller, suspended, scopes, limits }, protected: row.protected, approved }
}

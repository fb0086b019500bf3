// The party that asked for a waiting change of name servers, in whose name it is made, with the
// rights that it has at that moment.
import {
  type App,
  type Call,
  type CustomerCaller,
  type EffectOf,
  holdsScope,
  type PresentRight,
  scopes,
} from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { Row } from '../../../../db/statement.ts'
import { accountSuspended, insufficientScope } from '../../../../errors/faults.ts'
import { requestChanged } from '../../../approvals/index.ts'
import { auditRowOf, systemCall } from '../../../audit/index.ts'
import { isVisibleDomain, presentRights } from '../../../limits/index.ts'
import { ownerOfChange } from '../../dns/unconfirmed/confirmation.sql.ts'
import { domainNotFound } from '../../faults.ts'
import { absentCaller } from '../absent-caller.ts'
import { waitingById } from './waiting.sql.ts'

export type WaitingChange = Row<'waiting_nameservers_by_id'>

/** Undefined if it has ended, or if the password has changed. A session acts for the owner. */
async function makerOf(
  sql: Pick<Sql, 'maybe'>,
  waiting: WaitingChange,
): Promise<CustomerCaller | undefined> {
  const { customer_id, session_id, created_at } = waiting
  if (session_id === null) return absentCaller(sql, waiting)
  const owner = await presentOwner(sql, waiting)
  if (!owner) return undefined
  const session = { session_id, signed_in_at: created_at, scopes: new Set(scopes) }
  return { kind: 'customer', customer_id, suspended: owner.suspended, ...session }
}

async function presentOwner(sql: Pick<Sql, 'maybe'>, waiting: WaitingChange) {
  const { customer_id, domain, created_at: since } = waiting
  const owner = await sql.maybe(ownerOfChange, { customer_id, domain, since })
  return owner?.new_password ? undefined : owner
}

/** Undefined if its right has ended for good. */
export async function callOfWaiting(app: App, waiting: WaitingChange): Promise<Call | undefined> {
  const caller = await makerOf(app.db, waiting)
  if (!caller) return undefined
  const action = 'update_nameservers'
  const call = systemCall(app, action)
  const { agent_identifier } = call
  return {
    ...call,
    ...{ caller, customer_id: waiting.customer_id },
    assertStillAllowed: (effect = {}) => assertStillAllowed(app, { caller, waiting }, effect),
    auditRow: (facts) =>
      auditRowOf(
        {
          ...{ entry_point: 'job', action: facts.action ?? action },
          ...{ caller, agent_identifier, now: app.clock.now() },
        },
        facts,
      ),
  }
}

type Making = { caller: CustomerCaller; waiting: WaitingChange }

/** Throws the fault that the same request would get now, and requestChanged if it was replaced. */
async function assertStillAllowed(
  app: App,
  { caller, waiting }: Making,
  { sql = app.db }: EffectOf,
): Promise<PresentRight> {
  const { id, domain } = waiting
  if (!(await sql.maybe(waitingById, { id }))) throw requestChanged()
  if (caller.kind === 'customer') {
    const owner = await presentOwner(sql, waiting)
    if (!owner) throw requestChanged()
    if (owner.suspended) throw accountSuspended()
    return { protected: owner.protected, records_free: false }
  }
  const now = await presentRights(sql, caller, { domain, approval_id: null })
  if (!now) throw requestChanged()
  if ('suspended' in now.caller && now.caller.suspended) throw accountSuspended()
  if ('scopes' in now.caller && !holdsScope(now.caller.scopes, 'domains:write'))
    throw insufficientScope({ facts: { required_scope: 'domains:write' } })
  if (!isVisibleDomain(now.caller, domain)) throw domainNotFound()
  return { protected: now.protected, records_free: false }
}

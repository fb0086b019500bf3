// The maker of an unconfirmed change, in whose name the service reverts it, with the rights that it
// has at that moment.
import {
  type App,
  type Call,
  type Caller,
  type CustomerCaller,
  type EffectOf,
  holdsScope,
  type PresentRight,
  type Scope,
  scopes,
} from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { Row } from '../../../../db/statement.ts'
import { accountSuspended, insufficientScope } from '../../../../errors/faults.ts'
import { auditRowOf, systemCall } from '../../../audit/index.ts'
import {
  isVisibleDomain,
  presentRights,
  recordsNeedNoApproval,
  requireRecordsAllowed,
} from '../../../limits/index.ts'
import { domainNotFound } from '../../faults.ts'
import { absentCaller } from '../../updates/absent-caller.ts'
import { ownerOfChange } from './confirmation.sql.ts'
import type { MakerColumns } from './confirmation.ts'
import { ChangeStays } from './kept.ts'

export type Confirmation = Row<'dns_confirmations_of_change'>

/** A change that waits, and its maker. */
type Made = MakerColumns & Pick<Confirmation, 'customer_id' | 'domain' | 'created_at'>

/**
 * The maker with its present scopes and limits. Throws ChangeStays if it has ended. A session acts
 * for the owner, whose right does not end with it.
 */
async function makerOf(sql: Pick<Sql, 'maybe'>, confirmation: Made): Promise<CustomerCaller> {
  const { customer_id, session_id, created_at } = confirmation
  if (session_id === null) {
    const caller = await absentCaller(sql, confirmation)
    if (!caller) throw new ChangeStays('maker_right_ended')
    return caller
  }
  const { suspended } = await presentOwner(sql, confirmation)
  const session = { session_id, signed_in_at: created_at, scopes: new Set(scopes) }
  return { kind: 'customer', customer_id, suspended, ...session }
}

/** The call in whose name the change is reverted. */
export async function callOfMaker(
  app: App,
  confirmation: Made,
  { action, scope }: { action: string; scope: Scope },
): Promise<Call> {
  const caller = await makerOf(app.db, confirmation)
  const call = systemCall(app, action)
  const { agent_identifier } = call
  return {
    ...call,
    ...{ caller, customer_id: confirmation.customer_id },
    assertStillAllowed: (effect = {}) =>
      assertStillAllowed(app, { caller, confirmation, scope }, effect),
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

type Making = { caller: CustomerCaller; confirmation: Made; scope: Scope }

/** Throws the fault that the same change would get now. No address is checked, as it has none. */
async function assertStillAllowed(
  app: App,
  { caller, confirmation, scope }: Making,
  { sql = app.db, records = [] }: EffectOf,
): Promise<PresentRight> {
  const { domain } = confirmation
  const now = await presentMaker(sql, { caller, confirmation })
  if ('suspended' in now.caller && now.caller.suspended) throw accountSuspended()
  if ('scopes' in now.caller && !holdsScope(now.caller.scopes, scope))
    throw insufficientScope({ facts: { required_scope: scope } })
  if (!isVisibleDomain(now.caller, domain)) throw domainNotFound()
  requireRecordsAllowed(now.caller, records)
  return { protected: now.protected, records_free: recordsNeedNoApproval(now.caller) }
}

type Present = { caller: Caller; protected: boolean }

async function presentMaker(
  sql: Pick<Sql, 'maybe'>,
  { caller, confirmation }: Omit<Making, 'scope'>,
): Promise<Present> {
  if (caller.kind === 'customer') {
    const { suspended, protected: is_protected } = await presentOwner(sql, confirmation)
    return { caller: { ...caller, suspended }, protected: is_protected }
  }
  const asked = { domain: confirmation.domain, approval_id: null }
  const now = await presentRights(sql, caller, asked)
  if (!now) throw new ChangeStays('maker_right_ended')
  return now
}

async function presentOwner(sql: Pick<Sql, 'maybe'>, confirmation: Made) {
  const { customer_id, domain, created_at: since } = confirmation
  const owner = await sql.maybe(ownerOfChange, { customer_id, domain, since })
  if (!owner) throw new ChangeStays('maker_right_ended')
  if (owner.new_password) throw new ChangeStays('new_password')
  return owner
}

// The end of every log-in: the session, and the audit row in its owner's log. The caller was
// anonymous until now, so the row is not that of the call.
import { type App, type Call, type Caller, Reply, scopes } from '../../../app.ts'
import { customerById } from '../../account/index.ts'
import { auditRowOf, storeAuditRow } from '../../audit/index.ts'
import { notePlace } from '../passwords/passwords.sql.ts'
import { giveSession } from './session-cookie.ts'

type LoggedIn = Parameters<typeof giveSession>[2] & {
  suspended: boolean
  action: string
  metadata?: Record<string, unknown>
}

/**
 * Runs in a transaction. Undefined when the password was changed since it was checked, or the
 * account was closed.
 */
export async function logInReply(
  app: App,
  call: Call,
  { suspended, action, metadata = {}, ...wanted }: LoggedIn,
) {
  const { sql, entry_point, agent_identifier, address } = call
  const { customer_id } = wanted
  const now = app.clock.now()
  const session = await giveSession(app, call, wanted)
  const customer = session && (await customerById(sql, customer_id))
  if (!session || !customer) return undefined
  const { session_id } = session
  const caller: Caller = {
    kind: 'customer',
    customer_id,
    suspended,
    session_id,
    signed_in_at: now,
    scopes: new Set(scopes),
  }
  const context = { entry_point, action, caller, agent_identifier, now }
  const facts = { target_type: 'session', target: String(session_id), status_code: 200, metadata }
  await storeAuditRow(sql, auditRowOf(context, facts))
  if (wanted.password_changed_at === null)
    await sql.count(notePlace, { customer_id, address, last_at: now })
  return new Reply({ customer, ...session.fields }, session.headers)
}

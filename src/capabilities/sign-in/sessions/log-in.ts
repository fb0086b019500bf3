// Log-in: creates a session for the password of an account.
import Type from 'typebox'
import { anyone, type Caller, operation, Reply, scopes } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { customerById, customerResponse } from '../../account/index.ts'
import { auditRowOf, storeAuditRow } from '../../audit/index.ts'
import { tooManyTries, wrongCredentials } from '../faults.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { emailField, givenPassword } from '../schemas.ts'
import { giveSession, sessionField, sessionGiven } from './session-cookie.ts'

export const logIn = operation({
  name: 'log_in',
  does: 'Log in with e-mail address and password.',
  more:
    'The token is a bearer token with every scope, for the owner of the account; agents use API ' +
    'keys or OAuth. It expires seven days after the log-in, or after a day without a call.',
  at: 'POST /v1/dashboard/login',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({ email: emailField, password: givenPassword, ...sessionField.takes }),
  in: sessionField.in,
  gives: Type.Object(
    { customer: customerResponse, ...sessionGiven },
    { title: 'DashboardLoginResponse' },
  ),
  fails: [wrongCredentials, tooManyTries],
  effect: 'own',
  async run({ email, password, x_session }, call, app) {
    const reading = new FieldReader()
    const address = { email: reading.email('email', email), address: call.address }
    reading.finish()
    const checked = await checkPassword(app, { ...address, password })
    if (checked.kind === 'limited') throw tooManyTries({ retry_after_s: checked.retry_after_s })
    if (checked.kind === 'wrong') throw wrongCredentials()
    const { customer_id, suspended, password_changed_at } = checked
    const { entry_point, agent_identifier } = call
    const now = app.clock.now()
    return app.db.transaction(async (sql) => {
      const wanted = { customer_id, password_changed_at, x_session }
      const session = await giveSession(app, { ...call, sql }, wanted)
      const customer = session && (await customerById(sql, customer_id))
      if (!session || !customer) throw wrongCredentials()
      const { session_id } = session
      // Authenticated by now, though not by a token: the audit row is the owner's.
      const caller: Caller = {
        kind: 'customer',
        customer_id,
        suspended,
        session_id,
        signed_in_at: now,
        scopes: new Set(scopes),
      }
      const context = { entry_point, action: 'log_in', caller, agent_identifier, now }
      const facts = { target_type: 'session', target: String(session_id), status_code: 200 }
      await storeAuditRow(sql, auditRowOf(context, facts))
      return new Reply({ customer, ...session.fields }, session.headers)
    })
  },
})

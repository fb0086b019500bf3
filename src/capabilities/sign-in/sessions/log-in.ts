// Log-in: creates a session for the password of an account.
import Type from 'typebox'
import { anyone, type Caller, operation, scopes } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { dateTime, oneOf } from '../../../kit/schema.ts'
import { customerById, customerResponse } from '../../account/index.ts'
import { auditRowOf, storeAuditRow } from '../../audit/index.ts'
import { tooManyTries, wrongCredentials } from '../faults.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { emailField, givenPassword } from '../schemas.ts'
import { beginSession } from './sessions.ts'

export const logIn = operation({
  name: 'log_in',
  does: 'Log in with e-mail address and password.',
  more:
    'The token is a bearer token with every scope, for the owner of the account; agents use API ' +
    'keys or OAuth. It expires seven days after the log-in, or after a day without a call.',
  at: 'POST /v1/dashboard/login',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({ email: emailField, password: givenPassword }),
  gives: Type.Object(
    {
      customer: customerResponse,
      access_token: Type.String({ description: 'ses_ and 40 characters. Shown only here.' }),
      token_type: oneOf(['Bearer']),
      expires_at: dateTime('When it expires at the latest.'),
    },
    { title: 'DashboardLoginResponse' },
  ),
  fails: [wrongCredentials, tooManyTries],
  effect: 'own',
  async run({ email, password }, call, app) {
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
      const place = { agent: agent_identifier, address: call.address }
      const session = await beginSession(app, sql, { customer_id, password_changed_at, ...place })
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
      const { access_token, expires_at } = session
      return {
        customer,
        access_token,
        token_type: 'Bearer',
        expires_at: expires_at.toISOString(),
      } as const
    })
  },
})

// Log-in: creates a session for the password of an account.
import Type from 'typebox'
import { anyone, operation } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { customerResponse } from '../../account/index.ts'
import { tooManyTries, wrongCredentials } from '../faults.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { emailField, givenPassword } from '../schemas.ts'
import { logInReply } from './log-in-reply.ts'
import { sessionField, sessionGiven } from './session-cookie.ts'

export const logIn = operation({
  name: 'log_in',
  does: 'Log in with email address and password.',
  more:
    'The token is a bearer token with every scope, for the owner of the account; agents use API ' +
    'keys or OAuth. It expires seven days after the log-in, or after a day without a call.',
  at: 'POST /v1/dashboard/login',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object(
    { email: emailField, password: givenPassword, ...sessionField.takes },
    { title: 'DashboardLoginRequest' },
  ),
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
    const facts = { customer_id, suspended, password_changed_at, x_session, action: 'log_in' }
    const reply = await app.db.transaction((sql) => logInReply(app, { ...call, sql }, facts))
    if (!reply) throw wrongCredentials()
    return reply
  },
})

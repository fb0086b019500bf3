// Sign-up, first step. The response and the work are the same whether or not an account has the
// address: it is not looked up here, but by the job (answer-sign-ups.job.ts).
import Type from 'typebox'
import { anyone, operation, Reply } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { newId } from '../../kit/random.ts'
import { nullable } from '../../kit/schema.ts'
import { admit } from '../../rate-limits/leaky-buckets.ts'
import { storeAuditRow } from '../audit/index.ts'
import {
  emailField,
  hashForNetwork,
  newPassword,
  rememberRequest,
  requireAcceptablePassword,
  signInBusy,
  signUpBuckets,
  tooManyTries,
} from '../sign-in/index.ts'
import { invitationNeeded, signUpClosed } from './faults.ts'
import { requireSignUp, signUpStart, startOf } from './sign-up-request.ts'
import { insertSignUp, notifySignUps } from './sign-ups.sql.ts'

export const signUp = operation({
  name: 'sign_up',
  does: 'Sign up: request a mail with a code and a link that create the account.',
  more:
    'The answer is the same whether or not an account has that address; its owner gets another ' +
    'mail. The code is valid for this sign-up only, for ten minutes and five attempts. Signing ' +
    'up accepts the terms that GET /v1/dashboard/signup/config names.',
  at: 'POST /v1/dashboard/register',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object(
    {
      email: emailField,
      password: newPassword,
      name: Type.String({ minLength: 1, maxLength: 200, description: 'A person or a team.' }),
      company_name: Type.Optional(
        nullable(Type.String({ maxLength: 200, description: 'The company, if any.' })),
      ),
    },
    { title: 'DashboardRegisterRequest' },
  ),
  gives: signUpStart,
  status: 202,
  fails: [signUpClosed, invitationNeeded, tooManyTries, signInBusy],
  effect: 'own',
  async run(input, call, app) {
    const { address, user_agent: agent, auditRow } = call
    requireSignUp(app)
    const reading = new FieldReader()
    const email = reading.mailbox('email', input.email)
    const name = reading.line('name', input.name)
    const company_name = reading.optionalLine('company_name', input.company_name)
    reading.finish()
    await requireAcceptablePassword('password', input.password, email)
    const { wait_s } = await admit(app.db, signUpBuckets({ email, address }))
    if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
    // This is done for every address, also one whose account has a password.
    const password_hash = await hashForNetwork(app, { password: input.password, address })
    const { terms_version } = app.settings
    const now = app.clock.now()
    const id = newId('sgn', now.getTime())
    const start = startOf({ id, email }, now)
    const expires_at = new Date(start.expires_at)
    const facts = { id, email, name, company_name, password_hash, terms_version, address, agent }
    // The row is in no customer's audit log, since the caller is anonymous and the address is not
    // looked up here.
    const target = { target_type: 'sign_up', target: id, customer_id: null, status_code: 202 }
    await app.db.transaction(async (sql) => {
      await sql.count(insertSignUp, { ...facts, created_at: now, expires_at })
      await sql.one(notifySignUps)
      await storeAuditRow(sql, auditRow(target))
    })
    return new Reply(start, rememberRequest(app, call, id))
  },
})

// Log-in of an operator's browser: exchanges a key for a short session in a cookie.
import Type from 'typebox'
import { type App, anyone, type Call, type Caller, operation, Reply } from '../../../app.ts'
import { hashSecret, newSecret } from '../../../kit/random.ts'
import { oneOf } from '../../../kit/schema.ts'
import { admit, giveBack } from '../../../rate-limits/leaky-buckets.ts'
import { auditRowOf, storeAuditRow } from '../../audit/index.ts'
import { operatorLogInBuckets, tooManyTries } from '../../sign-in/index.ts'
import { wrongOperatorKey } from '../faults.ts'
import { longest_ms, operatorSessionPrefix } from './authenticate-session.ts'
import { operatorCookie } from './session-cookie.ts'
import { operatorSession, operatorSessionOf } from './session-response.ts'
import { insertOperatorSession } from './sessions.sql.ts'

export const logInOperator = operation({
  name: 'log_in_operator',
  does: 'Log in to the pages of operators with an operator key.',
  more:
    'The session is in an HttpOnly cookie. It ends after 30 minutes without a call, after eight ' +
    'hours, and when its key is revoked or rotated. Programs send the key itself.',
  at: 'POST /v1/operator/login',
  area: 'Operators',
  who: anyone(),
  takes: Type.Object({
    operator_key: Type.String({ minLength: 1, maxLength: 512, description: 'The key: op_...' }),
    x_session: oneOf(['operator'], { description: 'The cookie is for pages of this service.' }),
  }),
  in: { x_session: 'header' },
  gives: operatorSession,
  fails: [wrongOperatorKey, tooManyTries],
  effect: 'own',
  async run({ operator_key }, call, app) {
    const counted = operatorLogInBuckets(call.address)
    // Counted before the check: concurrent attempts would all be within the limit otherwise.
    const { wait_s, taken } = await admit(app.db, counted)
    if (wait_s > 0)
      throw tooManyTries({ retry_after_s: wait_s, hint: 'Try again after Retry-After.' })
    const token = newSecret(operatorSessionPrefix)
    const body = await begin(app, call, { key_hash: hashSecret(operator_key), token })
    if (!body) throw wrongOperatorKey()
    await giveBack(app.db, taken)
    return new Reply(body, { 'Set-Cookie': operatorCookie(app.settings, token.value) })
  },
})

type Begun = { key_hash: Buffer; token: { hash: Buffer } }

/** Undefined for a key that is unknown or revoked. */
function begin(app: App, call: Call, { key_hash, token }: Begun) {
  const { entry_point, agent_identifier, user_agent: agent, address } = call
  const now = app.clock.now()
  const expires_at = new Date(now.getTime() + longest_ms)
  const session = { key_hash, token_hash: token.hash, now, expires_at, agent, address }
  return app.db.transaction(async (sql) => {
    const row = await sql.maybe(insertOperatorSession, session)
    if (!row) return undefined
    const { label, operator_key_id: key_id, id } = row
    const caller: Caller = { kind: 'operator', key_id, label, session_id: id }
    const context = { entry_point, action: 'log_in_operator', caller, agent_identifier, now }
    const facts = { target_type: 'operator_session', target: String(id), status_code: 200 }
    await storeAuditRow(sql, auditRowOf(context, facts))
    return operatorSessionOf(caller, { last_used_at: now, expires_at })
  })
}

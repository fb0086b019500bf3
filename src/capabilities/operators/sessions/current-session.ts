// Reads the calling operator's session, and ends it (log-out).
import Type from 'typebox'
import { operation, operatorOnly, Reply } from '../../../app.ts'
import { notifyAccessRevoked } from '../../api-keys/index.ts'
import { operatorCookie } from './session-cookie.ts'
import { operatorSession, operatorSessionOf } from './session-response.ts'
import { endOperatorSession, operatorSessionById } from './sessions.sql.ts'

export const getOperatorSession = operation({
  name: 'get_operator_session',
  does: 'Read the name of the calling operator, and when the session expires.',
  at: 'GET /v1/operator/session',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({}),
  gives: operatorSession,
  fails: [],
  effect: 'none',
  async run(_input, { caller, sql }) {
    if (caller.kind !== 'operator') throw new Error('The pipeline admits operators alone')
    const id = caller.session_id
    const row = id === undefined ? undefined : await sql.maybe(operatorSessionById, { id })
    return operatorSessionOf(caller, row ?? null)
  },
})

export const logOutOperator = operation({
  name: 'log_out_operator',
  does: "Log out of the pages of operators: the browser's session ends.",
  more: 'With a key there is no session, and nothing ends.',
  at: 'POST /v1/operator/logout',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({}),
  gives: Type.Null(),
  status: 204,
  fails: [],
  effect: 'transaction',
  target: () => ({ target_type: 'operator_session', target: null }),
  async run(_input, { caller, sql }, app) {
    const id = caller.kind === 'operator' ? caller.session_id : undefined
    if (id === undefined) return null
    await sql.count(endOperatorSession, { id, ended_at: app.clock.now() })
    app.authentications.invalidate()
    await notifyAccessRevoked(sql, 'operator')
    return new Reply(null, { 'Set-Cookie': operatorCookie(app.settings, null) })
  },
})

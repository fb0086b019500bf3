// Session revocation: one of the caller's sessions by its id, or the calling one (log-out).
import Type from 'typebox'
import { type App, type Call, operation, ownerInPerson } from '../../../app.ts'
import { sessionRequired } from '../../account/index.ts'
import { notifyAccessRevoked } from '../../api-keys/index.ts'
import { sessionNotFound } from '../faults.ts'
import { anySession, endSessionOfId } from './sessions.sql.ts'

export const endSession = operation({
  name: 'end_session',
  does: 'Revoke a session. Its token is rejected immediately.',
  more: 'A session that has ended already gives the same response.',
  at: 'DELETE /v1/account/sessions/{id}',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    id: Type.Integer({ description: 'The id of the session, from the list of sessions.' }),
  }),
  gives: Type.Null(),
  status: 204,
  fails: [sessionRequired, sessionNotFound],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'session', target: String(id) }),
  async run({ id }, call, app) {
    const found = await call.sql.maybe(anySession, {
      customer_id: call.customer_id,
      id: BigInt(id),
    })
    if (!found) throw sessionNotFound()
    await stopSession(app, call, found.id)
    return null
  },
})

export const logOut = operation({
  name: 'log_out',
  does: 'Revoke the session that this call uses.',
  at: 'POST /v1/dashboard/logout',
  area: 'Dashboard',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: Type.Null(),
  status: 204,
  fails: [sessionRequired],
  effect: 'transaction',
  target: () => ({ target_type: 'session', target: null }),
  async run(_input, call, app) {
    await stopSession(app, call, sessionOf(call))
    return null
  },
})

/** Ends it on every node. */
async function stopSession(app: App, call: Call, id: bigint): Promise<void> {
  await call.sql.count(endSessionOfId, {
    customer_id: call.customer_id,
    id,
    ended_at: app.clock.now(),
  })
  app.authentications.invalidate()
  await notifyAccessRevoked(call.sql, call.customer_id)
}

/** The calling session. Throws sessionRequired, which the pipeline has checked already. */
export function sessionOf({ caller }: Call): bigint {
  if (caller.kind !== 'customer') throw sessionRequired()
  return caller.session_id
}

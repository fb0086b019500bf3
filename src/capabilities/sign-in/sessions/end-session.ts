// DELETE one of the caller's sessions.
import Type from 'typebox'
import { type App, type Call, operation, ownerInPerson } from '../../../app.ts'
import { sessionRequired } from '../../account/index.ts'
import { accessOf, tellAccessRevoked } from '../../api-keys/index.ts'
import { sessionNotFound } from '../faults.ts'
import { anySession, endSessionOfId } from './sessions.sql.ts'

export const endSession = operation({
  name: 'end_session',
  does: 'End a session: its token is good no more.',
  more: 'One that ended already is answered alike.',
  at: 'DELETE /v1/account/sessions/{id}',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({ id: Type.Integer({ description: 'The session, as in their list.' }) }),
  gives: Type.Null(),
  status: 204,
  fails: [sessionRequired, sessionNotFound],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'session', target: String(id) }),
  async run({ id }, call, app) {
    const found = await call.sql.maybe(anySession, [call.customer_id, BigInt(id)])
    if (!found) throw sessionNotFound()
    await stopSession(app, call, found.id)
    return null
  },
})

/** Ends it on every node. */
export async function stopSession(app: App, call: Call, id: bigint): Promise<void> {
  await call.sql.count(endSessionOfId, [call.customer_id, id, app.clock.now()])
  accessOf(app.db).endSoon()
  await tellAccessRevoked(call.sql, call.customer_id)
}

/** The session that calls. Throws sessionRequired, which the entrance has said already. */
export function sessionOf({ caller }: Call): bigint {
  if (caller.kind !== 'customer') throw sessionRequired()
  return caller.session_id
}

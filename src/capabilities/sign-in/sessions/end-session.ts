// Session revocation: one of the caller's sessions by its id, or the calling one (log-out).
import Type from 'typebox'
import { type App, type Call, operation, ownerInPerson } from '../../../app.ts'
import { hashSecret } from '../../../kit/random.ts'
import { sessionRequired } from '../../account/index.ts'
import { sessionNotFound } from '../faults.ts'
import { consentCookies, loggedOutReply } from './session-cookie.ts'
import { anySession, endConsentLogIn, logOutInteractions } from './sessions.sql.ts'
import { stopSession } from './sessions.ts'

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
    call.note({ agent: found.agent })
    await stopSession(app, call.sql, { customer_id: call.customer_id, session_id: found.id })
    return null
  },
})

export const logOut = operation({
  name: 'log_out',
  does: 'Revoke the session that this call uses.',
  more: 'It logs the browser out of the consent page, too.',
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
    const { customer_id } = call
    await stopSession(app, call.sql, { customer_id, session_id: sessionOf(call) })
    await logOutOfConsent(app, call)
    return loggedOutReply(app, call)
  },
})

/**
 * The session's cookies are of this origin, so a log-in by password at the consent page ends as
 * well (decision 46).
 */
async function logOutOfConsent({ clock, settings }: App, { sql, cookies }: Call): Promise<void> {
  const names = consentCookies(settings)
  const id = cookies.get(names.session)
  const ended_at = clock.now()
  if (id !== undefined) await sql.count(endConsentLogIn, { id_hash: hashSecret(id), ended_at })
  const prefix = `${names.interaction}s.`
  const open = [...cookies.keys()].filter((name) => name.startsWith(prefix))
  if (open.length === 0) return
  const id_hashes = open.map((name) => hashSecret(name.slice(prefix.length)))
  await sql.count(logOutInteractions, { id_hashes })
}

/** The calling session. Throws sessionRequired, which the pipeline has checked already. */
export function sessionOf({ caller }: Call): bigint {
  if (caller.kind !== 'customer') throw sessionRequired()
  return caller.session_id
}

// Lists the active sessions of the caller's account.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../../app.ts'
import { dateTime } from '../../../kit/schema.ts'
import { limitField } from '../../../lists/paging.ts'
import { sessionRequired } from '../../account/index.ts'
import { sessionOf } from './end-session.ts'
import { liveSessions, type SessionRow } from './sessions.sql.ts'
import { endOf, idle_ms } from './sessions.ts'

const session = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the session, by which it is revoked.' }),
    current: Type.Boolean({ description: 'Whether this call uses the session.' }),
    created_at: dateTime('When it was created.'),
    signed_in_at: dateTime('When the password was last entered in it.'),
    last_used_at: dateTime('When it was last used, a few seconds late.'),
    expires_at: dateTime('When it expires if it is not used again.'),
    agent: Type.String({ description: 'The User-Agent that logged in.' }),
    address: Type.String({
      description: 'The network of the caller: an IPv4 address, or an IPv6 /64.',
    }),
  },
  { title: 'SessionResponse' },
)

export const listSessions = operation({
  name: 'list_sessions',
  does: 'List the active sessions, newest first.',
  at: 'GET /v1/account/sessions',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    limit: limitField({
      default: 100,
      description: 'The number of sessions to list. An account has at most 100.',
    }),
  }),
  gives: Type.Object({ sessions: Type.Array(session) }, { title: 'ListSessionsResponse' }),
  fails: [sessionRequired],
  effect: 'none',
  async run({ limit }, call, app) {
    const now = app.clock.now()
    const since = new Date(now.getTime() - idle_ms)
    const rows = await call.sql.run(liveSessions, {
      customer_id: call.customer_id,
      now,
      used_since: since,
      limit,
    })
    const current = sessionOf(call)
    return { sessions: rows.map((row) => sessionResponseOf(row, current)) }
  },
})

function sessionResponseOf(row: SessionRow, current: bigint) {
  return {
    id: Number(row.id),
    current: row.id === current,
    created_at: row.created_at.toISOString(),
    signed_in_at: row.signed_in_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: endOf(row).toISOString(),
    agent: row.agent,
    address: row.address,
  }
}

// POST a log-out: the session that calls ends.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../../app.ts'
import { sessionRequired } from '../../account/index.ts'
import { sessionOf, stopSession } from './end-session.ts'

export const logOut = operation({
  name: 'log_out',
  does: 'End the session that this call is made with.',
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

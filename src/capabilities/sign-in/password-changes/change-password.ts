// Password change by the owner in person: with the current password, or right after a log-in.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../../app.ts'
import { customerById, sessionRequired } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { passwordNeeded, signInBusy, tooManyTries, wrongPassword } from '../faults.ts'
import { confirmOwner } from '../passwords/confirm-owner.ts'
import { givenPassword, newPassword, passwordSet, requireAcceptablePassword } from '../schemas.ts'
import { recordSignIn } from '../sessions/sessions.sql.ts'
import { hashPassword, setPassword } from './set-password.ts'

export const changePassword = operation({
  name: 'change_password',
  does: "Change the account's password.",
  more:
    'Other sessions end, and so does the access of OAuth clients; API keys stay. ' +
    '"current_password" may be left out within ten minutes of the log-in. The owner is ' +
    'notified by mail.',
  at: 'POST /v1/account/password',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object(
    {
      current_password: Type.Optional(givenPassword),
      new_password: newPassword,
    },
    { title: 'DashboardPasswordChangeRequest' },
  ),
  gives: Type.Object(passwordSet, { title: 'DashboardPasswordChangeResponse' }),
  fails: [sessionRequired, passwordNeeded, wrongPassword, tooManyTries, signInBusy],
  effect: 'own',
  target: () => ({ target_type: 'password', target: null }),
  async run({ current_password, new_password }, call, app) {
    const { caller, customer_id } = call
    if (caller.kind !== 'customer') throw sessionRequired()
    const email = (await customerById(app.db, customer_id))?.email ?? ''
    await requireAcceptablePassword('new_password', new_password, email)
    const given = current_password === undefined ? null : { email, password: current_password }
    await confirmOwner(app, call, { caller, given })
    const hash = await hashPassword(app, { password: new_password, account: customer_id })
    return app.db.transaction(async (sql) => {
      const done = await setPassword(app, sql, { customer_id, hash, but: caller.session_id })
      await call.assertStillAllowed({ sql })
      const signed_in_at = given ? app.clock.now() : caller.signed_in_at
      const live = await sql.maybe(recordSignIn, {
        customer_id,
        id: caller.session_id,
        signed_in_at,
      })
      // The session was ended meanwhile.
      if (!live) throw sessionRequired()
      await storeAuditRow(
        sql,
        call.auditRow({
          target_type: 'password',
          target: null,
          status_code: 200,
          metadata: { sessions_ended: done.sessions_ended, by: given ? 'password' : 'log_in' },
        }),
      )
      return done
    })
  },
})

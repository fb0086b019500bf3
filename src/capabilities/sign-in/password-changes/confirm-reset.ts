// Password reset, second step: sets a new password with the mailed link's token, or the code.
import Type from 'typebox'
import { type App, anyone, type Call, operation } from '../../../app.ts'
import { giveBack } from '../../../rate-limits/leaky-buckets.ts'
import { verifyEmail } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { bucketsEmptiedByReset, codeBuckets } from '../brute-force-limits.ts'
import { linkNotGood, signInBusy, tooManyTries } from '../faults.ts'
import { codeOrToken, codeOrTokenFields, requestOfCode } from '../mailed-codes.ts'
import { notePlace } from '../passwords/passwords.sql.ts'
import { newPassword, passwordSet, requireAcceptablePassword } from '../schemas.ts'
import { tryCode, uncountAttempt, useLink } from './links.sql.ts'
import { openLink } from './links.ts'
import { hashPassword, setPassword } from './set-password.ts'

const takes = Type.Object(
  {
    reset_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The id that the request returned.',
      }),
    ),
    ...codeOrTokenFields,
    password: newPassword,
  },
  { title: 'DashboardPasswordResetConfirmRequest' },
)

export const confirmPasswordReset = operation({
  name: 'confirm_password_reset',
  does: 'Set a new password with a mailed code or link.',
  more:
    'Send either "reset_id" and "code", or "token". All sessions and the access of OAuth clients ' +
    'end; API keys stay. The owner is notified by mail. Log in with the new password afterwards.',
  at: 'POST /v1/dashboard/password-reset/confirm',
  area: 'Dashboard',
  who: anyone(),
  takes,
  gives: Type.Object(
    { email: Type.String({ description: 'The address to log in with.' }), ...passwordSet },
    { title: 'DashboardPasswordResetConfirmResponse' },
  ),
  fails: [linkNotGood, tooManyTries, signInBusy],
  effect: 'own',
  target: () => ({ target_type: 'password', target: null }),
  async run(input, call, app) {
    const shown = codeOrToken({ ...input, id: input.reset_id }, 'reset_id')
    await requireAcceptablePassword('password', input.password)
    const link =
      'token' in shown ? await openLink(app, shown.token) : await linkOfCode(app, call, shown)
    if (!link) throw linkNotGood()
    await requireAcceptablePassword('password', input.password, link.email)
    const hash = await hashPassword(app, { password: input.password, account: link.email })
    const done = await app.db.transaction(async (sql) => {
      const used = await sql.maybe(useLink, { id: link.id, now: app.clock.now() })
      if (!used) throw linkNotGood()
      const { customer_id, kind } = used
      const done = await setPassword(app, sql, { customer_id, hash, but: null })
      // Possession of the mail proves the address: the caller is the owner here.
      const now = app.clock.now()
      await verifyEmail(sql, { customer_id, now })
      await sql.count(notePlace, { customer_id, address: call.address, last_at: now })
      const row = call.auditRow({
        target_type: 'password',
        target: null,
        customer_id,
        status_code: 200,
        metadata: { by: 'token' in shown ? `${kind}_link` : 'mailed_digits', ...done },
      })
      await storeAuditRow(sql, row)
      return { email: link.email, ...done }
    })
    // It is counted afterwards, since a failed attempt must not wait for a transaction.
    await giveBack(app.db, [], bucketsEmptiedByReset({ email: link.email, address: call.address }))
    return done
  },
})

/** Fails in the same way for a request whose address has no account. */
function linkOfCode(app: App, { address }: Call, shown: { id: string; code: string }) {
  const { id } = shown
  return requestOfCode(app, shown, {
    count: () => app.db.maybe(tryCode, { id, now: app.clock.now(), address }),
    uncount: () => app.db.count(uncountAttempt, { id }),
    bucketsOf: (link) => codeBuckets({ ...link, address }),
  })
}

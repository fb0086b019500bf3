// Password reset, second step: sets a new password with the mailed link's token, or the code.
import Type, { type Static } from 'typebox'
import { type App, anyone, type Call, operation } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { giveBack, take } from '../../../rate-limits/leaky-buckets.ts'
import { verifyEmail } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { codeBuckets, forgivenByMail } from '../brute-force-limits.ts'
import { linkNotGood, signInBusy, tooManyTries } from '../faults.ts'
import { notePlace } from '../passwords/passwords.sql.ts'
import { hashPassword, setPassword } from '../passwords/set-password.ts'
import { newPassword, passwordSet, requireGoodPassword } from '../schemas.ts'
import { takeTryBack, tryCode, useLink } from './links.sql.ts'
import { isCode, macOf, openLink } from './links.ts'

const takes = Type.Object({
  reset_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'As the request returned it.' }),
  ),
  code: Type.Optional(
    Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of its mail.' }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The token of the mailed link, in place of both.',
    }),
  ),
  password: newPassword,
})
type Input = Static<typeof takes>

export const confirmPasswordReset = operation({
  name: 'confirm_password_reset',
  does: 'Set a new password with a mailed code or link.',
  more:
    'Either "reset_id" and "code", or "token". All sessions and the access of OAuth clients end; ' +
    'API keys stay. The owner is notified by mail. Log in with the new password afterwards.',
  at: 'POST /v1/dashboard/password-reset/confirm',
  area: 'Dashboard',
  who: anyone(),
  takes,
  gives: Type.Object(
    { email: Type.String({ description: 'To log in with.' }), ...passwordSet },
    { title: 'DashboardPasswordResetConfirmResponse' },
  ),
  fails: [linkNotGood, tooManyTries, signInBusy],
  effect: 'own',
  target: () => ({ target_type: 'password', target: null }),
  async run(input, call, app) {
    const shown = shownOf(input)
    await requireGoodPassword('password', input.password)
    const link = 'token' in shown ? await openLink(app, shown.token) : await tried(app, call, shown)
    if (!link) throw linkNotGood()
    await requireGoodPassword('password', input.password, link.email)
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
    // Afterwards: a failed attempt must not wait for a transaction.
    await giveBack(app.db, [], forgivenByMail({ email: link.email, address: call.address }))
    return done
  },
})

type Shown = { token: string } | { id: string; code: string }

/** Throws InvalidInput unless exactly one of the two ways is given, complete. */
function shownOf({ token, reset_id, code }: Input): Shown {
  if (token !== undefined && reset_id === undefined && code === undefined) return { token }
  if (token === undefined && reset_id !== undefined && code !== undefined)
    return { id: reset_id, code }
  const msg = 'Either "token", or both "reset_id" and "code" are needed'
  throw new InvalidInput([{ path: [], msg, type: 'value_error' }])
}

type Link = { id: string; email: string }

/**
 * The request that the code belongs to. Counted before it is checked, and alike for a request whose
 * address has no account. Throws tooManyTries.
 */
async function tried(
  app: App,
  call: Call,
  { id, code }: { id: string; code: string },
): Promise<Link | undefined> {
  const link = await app.db.maybe(tryCode, { id, now: app.clock.now(), address: call.address })
  const mac = macOf(app, { id, code })
  if (!link) return undefined
  const buckets = codeBuckets({ ...link, address: call.address })
  const wait_s = await take(app.db, buckets)
  if (wait_s > 0) {
    await app.db.count(takeTryBack, { id })
    throw tooManyTries({ retry_after_s: wait_s })
  }
  if (!isCode(link.code_mac, mac)) return undefined
  await giveBack(app.db, buckets)
  await app.db.count(takeTryBack, { id })
  return link
}

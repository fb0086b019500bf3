// Account linking: an identity with the verified address of an account is linked only when its
// owner confirms it, with the password or a mailed code, in the browser that started.
import Type from 'typebox'
import { type App, anyone, type Call, operation, Reply } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import { dateTime } from '../../kit/schema.ts'
import { take } from '../../rate-limits/leaky-buckets.ts'
import { verifyEmail } from '../account/index.ts'
import { storeAuditRow } from '../audit/index.ts'
import { customerMail, secretMail } from '../mail/index.ts'
import {
  checkPassword,
  linkCodeBuckets,
  linkMailBuckets,
  logInReply,
  macOf,
  newCode,
  rememberRequest,
  requestOfCode,
  resend_s,
  tooManyTries,
  wrongPassword,
} from '../sign-in/index.ts'
import { code_ms } from '../sign-up/index.ts'
import { browserOf } from './browser.ts'
import { identityEmail, linkCodeEmail } from './emails.ts'
import { identityExists, linkCodeNotValid, ticketNotValid } from './faults.ts'
import { providerName } from './provider-call.ts'
import {
  insertIdentity,
  linkOfTicket,
  type OpenLink,
  putLinkCode,
  tryLinkCode,
  uncountLinkAttempt,
  useLinking,
} from './sso.sql.ts'

export const linkPrefix = 'slk_'
export const link_ms = 10 * 60_000
export const mostIdentities = 20

export const mailLinkCode = operation({
  name: 'mail_sso_link_code',
  does: 'Mail a code that links an identity to the account that has its email address.',
  more: 'With "link.ticket" of 409 sso_link_needed. A new code replaces the previous one.',
  at: 'POST /v1/dashboard/sso/link-code',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({
    ticket: Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The ticket of the link to confirm.',
    }),
  }),
  gives: Type.Object(
    {
      email: Type.String({ description: 'The address that the mail goes to.' }),
      expires_at: dateTime('When the code expires.'),
      resend_after: dateTime('When another may be requested.'),
    },
    { title: 'DashboardSocialLinkCodeResponse' },
  ),
  status: 202,
  fails: [ticketNotValid, tooManyTries],
  effect: 'own',
  async run({ ticket }, call, app) {
    const link = await openLinkOf(app, { ticket, browser_hash: browserOf(app, call) })
    const { id, customer_id, email } = link
    const now = app.clock.now()
    const after = (ms: number) => new Date(now.getTime() + ms)
    const wait_s = await take(app.db, linkMailBuckets({ customer_id, address: call.address }))
    if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
    const code = newCode()
    const expires_at = after(code_ms)
    await app.db.transaction(async (sql) => {
      await sql.count(putLinkCode, {
        id,
        code_mac: macOf(app, { id, code }),
        code_expires_at: expires_at,
      })
      const provider_name = providerName(app, link.provider)
      const message = linkCodeEmail({ id, code, provider_name, expires_at })
      await secretMail(app, sql, { customer_id, message })
      const facts = { target_type: 'sso_log_in', target: id, customer_id, status_code: 202 }
      await storeAuditRow(sql, call.auditRow(facts))
    })
    const resend_after = after(resend_s * 1_000).toISOString()
    const body = { email, expires_at: expires_at.toISOString(), resend_after }
    return new Reply(body, rememberRequest(app, call, id))
  },
})

type Shown = { ticket: string; browser_hash: Buffer | undefined }

/** Throws ticketNotValid. */
async function openLinkOf(app: App, { ticket, browser_hash }: Shown): Promise<OpenLink> {
  const link =
    browser_hash && isWellFormedSecret(linkPrefix, ticket)
      ? await app.db.maybe(linkOfTicket, {
          link_hash: hashSecret(ticket),
          browser_hash,
          now: app.clock.now(),
        })
      : undefined
  if (!link) throw ticketNotValid()
  return link
}

type Confirming = Shown & {
  password?: string
  code?: string
  x_session?: 'cookie'
}
type Confirmed = { by: 'password' | 'mailed_digits'; password_changed_at: Date | null }

/** Links the identity and logs in. The ticket stays valid after a wrong password or code. */
export async function confirmLink(app: App, call: Call, given: Confirming) {
  const link = await openLinkOf(app, given)
  const { password, code } = given
  if ((password === undefined) === (code === undefined)) {
    const msg = 'Either "password" or "code" is needed to link the identity'
    throw new InvalidInput([{ path: [], msg, type: 'value_error' }])
  }
  const confirmed =
    password === undefined
      ? await byCode(app, call, { link, code: code ?? '' })
      : await byPassword(app, call, { link, password })
  return app.db.transaction((sql) =>
    store(app, { ...call, sql }, { link, confirmed, x_session: given.x_session }),
  )
}

async function byPassword(
  app: App,
  { address }: Call,
  { link: { email, customer_id }, password }: { link: OpenLink; password: string },
): Promise<Confirmed> {
  const checked = await checkPassword(app, { email, password, address })
  if (checked.kind === 'limited') throw tooManyTries({ retry_after_s: checked.retry_after_s })
  if (checked.kind === 'wrong' || checked.customer_id !== customer_id) throw wrongPassword()
  return { by: 'password', password_changed_at: checked.password_changed_at }
}

async function byCode(
  app: App,
  { address }: Call,
  { link: { id, email }, code }: { link: OpenLink; code: string },
): Promise<Confirmed> {
  const request = await requestOfCode(
    app,
    { id, code },
    {
      count: () => app.db.maybe(tryLinkCode, { id, now: app.clock.now() }),
      uncount: () => app.db.count(uncountLinkAttempt, { id }),
      bucketsOf: () => linkCodeBuckets({ email, address }),
    },
  )
  if (!request) throw linkCodeNotValid()
  return { by: 'mailed_digits', password_changed_at: null }
}

type Storing = { link: OpenLink; confirmed: Confirmed; x_session: 'cookie' | undefined }

async function store(app: App, call: Call, { link, confirmed, x_session }: Storing) {
  const { sql } = call
  const { customer_id, suspended, provider, issuer, subject, identity_email } = link
  const now = app.clock.now()
  if (!(await sql.maybe(useLinking, { id: link.id, now }))) throw ticketNotValid()
  const identity = { customer_id, provider, issuer, subject, email: identity_email }
  const row = await sql.maybe(insertIdentity, { ...identity, now, most: mostIdentities })
  if (!row) throw identityExists()
  // The provider has verified it, and the owner has confirmed the identity.
  await verifyEmail(sql, { customer_id, now })
  const provider_name = providerName(app, provider)
  const facts = { id: row.id, provider_name, done: 'linked', at: now } as const
  await customerMail(sql, customer_id, identityEmail({ ...facts, settings: app.settings }))
  const { by, password_changed_at } = confirmed
  const metadata = { by: `link_with_${by}`, provider, identity: Number(row.id) }
  const owner = { customer_id, suspended, password_changed_at, x_session }
  const audited = { ...owner, action: 'exchange_sso_ticket', metadata }
  const reply = await logInReply(app, call, audited)
  if (!reply) throw ticketNotValid()
  return withoutKey(reply)
}

/** A log-in creates no key. */
export function withoutKey<T extends object>({ body, headers }: Reply<T>) {
  return new Reply({ ...body, mcp_api_key: null }, headers)
}

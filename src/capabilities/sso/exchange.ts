// Exchange of a ticket: logs in with a linked identity, or creates an account for a new verified
// e-mail address. An address that has an account needs its owner's confirmation first (link.ts).
import Type, { type Static } from 'typebox'
import { type App, anyone, type Call, operation } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../../kit/random.ts'
import { customerMail } from '../mail/index.ts'
import {
  accountClosed,
  givenPassword,
  logInReply,
  mailedCode,
  sessionField,
  tooManyTries,
  wrongPassword,
} from '../sign-in/index.ts'
import {
  createAccount,
  dashboardRegisterResponse,
  invitationNeeded,
  requireSignUp,
  signUpClosed,
} from '../sign-up/index.ts'
import { browserOf } from './browser.ts'
import { ticketPrefix } from './callback.ts'
import { identityEmail } from './emails.ts'
import {
  emailNotVerified,
  identityExists,
  linkCodeNotValid,
  linkNeeded,
  otherIdentity,
  ticketNotValid,
} from './faults.ts'
import { confirmLink, link_ms, linkPrefix, mostIdentities, withoutKey } from './link.ts'
import { providerName } from './provider-call.ts'
import {
  accountOfIdentity,
  accountWithEmail,
  insertIdentity,
  noteIdentityUse,
  openLinking,
  type ProvenIdentity,
  useTicket,
} from './sso.sql.ts'

const takes = Type.Object(
  {
    ticket: Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The ticket of the callback, or that of a link to confirm ("link.ticket").',
    }),
    password: Type.Optional(givenPassword),
    code: Type.Optional(mailedCode),
    ...sessionField.takes,
  },
  { title: 'DashboardSocialExchangeRequest' },
)
type Input = Static<typeof takes>

export const exchangeSsoTicket = operation({
  name: 'exchange_sso_ticket',
  does: 'Log in or sign up with the ticket of an identity provider.',
  more:
    'A ticket is valid once, in the browser that started. Where an account already has the ' +
    'email address, the answer is 409 sso_link_needed with "link" {ticket, expires_at, ' +
    'provider, email, methods}: send that ticket with the "password" of the account, or with ' +
    'the "code" that POST /v1/dashboard/sso/link-code mails. It is valid for ten minutes. ' +
    'Signing up accepts the terms that GET /v1/dashboard/signup/config names.',
  at: 'POST /v1/dashboard/sso/exchange',
  area: 'Dashboard',
  who: anyone(),
  takes,
  in: sessionField.in,
  gives: dashboardRegisterResponse,
  fails: [
    ticketNotValid,
    otherIdentity,
    emailNotVerified,
    linkNeeded,
    linkCodeNotValid,
    wrongPassword,
    tooManyTries,
    identityExists,
    accountClosed,
    signUpClosed,
    invitationNeeded,
  ],
  effect: 'own',
  async run(input, call, app) {
    const browser_hash = browserOf(app, call)
    if (!browser_hash) throw ticketNotValid()
    if (isWellFormedSecret(linkPrefix, input.ticket))
      return confirmLink(app, call, { ...input, browser_hash })
    if (input.password !== undefined || input.code !== undefined) {
      const msg = 'A password or a code goes with the ticket of a link only'
      throw new InvalidInput([{ path: ['ticket'], msg, type: 'value_error' }])
    }
    if (!isWellFormedSecret(ticketPrefix, input.ticket)) throw ticketNotValid()
    const ticket_hash = hashSecret(input.ticket)
    // This runs outside the transaction of the log-in, since a refusal consumes the ticket, too.
    const proven = await app.db.maybe(useTicket, {
      ticket_hash,
      browser_hash,
      now: app.clock.now(),
    })
    if (!proven) throw ticketNotValid()
    return (await logIn(app, call, { proven, input })) ?? signUp(app, call, { proven, input })
  },
})

type Exchange = { proven: ProvenIdentity; input: Input }

/** Undefined if the identity is new. */
async function logIn(app: App, call: Call, { proven, input: { x_session } }: Exchange) {
  const { issuer, subject, provider, confirms_customer_id: confirmed } = proven
  const account = await app.db.maybe(accountOfIdentity, { issuer, subject })
  if (confirmed !== null && account?.customer_id !== confirmed) throw otherIdentity()
  if (!account) return undefined
  const { id, customer_id, suspended, closed } = account
  if (closed) throw accountClosed()
  return app.db.transaction(async (sql) => {
    const used = await sql.maybe(noteIdentityUse, { id, now: app.clock.now() })
    const metadata = { by: 'identity', provider, identity: Number(id) }
    const owner = { customer_id, suspended, password_changed_at: null, x_session }
    const facts = { ...owner, action: 'exchange_sso_ticket', metadata }
    const reply = used && (await logInReply(app, { ...call, sql }, facts))
    if (!reply) throw ticketNotValid()
    return withoutKey(reply)
  })
}

async function signUp(app: App, call: Call, { proven, input }: Exchange) {
  const { email, provider } = proven
  if (email === null) throw emailNotVerified()
  await refuseKnown(app, { proven, email })
  requireSignUp(app)
  const reply = await app.db.transaction(async (sql) => {
    const made = await createAccount(
      app,
      { ...call, sql },
      {
        email,
        name: proven.name ?? email.slice(0, 200),
        company_name: null,
        terms_version: app.settings.terms_version,
        password_hash: null,
        x_session: input.x_session,
        audit: {
          action: 'exchange_sso_ticket',
          status_code: 200,
          metadata: { by: 'sign_up', provider },
        },
      },
    )
    if (!made) return undefined
    const { issuer, subject } = proven
    const identity = { customer_id: made.customer_id, provider, issuer, subject, email }
    const row = await sql.maybe(insertIdentity, {
      ...identity,
      now: app.clock.now(),
      most: mostIdentities,
    })
    if (!row) throw identityExists()
    const facts = {
      id: row.id,
      provider_name: providerName(app, provider),
      done: 'linked',
    } as const
    const { clock, settings } = app
    const mail = identityEmail({ ...facts, at: clock.now(), settings })
    await customerMail(sql, made.customer_id, mail)
    return made.reply
  })
  if (reply) return reply
  // Another sign-up took the address at the same moment.
  await refuseKnown(app, { proven, email })
  throw ticketNotValid()
}

/** Throws linkNeeded, with the ways to confirm the link, if an account has the address. */
async function refuseKnown(
  app: App,
  { proven: { id, provider }, email }: { proven: ProvenIdentity; email: string },
): Promise<void> {
  const account = await app.db.maybe(accountWithEmail, { email })
  if (!account) return
  if (account.closed) throw accountClosed()
  const { value: ticket, hash: link_hash } = newSecret(linkPrefix)
  const link_expires_at = new Date(app.clock.now().getTime() + link_ms)
  await app.db.count(openLinking, { id, customer_id: account.id, link_hash, link_expires_at })
  const methods = account.has_password ? ['password', 'code'] : ['code']
  const expires_at = link_expires_at.toISOString()
  throw linkNeeded({ facts: { link: { ticket, expires_at, provider, email, methods } } })
}

// The authorization response of an identity provider (OpenID Connect Core section 3.1.2.5): proves
// an identity, and issues a ticket for it, once, to the browser that started.
import Type, { type Static } from 'typebox'
import { type App, anyone, type Call, operation, Redirect } from '../../app.ts'
import { Fault } from '../../kit/fault.ts'
import { isLine } from '../../kit/field-reader.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../../kit/random.ts'
import { dateTime } from '../../kit/schema.ts'
import { pageRoot } from '../../origins.ts'
import { storeAuditRow } from '../audit/index.ts'
import { browserOf, interactionIn, redirectUri, ticketCookieName } from './browser.ts'
import {
  providerFailed,
  providerNotFound,
  providerUnreachable,
  responseNotValid,
  ssoRefused,
  stateNotValid,
} from './faults.ts'
import { asFault, providerOf } from './provider-call.ts'
import { putTicket, useState } from './sso.sql.ts'
import { providerField, statePrefix } from './start.ts'

const ticket_ms = 60_000
export const ticketPrefix = 'stk_'
const longestName = 200
const parameter = (description: string) => Type.Optional(Type.String({ description }))

const takes = Type.Object({
  provider: providerField,
  code: parameter('The authorization code.'),
  state: parameter('The state that the start returned.'),
  iss: parameter('The issuer (RFC 9207).'),
  error: parameter('The reason why there is no code.'),
  error_description: parameter('The error in words.'),
})
type Input = Static<typeof takes>

export const finishSso = operation({
  name: 'finish_sso',
  does: 'Receive the response of an identity provider.',
  more:
    'A browser (Accept: text/html) is sent on (303) to the dashboard, with the ticket in the ' +
    'fragment of the URL; other clients get it as JSON. It is valid once, for a minute, in the ' +
    'browser that started.',
  at: 'GET /v1/dashboard/sso/{provider}/callback',
  area: 'Dashboard',
  who: anyone(),
  takes,
  // RFC 6749 section 4.1.2: a client ignores parameters that it does not know.
  open_query: true,
  gives: Type.Object(
    {
      ticket: Type.String({ description: 'The ticket for POST /v1/dashboard/sso/exchange.' }),
      expires_at: dateTime('When the ticket expires.'),
    },
    { title: 'DashboardSocialTicket' },
  ),
  fails: [
    providerNotFound,
    stateNotValid,
    ssoRefused,
    responseNotValid,
    providerFailed,
    providerUnreachable,
  ],
  effect: 'own',
  async run(input, call, app) {
    let return_to: string | null = null
    try {
      const started = await consumeState(input, call, app)
      return_to = started.return_to
      const given = await finish(input, call, { app, started })
      return call.wants_page ? sentOn(app, given, return_to) : given
    } catch (error) {
      if (!call.wants_page || !(error instanceof Fault)) throw error
      return refusedAt(app, error.type.code, return_to)
    }
  },
})

type Ticket = { ticket: string; expires_at: string }

function sentOn(app: App, { ticket }: Ticket, return_to: string | null): Redirect {
  const interaction = interactionIn(return_to)
  if (interaction !== undefined) {
    const life = `Max-Age=${ticket_ms / 1_000}; Path=/; Secure; HttpOnly; SameSite=Lax`
    const cookie = `${ticketCookieName(app, interaction)}=${ticket}; ${life}`
    return new Redirect(`${pageRoot(app.settings)}${return_to}`, { 'Set-Cookie': cookie })
  }
  const fragment = new URLSearchParams({ ticket })
  if (return_to !== null) fragment.set('return_to', return_to)
  return new Redirect(`${pageRoot(app.settings)}/dashboard/sso#${fragment}`)
}

function refusedAt(app: App, code: string, return_to: string | null): Redirect {
  const query = new URLSearchParams({ sso_error: code })
  const page = interactionIn(return_to) !== undefined ? `${return_to}&` : '/dashboard/log-in?'
  // The log-in page leads on to a path of the dashboard.
  const [, next] = /^\/dashboard(\/.+)$/.exec(return_to ?? '') ?? []
  if (next !== undefined) query.set('next', next)
  return new Redirect(`${pageRoot(app.settings)}${page}${query}`)
}

/** Consumes the state before the provider is asked, so that a response counts once. */
async function consumeState({ provider: id, state = '' }: Input, call: Call, app: App) {
  providerOf(app, id)
  const browser_hash = browserOf(app, call)
  const row =
    browser_hash && isWellFormedSecret(statePrefix, state)
      ? await app.db.maybe(useState, {
          state_hash: hashSecret(state),
          provider: id,
          browser_hash,
          now: app.clock.now(),
        })
      : undefined
  if (!row) throw stateNotValid()
  return row
}

type Started = { app: App; started: Awaited<ReturnType<typeof consumeState>> }

async function finish(
  { provider: id, ...parameters }: Input,
  call: Call,
  { app, started: row }: Started,
): Promise<Ticket> {
  const provider = providerOf(app, id)
  const { state = '' } = parameters
  const [nonce, verifier, since = ''] = app.encryption.unseal(row.sealed)?.split(' ') ?? []
  if (nonce === undefined || verifier === undefined) throw stateNotValid()
  const logged_in_since = since === '' ? null : new Date(since)
  const request = { redirect_uri: redirectUri(app, id), state, nonce, verifier, logged_in_since }
  const response = new URLSearchParams(parameters)
  const identity = await asFault(app, provider.identityOf(request, response))
  const { value: ticket, hash: ticket_hash } = newSecret(ticketPrefix)
  const expires_at = new Date(app.clock.now().getTime() + ticket_ms)
  const { issuer, subject, email } = identity
  // Core section 2: at most 255 ASCII characters.
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) throw responseNotValid()
  const name = nameIn(identity.name)
  // The row is in no customer's audit log, since only the exchange looks up whose identity it is.
  const target = { target_type: 'sso_log_in', target: row.id, customer_id: null, status_code: 200 }
  await app.db.transaction(async (sql) => {
    const answer = { issuer, subject, email, name, ticket_hash, ticket_expires_at: expires_at }
    await sql.count(putTicket, { id: row.id, ...answer })
    await storeAuditRow(sql, call.auditRow({ ...target, metadata: { provider: id } }))
  })
  return { ticket, expires_at: expires_at.toISOString() }
}

/** A name that an account may have; the database cannot store some texts. */
function nameIn(name: string | null): string | null {
  if (name === null || !isLine(name)) return null
  return name.trim().slice(0, longestName) || null
}

// The identities that are linked to the caller's account: list, link and remove.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../app.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import { dateTime, nullable } from '../../kit/schema.ts'
import { freshLogInNeeded, requireFreshLogIn, sessionRequired } from '../account/index.ts'
import { customerMail } from '../mail/index.ts'
import { lastLogIn, removingCredential } from '../sign-in/index.ts'
import { browserOf } from './browser.ts'
import { ticketPrefix } from './callback.ts'
import { identityEmail } from './emails.ts'
import { identityExists, identityNotFound, ticketNotValid } from './faults.ts'
import { mostIdentities } from './link.ts'
import { providerName } from './provider-call.ts'
import { deleteIdentity, identitiesOf, insertIdentity, useTicket } from './sso.sql.ts'

const identityResponse = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the identity, by which it is removed.' }),
    provider: Type.String({ description: 'The provider, named as in the path of single sign-on.' }),
    provider_name: Type.String({ description: 'The name of the provider for users.' }),
    issuer: Type.String({ description: 'The issuer that the identity belongs to.' }),
    email: nullable(Type.String({ description: 'The address that the provider showed.' })),
    created_at: dateTime('When it was linked.'),
    last_used_at: nullable(dateTime('When it was last used to log in.')),
  },
  { title: 'IdentityResponse' },
)

export const listIdentities = operation({
  name: 'list_identities',
  does: 'List the accounts at identity providers that can log in, newest first.',
  at: 'GET /v1/account/identities',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: Type.Object(
    { identities: Type.Array(identityResponse) },
    { title: 'ListIdentitiesResponse' },
  ),
  fails: [sessionRequired],
  effect: 'none',
  async run(_input, { sql, customer_id }, app) {
    const rows = await sql.run(identitiesOf, { customer_id })
    const identities = rows.map(({ id, created_at, last_used_at, ...row }) => ({
      ...row,
      id: Number(id),
      provider_name: providerName(app, row.provider),
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    }))
    return { identities }
  },
})

export const linkIdentity = operation({
  name: 'link_identity',
  does: "Link another identity to the caller's account, with the ticket of an identity provider.",
  more:
    'The ticket is that of the callback, as for POST /v1/dashboard/sso/exchange, which would log ' +
    'in with it instead. It is used only if the identity is linked. An account has at most ' +
    `${mostIdentities}. The owner is notified by mail.`,
  at: 'POST /v1/account/identities',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    ticket: Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The ticket of the callback.',
    }),
  }),
  gives: identityResponse,
  status: 201,
  fails: [sessionRequired, freshLogInNeeded, ticketNotValid, identityExists],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'identity',
    target: output ? String(output.id) : null,
    metadata: output ? { provider: output.provider_name } : {},
  }),
  async run({ ticket }, call, app) {
    const { customer_id, sql } = call
    requireFreshLogIn(app, call)
    const browser_hash = browserOf(app, call)
    const now = app.clock.now()
    const proven =
      browser_hash && isWellFormedSecret(ticketPrefix, ticket)
        ? await sql.maybe(useTicket, { ticket_hash: hashSecret(ticket), browser_hash, now })
        : undefined
    if (!proven) throw ticketNotValid()
    const { provider, issuer, subject, email } = proven
    const identity = { customer_id, provider, issuer, subject, email }
    const row = await sql.maybe(insertIdentity, { ...identity, now, most: mostIdentities })
    if (!row) throw identityExists()
    const provider_name = providerName(app, provider)
    const facts = { id: row.id, provider_name, done: 'linked', at: now } as const
    await customerMail(sql, customer_id, identityEmail({ ...facts, settings: app.settings }))
    const at = now.toISOString()
    const shown = { provider, provider_name, issuer, email, created_at: at, last_used_at: at }
    return { id: Number(row.id), ...shown }
  },
})

export const removeIdentity = operation({
  name: 'remove_identity',
  does: 'Remove a linked identity.',
  more:
    'It can no longer log in; sessions that it began stay. The last way to log in cannot be ' +
    'removed: set a password or register a passkey first. The owner is notified by mail.',
  at: 'DELETE /v1/account/identities/{id}',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    id: Type.Integer({ description: 'The id of the identity, from the list of identities.' }),
  }),
  gives: Type.Null(),
  status: 204,
  fails: [sessionRequired, freshLogInNeeded, identityNotFound, lastLogIn],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'identity', target: String(id) }),
  async run({ id }, call, app) {
    const { customer_id, sql } = call
    const removed = await removingCredential(app, call, async () => {
      const row = await sql.maybe(deleteIdentity, { customer_id, id: BigInt(id) })
      if (!row) throw identityNotFound()
      return row
    })
    const { clock, settings } = app
    const provider_name = providerName(app, removed.provider)
    call.note({ provider: provider_name })
    const facts = { id: BigInt(id), provider_name, done: 'removed', at: clock.now() } as const
    await customerMail(sql, customer_id, identityEmail({ ...facts, settings }))
    return null
  },
})

// Responses about customers, as support staff read them.

import Type, { type Static } from 'typebox'
import { currencies } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import { amount, dateTime, mapOf, nullable, oneOf, stringOf } from '../../../kit/schema.ts'
import { nextOffset } from '../offsets.ts'

const text = (description: string) => nullable(Type.String({ description }))
const count = (description: string) => Type.Integer({ description })
const list = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Array(schema, { description })
const maybeTime = (description: string) => nullable(dateTime(description))

const found = {
  id: Type.String({ description: '"cus_" and 26 characters.' }),
  email: Type.String({ description: 'The address that mail is sent to.' }),
  email_verified: Type.Boolean(),
  name: Type.String(),
  company_name: text('The company, if any.'),
  status: Type.String({ description: 'active, suspended or closed.' }),
  created_at: dateTime('When it was created.'),
  updated_at: dateTime('When it was last changed.'),
}

export const customerToolList = Type.Object(
  {
    customers: list(Type.Object(found, { title: 'CustomerToolCustomer' }), 'Newest first.'),
    limit: Type.Integer({ description: 'The limit of the request.' }),
    next_offset: nextOffset,
  },
  { title: 'CustomerToolList' },
)

const balance = Type.Object({
  currency: oneOf(currencies),
  available: amount('The amount that can be spent.'),
  held: amount('The amount that open orders hold.'),
  owed: amount('The part of reversed payments that was already spent.'),
  reserved: amount('The amount that the customer keeps for renewals.'),
  updated_at: dateTime('When it last changed.'),
})

const domains = Type.Object({
  total: count('Domains that the customer holds.'),
  by_status: mapOf(Type.Integer(), 'Their number for each status of a domain.'),
  next_expiry: maybeTime('The earliest expiry of these domains.'),
})

const order = Type.Object({
  id: Type.String(),
  type: Type.String({ description: 'register, renew, transfer or restore.' }),
  domain: stringOf<DomainName>(),
  registry: Type.String(),
  state: Type.String({ description: 'A parked order waits for an operator.' }),
  currency: oneOf(currencies),
  amount: amount('The amount that it holds.'),
  attempts: count('Commands that were sent.'),
  error_code: text('The error of the last attempt.'),
  alarm: text('Why an operator should look.'),
  created_at: dateTime('When it was placed.'),
  updated_at: dateTime('When it last changed.'),
})

const key = Type.Object({
  id: Type.Integer(),
  key_prefix: Type.String({ description: 'How the key begins; the rest is not stored.' }),
  name: text('Its name.'),
  scopes: Type.Array(Type.String()),
  created_at: dateTime('When it was made.'),
  last_used_at: maybeTime('When it was last used.'),
  expires_at: maybeTime('When it expires.'),
  revoked_at: maybeTime('When it was revoked.'),
})

const app = Type.Object({
  id: Type.String(),
  client_name: Type.String({ description: 'The name that the client gave itself.' }),
  redirect_host: Type.String({
    description: 'The host that its users are sent back to, or "device code" for the device flow.',
  }),
  scopes: Type.Array(Type.String()),
  created_at: dateTime('When it was connected.'),
  last_used_at: maybeTime('When it was last used.'),
})

const logIn = Type.Object({
  has_password: Type.Boolean(),
  passkeys: count('Passkeys of the account.'),
  identities: list(Type.String(), 'Identity providers that log the owner in.'),
  last_log_in_at: maybeTime('The newest log-in whose session is still kept.'),
  last_used_at: maybeTime('The last request of a session.'),
  open_sessions: count('Sessions that have not ended.'),
})

const payment = Type.Object({
  id: Type.String(),
  currency: oneOf(currencies),
  amount: amount('The amount that was credited.'),
  account: Type.String({ description: 'processor (card) or gateway.' }),
  created_at: dateTime('When it was credited.'),
})

const mail = Type.Object({
  id: Type.String(),
  kind: Type.String({ description: 'The event it is about.' }),
  subject: Type.String(),
  state: Type.String({ description: 'queued, sent or failed.' }),
  created_at: dateTime('When it was queued.'),
  ended_at: maybeTime('When it was sent, or failed.'),
})

const auditRow = Type.Object({
  id: Type.Integer(),
  created_at: dateTime('When it happened.'),
  entry_point: Type.String(),
  action: Type.String(),
  actor_type: Type.String(),
  actor_label: text('The name of the key, client or operator.'),
  target_type: text('The kind of object that it is about.'),
  target: text('The id of the object, or the name of the domain.'),
  result: Type.String(),
  status_code: nullable(Type.Integer()),
  error_code: text('The code of a refusal.'),
})

const providerClient = Type.Object({
  registry: Type.String(),
  client_id: Type.String({ description: 'The id of the contact object there.' }),
  state: Type.String({ description: 'none, active or failed.' }),
  reconciled_at: maybeTime('When the registry last accepted it.'),
})

export const customerToolProfile = Type.Object(
  {
    customer: Type.Object({
      ...found,
      default_nameservers: list(
        Type.String(),
        'If it is empty, new domains get the name servers of the service.',
      ),
    }),
    balances: list(balance, 'One for each currency that was ever used.'),
    domains,
    orders: Type.Object({
      open: count('Orders that have not ended.'),
      parked: count('The orders that wait for an operator.'),
      items: list(order, 'Parked orders first, then the newest, at most 20.'),
    }),
    api_keys: Type.Object({
      active: count('Active keys.'),
      items: list(key, 'Keys that are not revoked first, then the newest, at most 20.'),
    }),
    connected_apps: Type.Object({
      open: count('Consents that have not been revoked.'),
      items: list(app, 'The newest apps first, at most 20.'),
    }),
    log_in: logIn,
    provider_clients: list(
      providerClient,
      'The contact objects of the customer at registries and resellers.',
    ),
    counts: Type.Object({
      contacts: count('Contacts of the account.'),
      invoices: count('Invoices and credit notes.'),
      open_top_ups: count('Top-ups that wait for a payment.'),
    }),
    payments: list(payment, 'The newest payments first, at most 10.'),
    mails: list(
      mail,
      'Mails to the present address, newest first, without their texts, at most 20.',
    ),
    audit_logs: list(auditRow, "Entries of the customer's log, newest first, at most 20."),
  },
  { title: 'CustomerToolProfile' },
)
export type Profile = Static<typeof customerToolProfile>

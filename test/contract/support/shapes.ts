// The contract's own field lists, written down apart from the code.
import { auditShapes } from './audit/audit-shapes.ts'
import { bookkeepingShapes } from './billing/bookkeeping-examples.ts'
import { billingShapes } from './billing/invoice-examples.ts'
import { topUpShapes } from './billing/top-up-examples.ts'
import { dnsShapes, unconfirmedChanges } from './dns/dns-examples.ts'
import { limitShapes } from './limits/limit-shapes.ts'
import { moduleShapes } from './operators/module-shapes.ts'
import {
  currency,
  fields,
  flag,
  integer,
  list,
  moment,
  money,
  orNull,
  type Schema,
  text,
  words,
} from './shape.ts'
import { signInShapes, signUpShapes } from './sign-in-shapes.ts'

const customerId = { type: 'string', pattern: '^cus_[0-9a-hjkmnp-tv-z]{26}$' }
const amountOf = fields({ currency, amount: money })
const limits = {
  spend_limit: orNull(
    fields({
      currency,
      amount: money,
      window: words('day', 'month', 'total'),
      spent: money,
      left: money,
      until: orNull(moment),
    }),
  ),
  max_price: orNull(amountOf),
  ...{ allowed_tlds: orNull(list(text)), allowed_domains: orNull(list(text)) },
  allowed_ips: orNull(list(text)),
  ...{ approval_above: orNull(amountOf), outside_allowed: words('refuse', 'ask') },
  dns: orNull(fields({ hosts: orNull(list(text)), types: orNull(list(text)) })),
}
const limitEntry = fields({
  of: words('api_key', 'app'),
  id: text,
  name: text,
  inherited: flag,
  expires_at: orNull(moment),
  ...limits,
})
const apiKey = fields({
  ...limits,
  id: integer,
  customer_id: customerId,
  ...{ parent_key_id: orNull(integer), made_by: orNull(text) },
  key_prefix: text,
  name: orNull(text),
  scopes: list(text),
  revoked_at: orNull(moment),
  last_used_at: orNull(moment),
  created_at: moment,
})
const apiKeyCreated = fields({
  api_key: { type: 'string', pattern: '^ar_test_[0-9A-Za-z]{40}$' },
  key: apiKey,
})
const contact = fields({
  handle: text,
  name: text,
  email: text,
  company_name: orNull(text),
  address: text,
  address_line_2: orNull(text),
  city: text,
  state: text,
  country: text,
  zip: text,
  phone_country_code: text,
  phone_number: text,
  default_registrant: flag,
  default_admin: flag,
  default_technical: flag,
  default_billing: flag,
  id: integer,
})
const customer = fields({
  id: customerId,
  email: text,
  email_verified: flag,
  name: text,
  company_name: orNull(text),
  status: words('active', 'suspended', 'closed'),
  default_nameservers: list(text),
  provider_client: orNull({ type: 'object' }),
  created_at: moment,
  updated_at: moment,
})
const price = fields({
  currency,
  amount: money,
  renewal_amount: money,
  premium: flag,
  items: list(fields({ amount: money })),
})
const availability = fields({
  domains: list(
    fields({
      domain: text,
      available: orNull(flag),
      long_domain: flag,
      price: orNull(price),
      reason: orNull(
        words(
          'registered',
          'reserved',
          'premium',
          'invalid',
          'tld_not_supported',
          'registry_unreachable',
          'price_unavailable',
        ),
      ),
      checked_at: moment,
      source: orNull(words('registry', 'cache')),
    }),
  ),
})
const operation = {
  id: text,
  type: text,
  state: words('pending', 'succeeded', 'failed', 'unknown'),
  error: orNull({ type: 'object' }),
  created_at: moment,
  updated_at: moment,
}
const holding = {
  domain: text,
  domain_unicode: text,
  status: words(
    'pending',
    'active',
    'expired',
    'redemption',
    'pending_delete',
    'transfer_pending',
    'transferred_away',
    'failed',
  ),
  nameservers: list(text),
  period_years: integer,
  epp_statuses: list(text),
  rgp_statuses: list(text),
  locked: flag,
  ...{ auto_renew: flag, protected: flag },
  contacts: { type: 'object' },
  operation: orNull(fields(operation)),
  transfer: orNull(
    fields({ direction: words('out'), requested_by: text, requested_at: moment, acts_at: moment }),
  ),
  next_actions: { type: 'array' },
  registry_expiry: orNull(moment),
}
const lock = fields({ domain: text, locked: flag, epp_statuses: list(text) })
const authCode = fields({
  domain: text,
  auth_code: text,
  expires_at: moment,
  locked: flag,
  next_actions: { type: 'array' },
})
const domainStatus = fields({ ...holding, expiry: orNull(moment) })
const entry = fields({
  id: integer,
  type: words('top_up', 'hold', 'capture', 'release', 'refund', 'reversal', 'adjustment'),
  amount: money,
  currency,
  balance_after: money,
  description: text,
  domain: orNull(text),
  operation_id: orNull(text),
  checkout_id: orNull(text),
  invoice_id: orNull(integer),
  created_at: moment,
})
const parkedOrder = fields({
  ...operation,
  state: words('pending', 'accepted', 'unknown', 'parked', 'succeeded', 'failed'),
  customer_id: customerId,
  domain: text,
  alarm: orNull(text),
  currency,
  amount: money,
  attempts: integer,
  registry_shows: orNull(fields({ state: words('ours', 'theirs', 'absent', 'silent') })),
})
const sandboxFaults = fields({
  known: list(fields({ name: text, does: text })),
  armed: list(fields({ name: text })),
})
const storedMail = { mail_id: text, kind: text, to: text, subject: text, sent_at: moment }
const connectedProgram = fields({
  ...limits,
  id: text,
  client_id: text,
  client_name: text,
  redirect_host: text,
  scopes: list(text),
  resource: text,
  created_at: moment,
  last_used_at: orNull(moment),
  revoked_at: orNull(moment),
})
const noBody = {}
/** The response of each operation, by its route. */
export const shapes: Record<string, Schema> = {
  ...signInShapes,
  ...signUpShapes,
  'GET /v1/health': fields({ status: text, environment: words('sandbox', 'production') }),
  'GET /v1/account': { allOf: [customer, fields({ limits: orNull(list(limitEntry)) })] },
  'GET /v1/account/limits': fields({ limits: list(limitEntry), spendable: list(amountOf) }),
  ...limitShapes,
  'PATCH /v1/account': fields({ customer, email_verification_sent: flag }),
  'PATCH /v1/account/default-nameservers': fields({ default_nameservers: list(text) }),
  'GET /v1/account/oauth-grants': fields({
    oauth_grants: list(connectedProgram),
    next_cursor: orNull(text),
  }),
  'PATCH /v1/account/oauth-grants/{id}': connectedProgram,
  'DELETE /v1/account/oauth-grants/{id}': connectedProgram,
  'POST /v1/customers': customer,
  'GET /v1/customers/{customer_id}': customer,
  'POST /v1/customers/{customer_id}/reconcile-provider-client': customer,
  'POST /v1/customers/{customer_id}/api-keys': apiKeyCreated,
  'GET /v1/customers/{customer_id}/api-keys': list(apiKey),
  'PATCH /v1/customers/{customer_id}/api-keys/{api_key_id}': apiKey,
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/revoke': apiKey,
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/rotate': apiKeyCreated,
  'GET /v1/contact-countries': list({ type: 'object' }),
  'GET /v1/contact-states': list({ type: 'object' }),
  'POST /v1/customers/{customer_id}/contacts': contact,
  'GET /v1/customers/{customer_id}/contacts': list(contact),
  'GET /v1/customers/{customer_id}/contacts/{contact_id}': contact,
  'PATCH /v1/customers/{customer_id}/contacts/{contact_id}': contact,
  'DELETE /v1/customers/{customer_id}/contacts/{contact_id}': noBody,
  'POST /v1/domains/check': availability,
  'GET /v1/domains/check/{domain}': availability,
  'GET /v1/domains': fields({ domains: list(fields({ ...holding, expires_at: orNull(moment) })) }),
  'POST /v1/domains': domainStatus,
  'GET /v1/domains/{domain}': domainStatus,
  'POST /v1/domains/{domain}/renew': domainStatus,
  'POST /v1/domains/transfer': domainStatus,
  'POST /v1/domains/{domain}/transfer/cancel': domainStatus,
  'POST /v1/domains/{domain}/restore': domainStatus,
  'POST /v1/domains/{domain}/protect': fields({
    ...holding,
    expiry: orNull(moment),
    unconfirmed_changes: unconfirmedChanges,
  }),
  'POST /v1/domains/{domain}/unprotect': domainStatus,
  'PATCH /v1/domains/{domain}': domainStatus,
  'POST /v1/domains/{domain}/lock': lock,
  'POST /v1/domains/{domain}/unlock': lock,
  'GET /v1/domains/{domain}/transfer-auth-code': authCode,
  'POST /v1/domains/{domain}/transfer-auth-code/regenerate': authCode,
  'POST /v1/domains/{domain}/transfer/approve': domainStatus,
  'POST /v1/domains/{domain}/transfer/reject': domainStatus,
  'POST /v1/domains/{domain}/dns-record': domainStatus,
  ...dnsShapes,
  'GET /v1/operations/{id}': fields(operation),
  'GET /v1/state-model': fields({ domain_states: list(fields({ status: text, refused: {} })) }),
  'POST /v1/pricing/tlds/sync': fields({ synced_at: moment }),
  'GET /v1/pricing/tlds': fields({
    tlds: list(fields({ tld: text, register: money, renew: money, transfer: money })),
  }),
  'GET /v1/customers/{customer_id}/billing/balance': fields({
    customer_id: customerId,
    currency,
    available: money,
    held: money,
    total: money,
    updated_at: orNull(moment),
  }),
  'GET /v1/customers/{customer_id}/billing/transactions': fields({ transactions: list(entry) }),
  ...billingShapes,
  ...topUpShapes,
  ...bookkeepingShapes,
  ...moduleShapes,
  ...auditShapes,
  'GET /v1/internal/parked-orders': fields({ orders: list(parkedOrder) }),
  'POST /v1/internal/parked-orders/{id}/settle': parkedOrder,
  'POST /v1/internal/parked-orders/{id}/release': parkedOrder,
  'POST /v1/sandbox/clock': fields({ now: moment, offset_ms: integer }),
  'GET /v1/sandbox/faults': sandboxFaults,
  'POST /v1/sandbox/faults': sandboxFaults,
  'DELETE /v1/sandbox/faults': sandboxFaults,
  'GET /v1/sandbox/mailbox': fields({ mails: list(fields(storedMail)) }),
  'GET /v1/sandbox/mailbox/{mail_id}': fields({ ...storedMail, text }),
  'POST /v1/sandbox/top-ups': fields({ customer_id: customerId, currency, available: money }),
}

// A valid call of every operation, and its permitted callers: written by hand, not read from the
// code.

import { soldCode } from '../../support/other-registrar.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { parkedOrderIn } from '../../support/parked-order.ts'
import type { Answer } from '../../support/service.ts'
import { auditExamples } from './audit/audit-shapes.ts'
import { bookkeepingExamples } from './billing/bookkeeping-examples.ts'
import { billingExamples } from './billing/invoice-examples.ts'
import { topUpExamples } from './billing/top-up-examples.ts'
import { customerToolExamples } from './customer-tool/customer-tool-examples.ts'
import { dnsExamples } from './dns/dns-examples.ts'
import { eventExamples } from './events/event-examples.ts'
import { type Example, type Fixture, fresh, keyOf, must } from './fixture.ts'
import { freshConsent } from './fresh-consent.ts'
import {
  freshDomain,
  freshElsewhere,
  freshRedeemed,
  freshTransfer,
  freshWanted,
} from './fresh-domains.ts'
import { approvalExamples } from './limits/approval-examples.ts'
import { limitExamples } from './limits/limit-examples.ts'
import { supportExamples } from './messages/support-examples.ts'
import { operatorExamples } from './operators/operator-examples.ts'
import { passkeyExamples } from './passkey-examples.ts'
import { sandboxExamples } from './sandbox-examples.ts'
import {
  confirmExample,
  freshSession,
  logInExample,
  ownPassword,
  resetExample,
  sessionToEnd,
} from './sign-in-examples.ts'
import { signUpExamples } from './sign-up-examples.ts'

export type Case = {
  /**
   * public; token: any valid one; operator only; session: the owner in person; tool: the key of the
   * customer tool, in a header; or the scope that a token needs.
   */
  access: string
  /** Further scopes that it needs. */
  beside?: readonly string[]
  /**
   * Whether an operator may call it, which is true for nearly everything under
   * customers/{customer_id}.
   */
  operator: boolean
  /** A GET that changes something; other methods always do. */
  changes?: true
  /** Makes new objects for each call, if a call uses them up. */
  make: (fixture: Fixture) => Example | Promise<Example>
}

const anyone = { access: 'public', operator: true }
const operators = { access: 'operator', operator: true }
const inPerson = { access: 'session', operator: false }
const mine = (access: string) => ({ access, operator: false })
const customers = (access: string, operator = true) => ({ access, operator })
const none = () => ({})
const of = ({ id }: Fixture) => ({ path: { customer_id: id } })

export const aContact = {
  name: 'Grace Hopper',
  email: 'grace@example.net',
  address: '1 Navy Street',
  city: 'Arlington',
  state: 'Virginia',
  country: 'US',
  zip: '22202',
  phone_country_code: '1',
  phone_number: '7032255600',
}

async function freshKey(fixture: Fixture): Promise<Example> {
  const { id } = await keyOf(fixture, [])
  // Acts as if the fixture's key had made it, which a suspended account's key cannot.
  await rowsIn(fixture.registrar)(
    `update api_keys set parent_key_id = $2, ancestors = array[$2::bigint] where id = $1`,
    [id, fixture.key_id],
  )
  return { path: { customer_id: fixture.id, api_key_id: id } }
}

async function freshContact(fixture: Fixture): Promise<Example> {
  const { registrar, id } = fixture
  const options = { token: registrar.operatorKey, body: aContact }
  const { body } = await must(
    registrar.request('POST', `/v1/customers/${id}/contacts`, options),
    201,
  )
  return { path: { customer_id: id, contact_id: body.id } }
}

async function freshParked({ registrar, key }: Fixture): Promise<{ id: string }> {
  const { id } = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
  return { id }
}

export const examples: Record<string, Case> = {
  'GET /v1/health': { ...anyone, make: none },
  'GET /v1/account': { ...mine('account:read'), make: none },
  'PATCH /v1/account/default-nameservers': {
    ...mine('account:write'),
    make: () => ({ body: { default_nameservers: ['ns1.example.net', 'ns2.example.net'] } }),
  },
  'GET /v1/account/oauth-grants': {
    ...mine('keys:read'),
    make: () => ({ query: { limit: '10' } }),
  },
  'DELETE /v1/account/oauth-grants/{id}': { ...mine('keys:write'), make: freshConsent },
  ...limitExamples,
  ...approvalExamples,
  ...signUpExamples,
  'POST /v1/dashboard/login': { ...anyone, make: logInExample },
  'POST /v1/dashboard/logout': { ...inPerson, make: freshSession },
  'POST /v1/dashboard/password-reset': { ...anyone, make: resetExample },
  'POST /v1/dashboard/password-reset/confirm': { ...anyone, make: confirmExample },
  ...passkeyExamples,
  'GET /v1/account/sessions': { ...inPerson, make: freshSession },
  'DELETE /v1/account/sessions/{id}': { ...inPerson, make: sessionToEnd },
  'POST /v1/account/password': { ...inPerson, make: ownPassword },
  'POST /v1/customers/{customer_id}/password-setup': { ...operators, make: of },
  'POST /v1/customers': {
    ...operators,
    make: () => ({ body: { email: `${fresh('mail')}@example.net`, name: 'Ada Lovelace' } }),
  },
  'GET /v1/customers/{customer_id}': { ...customers('account:read'), make: of },
  'POST /v1/customers/{customer_id}/reconcile-provider-client': { ...operators, make: of },
  'POST /v1/customers/{customer_id}/api-keys': {
    ...customers('keys:write'),
    make: (fixture) => ({ ...of(fixture), body: { name: 'agent', scopes: [] } }),
  },
  'GET /v1/customers/{customer_id}/api-keys': { ...customers('keys:read'), make: of },
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/revoke': {
    ...customers('keys:write'),
    make: freshKey,
  },
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/rotate': {
    ...customers('keys:write', false),
    make: async (fixture) => ({
      ...(await freshKey(fixture)),
      body: { name: 'rotated', scopes: [] },
    }),
  },
  'GET /v1/contact-countries': { ...anyone, make: none },
  'GET /v1/contact-states': { ...anyone, make: () => ({ query: { country: 'US' } }) },
  'POST /v1/customers/{customer_id}/contacts': {
    ...customers('contacts:write'),
    make: (fixture) => ({ ...of(fixture), body: { ...aContact, company_name: 'Navy' } }),
  },
  'GET /v1/customers/{customer_id}/contacts': { ...customers('contacts:read'), make: of },
  'GET /v1/customers/{customer_id}/contacts/{contact_id}': {
    ...customers('contacts:read'),
    make: freshContact,
  },
  'PATCH /v1/customers/{customer_id}/contacts/{contact_id}': {
    ...customers('contacts:write'),
    make: async (fixture) => ({ ...(await freshContact(fixture)), body: { city: 'Richmond' } }),
  },
  'DELETE /v1/customers/{customer_id}/contacts/{contact_id}': {
    ...customers('contacts:write'),
    make: freshContact,
  },
  'POST /v1/domains/check': {
    ...anyone,
    make: () => ({ body: { domains: [`${fresh()}.com`, 'google.com'], currency: 'EUR' } }),
  },
  'GET /v1/domains/check/{domain}': {
    ...anyone,
    make: () => ({ path: { domain: `${fresh()}.com` }, query: { depth: 'quick' } }),
  },
  'GET /v1/domains': { ...mine('domains:read'), make: () => ({ query: { limit: '10' } }) },
  'GET /v1/domains/summary': { ...mine('domains:read'), make: () => ({}) },
  'POST /v1/domains': {
    ...mine('domains:purchase'),
    make: () => ({ body: { domain: `${fresh()}.com`, period_years: 1 } }),
  },
  'GET /v1/domains/{domain}': {
    ...mine('domains:read'),
    make: ({ domain }) => ({ path: { domain } }),
  },
  'POST /v1/domains/{domain}/renew': {
    ...mine('domains:purchase'),
    make: async (fixture) => ({
      path: { domain: await freshDomain(fixture) },
      body: { period_years: 1, max_price: '99.00' },
    }),
  },
  'POST /v1/domains/transfer': {
    ...mine('domains:purchase'),
    make: async (fixture) => ({
      body: { domain: await freshElsewhere(fixture), auth_code: soldCode, period_years: 1 },
    }),
  },
  'POST /v1/domains/{domain}/transfer/cancel': {
    ...mine('domains:purchase'),
    make: async (fixture) => ({ path: { domain: await freshTransfer(fixture) } }),
  },
  'POST /v1/domains/{domain}/restore': {
    ...mine('domains:purchase'),
    make: async (fixture) => ({ path: { domain: await freshRedeemed(fixture) } }),
  },
  'PATCH /v1/domains/{domain}': {
    ...mine('domains:write'),
    make: async (fixture) => ({
      path: { domain: await freshDomain(fixture) },
      body: { nameservers: ['ns1.example.net', 'ns2.example.net'], auto_renew: false },
    }),
  },
  'POST /v1/domains/{domain}/lock': {
    ...mine('domains:write'),
    make: async (fixture) => ({ path: { domain: await freshDomain(fixture) } }),
  },
  'POST /v1/domains/{domain}/unlock': {
    ...mine('domains:write'),
    make: async (fixture) => ({ path: { domain: await freshDomain(fixture) } }),
  },
  'GET /v1/domains/{domain}/transfer-auth-code': {
    ...mine('domains:transfer'),
    changes: true,
    make: async (fixture) => ({ path: { domain: await freshDomain(fixture) } }),
  },
  'POST /v1/domains/{domain}/transfer-auth-code/regenerate': {
    ...mine('domains:transfer'),
    make: async (fixture) => ({ path: { domain: await freshDomain(fixture) } }),
  },
  'POST /v1/domains/{domain}/transfer/approve': {
    ...mine('domains:transfer'),
    make: async (fixture) => ({ path: { domain: await freshWanted(fixture) } }),
  },
  'POST /v1/domains/{domain}/transfer/reject': {
    ...mine('domains:transfer'),
    make: async (fixture) => ({ path: { domain: await freshWanted(fixture) } }),
  },
  ...dnsExamples,
  'GET /v1/operations/{id}': {
    ...mine('domains:read'),
    make: ({ order_id }) => ({ path: { id: order_id } }),
  },
  'GET /v1/state-model': { ...anyone, make: () => ({ query: { status: 'active' } }) },
  'POST /v1/pricing/tlds/sync': { ...operators, make: none },
  'GET /v1/pricing/tlds': { ...anyone, make: () => ({ query: { currency: 'EUR' } }) },
  ...billingExamples,
  ...topUpExamples,
  ...bookkeepingExamples,
  ...eventExamples,
  ...auditExamples,
  'GET /v1/internal/parked-orders': { ...operators, make: () => ({ query: { look: 'true' } }) },
  'POST /v1/internal/parked-orders/{id}/settle': {
    ...operators,
    make: async (fixture) => ({ path: await freshParked(fixture) }),
  },
  'POST /v1/internal/parked-orders/{id}/release': {
    ...operators,
    make: async (fixture) => ({
      path: await freshParked(fixture),
      body: { reason: 'It was never sent.', force: true },
    }),
  },
  ...customerToolExamples,
  ...operatorExamples,
  ...supportExamples,
  ...sandboxExamples,
  'POST /v1/sandbox/top-ups': {
    ...mine('billing:write'),
    make: () => ({ body: { amount_cents: 1000, currency: 'USD' } }),
  },
}

/** The contract's routes whose other ids, besides customer_id, belong to a customer. */
const ids = 'api_key_id contact_id audit_log_id invoice_id checkout_id id domain'
export const ownedIds: readonly string[] = ids.split(' ')

/** Sends an example to its route. */
export function send(
  fixture: Fixture,
  at: string,
  { example, token }: { example: Example; token?: string },
): Promise<Answer> {
  const [method = '', pattern = ''] = at.split(' ')
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(example.path?.[name])),
  )
  const query = new URLSearchParams(example.query).toString()
  return fixture.registrar.request(method, query ? `${path}?${query}` : path, {
    ...(token === undefined ? {} : { token }),
    ...(example.headers === undefined ? {} : { headers: example.headers }),
    ...(example.body === undefined ? {} : { body: example.body }),
  })
}

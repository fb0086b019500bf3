// Bodies of requests in the OpenAPI document: named as the contract names them, and as narrow as
// the service itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../../app.ts'
import { operations } from '../../../catalog.ts'
import { newId } from '../../../kit/random.ts'
import { hasBody, plain, requestFields, type Schema } from '../../descriptions/operation-docs.ts'
import { InvalidRequest, parserOf } from '../../pipeline/validate.ts'
import { openApiDocument } from '../openapi.ts'

const base_url = 'https://registrar.example'
const document = JSON.parse(
  JSON.stringify(
    openApiDocument(operations, { base_url, mcp_url: base_url, environment: 'sandbox' }),
  ),
)

/** The schema of the body of each operation that has one, where the document has it. */
function bodies(): { operation: Operation; schema: Schema; name: string | undefined }[] {
  return operations.filter(hasBody).map((operation) => {
    const entry = document.paths[operation.path][operation.method.toLowerCase()]
    const { $ref, ...inline } = entry.requestBody.content['application/json'].schema
    const name = $ref?.split('/').at(-1)
    return { operation, name, schema: name ? document.components.schemas[name] : inline }
  })
}

/** Route and name of each body that the contract names. */
const contract = {
  'POST /v1/dashboard/sso/{provider}/start': 'DashboardSocialStartRequest',
  'POST /v1/dashboard/sso/exchange': 'DashboardSocialExchangeRequest',
  'POST /v1/dashboard/login': 'DashboardLoginRequest',
  'POST /v1/dashboard/password-reset': 'DashboardPasswordResetRequest',
  'POST /v1/dashboard/password-reset/confirm': 'DashboardPasswordResetConfirmRequest',
  'POST /v1/dashboard/register': 'DashboardRegisterRequest',
  'POST /v1/dashboard/register/resend': 'DashboardSignupResendRequest',
  'POST /v1/dashboard/register/verify': 'DashboardSignupVerifyRequest',
  'PATCH /v1/account': 'CustomerProfileUpdateRequest',
  'PATCH /v1/account/default-nameservers': 'AccountDefaultNameserversUpdateRequest',
  'POST /v1/account/email/verify': 'AccountEmailVerificationRequest',
  'POST /v1/account/password': 'DashboardPasswordChangeRequest',
  'POST /v1/customers': 'CreateCustomerRequest',
  'POST /v1/customers/{customer_id}/api-keys': 'ApiKeyCreateRequest',
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/rotate': 'ApiKeyRotateRequest',
  'POST /v1/customers/{customer_id}/contacts': 'ContactHandleCreateRequest',
  'PATCH /v1/customers/{customer_id}/contacts/{contact_id}': 'ContactHandleUpdateRequest',
  'POST /v1/domains/check': 'DomainAvailabilityRequest',
  'POST /v1/domains': 'RegisterDomainRequest',
  'PATCH /v1/domains/{domain}': 'UpdateNameserversRequest',
  'POST /v1/domains/{domain}/renew': 'DomainRenewalRequest',
  'POST /v1/domains/transfer': 'DomainTransferRequest',
  'POST /v1/domains/{domain}/dns-record': 'ConfigureDnsRecordRequest',
  'POST /v1/customers/{customer_id}/billing/invoices': 'BillingInvoiceCreateRequest',
  'POST /v1/customers/{customer_id}/billing/invoices/{invoice_id}/mark-paid':
    'BillingInvoiceMarkPaidRequest',
  'POST /v1/internal/billing/processor/top-ups': 'StripeTopUpCreditRequest',
  'POST /v1/customers/{customer_id}/billing/gateway/checkouts': 'CheckoutRequest',
  'POST /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}/start': 'StartRequest',
  'POST /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}/report':
    'ReportRequest',
  'POST /v1/billing/payments/check': 'PaymentSyncRequest',
  'POST /v1/support/messages': 'SupportMessageCreateRequest',
}

test('a body that the contract names is a component of that name', () => {
  const found = Object.fromEntries(bodies().map(({ operation, name }) => [operation.at, name]))
  const named = Object.keys(contract).map((at) => [at, found[at]])
  assert.deepEqual(Object.fromEntries(named), contract)
})

test('a body that must have some field says so', () => {
  const changes = bodies().filter(
    ({ operation, schema }) => operation.method === 'PATCH' && schema.required === undefined,
  )
  const without = changes.filter(({ schema }) => schema.minProperties !== 1)
  assert.deepEqual(
    without.map(({ operation }) => operation.name),
    [],
  )
  assert.ok(changes.length >= 6, `${changes.length} bodies`)
  for (const { operation, schema } of bodies()) {
    const isNeeded = operation.at_least_one_of !== undefined
    assert.equal(schema.minProperties, isNeeded ? 1 : undefined, operation.name)
  }
})

test('a change with none of its fields is refused over REST and MCP', () => {
  const changes = operations.filter(({ at_least_one_of }) => at_least_one_of !== undefined)
  assert.equal(changes.length, 7)
  const line = { msg: 'At least one field is needed', type: 'too_short' }
  for (const operation of changes) {
    const parser = parserOf(operation)
    const inPath = requestFields(operation).filter(({ location }) => location === 'path')
    const ids = inPath.map(({ name, schema }): [string, string | number] => {
      if (schema.type === 'integer') return [name, 1]
      return [name, schema.pattern ? newId('whk') : 'my-agent.com']
    })
    const path = Object.fromEntries(ids.map(([name, id]) => [name, String(id)]))
    const overRest = () => parser.fromRest({ path, query: {}, header: {}, body: {} })
    assert.deepEqual(problemsOf(overRest), [{ loc: ['body'], ...line }], operation.name)
    const overMcp = () => parser.fromArguments(Object.fromEntries(ids))
    assert.deepEqual(problemsOf(overMcp), [{ loc: ['arguments'], ...line }], operation.name)
    const { properties } = plain(operation.takes)
    for (const name of operation.at_least_one_of ?? [])
      assert.ok(properties && Object.hasOwn(properties, name), `${operation.name} ${name}`)
  }
})

function problemsOf(parse: () => unknown): unknown {
  try {
    parse()
  } catch (error) {
    if (error instanceof InvalidRequest) return error.details
    throw error
  }
  return []
}

test('an amount of money in a request has a pattern', () => {
  const amounts = operations.flatMap(({ name, takes }) => amountsIn(name, plain(takes)))
  assert.ok(amounts.length > 10, `${amounts.length} amounts`)
  const lacking = amounts.filter(([, { pattern }]) => pattern === undefined)
  assert.deepEqual(
    lacking.map(([path]) => path),
    [],
  )
})

/** Texts that are amounts, at any depth. */
function amountsIn(path: string, schema: Schema): [string, Schema][] {
  const { properties = {}, anyOf = [], items, type } = schema
  const isAmount = type === 'string' && /\.(amount|max_price|\w+_amount)$/.test(path)
  return [
    ...(isAmount ? [[path, schema] satisfies [string, Schema]] : []),
    ...Object.entries(properties).flatMap(([name, one]) => amountsIn(`${path}.${name}`, one)),
    ...anyOf.flatMap((one) => amountsIn(path, one)),
    ...(items ? amountsIn(path, items) : []),
  ]
}

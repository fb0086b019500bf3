// The fields of requests as parts 2, 4 and 8 of the interface state them, written out here: type,
// limits, default, and whether a field is required, against the OpenAPI document that is served.
// The edges themselves are tried in limits/.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedService } from '../support/service.ts'
import { table } from './support/operations-table.ts'

type Schema = Record<string, unknown>
type Facts = {
  type: string
  required?: true
  default?: unknown
  enum?: readonly string[]
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

const optionalText = (maxLength: number): Facts => ({ type: 'string|null', maxLength })
const text = (minLength: number, maxLength: number): Facts => {
  return { type: 'string', minLength, maxLength }
}
const required = (facts: Facts): Facts => ({ ...facts, required: true })
const currency: Facts = { type: 'string', enum: ['USD', 'EUR'] }
const usd: Facts = { ...currency, default: 'USD' }
const no: Facts = { type: 'boolean', default: false }
const whole = (minimum: number, maximum: number, preset: number): Facts => {
  return { type: 'integer', minimum, maximum, default: preset }
}
const preset = (value: number): Facts => ({ type: 'integer', default: value })
const moment: Facts = { type: 'string', format: 'date-time' }
const anyText: Facts = { type: 'string' }
const invoices = '/v1/customers/{customer_id}/billing/invoices'
const contacts = '/v1/customers/{customer_id}/contacts'
const keys = '/v1/customers/{customer_id}/api-keys'
const checkouts = '/v1/customers/{customer_id}/billing/gateway/checkouts'
const tables = '/v1/customer-tool/database/tables'

/** The fields by operation and by their place; a name alone is a field of the body. */
const stated: Record<string, Record<string, Facts>> = {
  [`POST ${keys}`]: { name: optionalText(100), scopes: { type: 'array' } },
  [`POST ${keys}/{api_key_id}/rotate`]: {
    'path api_key_id': required({ type: 'integer' }),
    name: optionalText(100),
    scopes: { type: 'array|null' },
  },
  [`POST ${keys}/{api_key_id}/revoke`]: { 'path api_key_id': required({ type: 'integer' }) },
  [`POST ${invoices}`]: {
    currency: usd,
    items: required({ type: 'array', minItems: 1, maxItems: 100 }),
    'items.description': required(text(1, 300)),
    'items.quantity': whole(1, 1000, 1),
    'items.unit_amount': required({ type: 'number|string', exclusiveMinimum: 0 }),
    tax_amount: { type: 'number|string', minimum: 0, default: '0.00' },
    notes: optionalText(1000),
    due_at: { type: 'string|null', format: 'date-time' },
  },
  [`GET ${invoices}/{invoice_id}`]: { 'path invoice_id': required({ type: 'integer' }) },
  [`GET ${invoices}/{invoice_id}/pdf`]: { 'path invoice_id': required({ type: 'integer' }) },
  [`POST ${invoices}/{invoice_id}/mark-paid`]: {
    processor_checkout_session_id: optionalText(255),
    processor_payment_intent_id: optionalText(255),
  },
  [`POST ${checkouts}`]: {
    amount_cents: required({ type: 'integer', minimum: 1 }),
    currency: required(currency),
  },
  [`POST ${contacts}`]: {
    handle: { type: 'string|null', minLength: 1, maxLength: 120 },
    name: required(text(1, 200)),
    email: required(text(3, 320)),
    company_name: optionalText(200),
    address: required(text(1, 300)),
    address_line_2: optionalText(300),
    city: required(text(1, 120)),
    state: required(text(1, 120)),
    country: required(text(2, 120)),
    zip: required(text(1, 32)),
    phone_country_code: required(text(1, 8)),
    phone_number: required(text(1, 32)),
    ...{ default_registrant: no, default_admin: no, default_technical: no, default_billing: no },
  },
  [`GET ${contacts}/{contact_id}`]: { 'path contact_id': required({ type: 'integer' }) },
  [`PATCH ${contacts}/{contact_id}`]: { 'path contact_id': required({ type: 'integer' }) },
  [`DELETE ${contacts}/{contact_id}`]: { 'path contact_id': required({ type: 'integer' }) },
  'PATCH /v1/account/default-nameservers': {
    default_nameservers: required({ type: 'array', minItems: 2, maxItems: 13 }),
  },
  'POST /v1/account/email/verify': { token: required(text(20, 512)) },
  'POST /v1/domains/check': {
    domains: required({ type: 'array', minItems: 1, maxItems: 200 }),
    currency,
  },
  'GET /v1/domains/check/{domain}': {
    'query currency': usd,
    'query depth': { type: 'string', default: 'confirm' },
  },
  'POST /v1/domains': {
    domain: required(anyText),
    period_years: { type: 'integer', minimum: 1, maximum: 10 },
    allow_premium: { type: 'boolean' },
  },
  'POST /v1/domains/{domain}/renew': { period_years: { type: 'integer' } },
  'PATCH /v1/domains/{domain}': { nameservers: { type: 'array' } },
  'POST /v1/domains/{domain}/dns-record': {
    record_value: required({ type: 'string', minLength: 1 }),
    host: { ...text(1, 253), default: '@' },
  },
  'GET /v1/pricing/tlds': { 'query currency': usd },
  'GET /v1/contact-states': { 'query country': required(anyText) },
  'GET /v1/customers/{customer_id}/billing/balance': { 'query currency': usd },
  'GET /v1/customers/{customer_id}/billing/transactions': {
    'query currency': currency,
    'query limit': preset(100),
  },
  'POST /v1/billing/gateway/webhook': { 'query token': { type: 'string', default: '' } },
  'GET /v1/domain-audit-logs': {
    ...{ 'query domain': anyText, 'query action': anyText, 'query cursor': anyText },
    'query from_timestamp': moment,
    'query to_timestamp': moment,
    'query limit': preset(100),
  },
  'GET /v1/customers/{customer_id}/audit-logs': {
    'query action': anyText,
    'query entry_point': anyText,
    'query limit': preset(100),
  },
  'GET /v1/customer-tool/customers': {
    'query q': text(1, 200),
    'query email': text(3, 320),
    'query status': text(1, 32),
    'query limit': whole(1, 200, 50),
    'query offset': { type: 'integer', minimum: 0, default: 0 },
  },
  [`GET ${tables}`]: { 'query schema': anyText },
  [`GET ${tables}/{table_name}`]: { 'query schema': anyText },
  [`GET ${tables}/{table_name}/rows`]: {
    'query schema': anyText,
    'query limit': whole(1, 500, 100),
    // JSON Schema has no number that is exactly 9223372036854775807 (decision 58).
    'query offset': { type: 'integer', format: 'int64', minimum: 0, default: 0 },
    'query order_by': { type: 'array' },
  },
}

const registrar = await sharedService({ worker: false })
const { body: openapi } = await registrar.request('GET', '/openapi.json')

/**
 * A schema without references. For several types it has their facts together, with the types in
 * `type`.
 */
function plainSchema(given: Schema): Schema {
  const { $ref, anyOf, oneOf, ...own } = given
  if (typeof $ref === 'string') {
    const name = $ref.replace('#/components/schemas/', '')
    return { ...plainSchema(openapi.components.schemas[name]), ...own }
  }
  const choices = [anyOf ?? oneOf ?? []].flat().map((one) => plainSchema(Object(one)))
  if (choices.length === 0) return own
  const type = [...new Set(choices.flatMap((one) => String(one.type).split('|')))].join('|')
  return { ...Object.assign({}, ...choices), ...own, type }
}

function bodyOf(at: string): Schema {
  const { requestBody } = described(at)
  return plainSchema(requestBody?.content['application/json'].schema ?? {})
}

function described(at: string) {
  const [method = '', path = ''] = at.split(' ')
  const found = openapi.paths[path]?.[method.toLowerCase()]
  assert.ok(found, `${at} is not in the document`)
  return found
}

/** The field of a request, with `required`. */
function fieldOf(at: string, field: string): Schema | undefined {
  const [name = '', place] = field.split(' ').reverse()
  if (place !== undefined) {
    const all: Schema[] = described(at).parameters ?? []
    const found = all.find((one) => one.name === name && one.in === place)
    return found && { ...plainSchema(Object(found.schema)), required: found.required }
  }
  const [first = '', inner] = name.split('.')
  const taken = bodyOf(at)
  const outer = propertyOf(taken, first)
  return inner === undefined ? outer : propertyOf(plainSchema(Object(outer?.items)), inner)
}

function propertyOf(schema: Schema, name: string): Schema | undefined {
  const property = Object(schema.properties)[name]
  const isRequired = [schema.required ?? []].flat().includes(name)
  return property && { ...plainSchema(property), required: isRequired }
}

describe('the document states for', () => {
  for (const [at, fields] of Object.entries(stated))
    test(at, () => {
      for (const [field, facts] of Object.entries(fields)) {
        const found = fieldOf(at, field)
        assert.ok(found, `${field} is missing`)
        const { required: isRequired = false, ...limits } = facts
        assert.equal(found.required ?? false, isRequired, `${field} required`)
        for (const [name, value] of Object.entries(limits))
          assert.deepEqual(found[name], value, `${field} ${name}`)
      }
    })

  test('each wait, an addition to the contract, at most 50 s', () => {
    const waits = ['/v1/events', '/v1/operations/{id}/wait', '/v1/approvals/{id}/wait']
    for (const path of waits) assert.equal(fieldOf(`GET ${path}`, 'query wait')?.maximum, 50, path)
  })

  test('nothing but rows of the contract', () => {
    const places = new Set(table.map(({ at }) => at))
    for (const at of Object.keys(stated)) assert.ok(places.has(at), at)
    const count = Object.values(stated).flatMap((fields) => Object.keys(fields)).length
    assert.ok(count > 75, String(count))
  })
})

// Every collection of a customer has a cap, or is read in pages or streamed: no account makes an
// answer that is built whole without a bound.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService, type TestCustomer } from '../support/service.ts'
import { aContact } from './support/examples.ts'

const registrar = await sharedService()
const { request } = registrar
const sql = rowsIn(registrar)
const all = [...scopes]

/** Arrays of answers without a cursor, with the most that they hold, or how they are sent. */
const bounded: Readonly<Record<string, string>> = {
  'GET /v1/account': '13 name servers',
  'GET /v1/customers/{customer_id}': '13 name servers',
  'GET /v1/account/limits': '1,000 active keys, and the apps that are connected',
  'GET /v1/account/push-subscriptions': '10',
  'GET /v1/account/export': 'streamed',
  'GET /v1/account/sessions': '100',
  'GET /v1/account/passkeys': '50',
  'GET /v1/account/identities': '20',
  'GET /v1/customers/{customer_id}/api-keys': 'streamed; 1,000 active',
  'GET /v1/customers/{customer_id}/contacts': 'streamed; 5,000',
  'GET /v1/domains/summary': '12 months, 10 needs, and the TLDs that are sold',
  'GET /v1/domains/{domain}': '13 name servers, statuses and steps of one domain',
  'GET /v1/domains/{domain}/transfer-auth-code': 'steps of one domain',
  'GET /v1/domains/{domain}/dns-records': 'hosts of one zone',
  'GET /v1/domains/{domain}/tsig-keys': '20',
  'GET /v1/domains/{domain}/changes/{change_id}': 'the 4,000 sets of one zone',
  'GET /v1/domains/{domain}/records': 'the 4,000 sets of one zone, of 512 kB',
  'GET /v1/customers/{customer_id}/billing/statement': 'a line for each kind of movement',
  'GET /v1/customers/{customer_id}/billing/gateway/config': 'settings of the service',
  'GET /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}': 'of one checkout',
  'GET /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}/assets':
    'settings of the service',
  'GET /v1/customers/{customer_id}/billing/processor/config': 'settings of the service',
  'GET /v1/customers/{customer_id}/billing/invoices/{invoice_id}': 'of one invoice',
  'GET /v1/webhooks': '10',
  'GET /v1/webhooks/{id}': '100 types',
}

function hasArray(schema: unknown): boolean {
  const { type, properties = {} } = Object(schema)
  return type === 'array' || Object.values(properties).some((one) => Object(one).type === 'array')
}

test('every array of an answer about a customer has a cursor, or is listed with its bound', () => {
  const about = operations.filter(
    ({ at, who, gives }) =>
      at.startsWith('GET') && /^(me|customer)$/.test(who.about) && hasArray(gives),
  )
  const unpaged = about.filter(({ takes }) => !('cursor' in Object(takes).properties))
  assert.deepEqual(unpaged.map(({ at }) => at).sort(), Object.keys(bounded).sort())
})

type Cap = {
  of: string
  most: number
  /** Rows that are already there, without a call each. */
  fill: (customer: TestCustomer, many: number) => Promise<unknown>
  add: (customer: TestCustomer) => ReturnType<typeof request>
  code: string
}
const ids = 'select i from generate_series(1, $2::int) i'
const post = (path: string, { key: token }: TestCustomer, body: object) =>
  request('POST', path, { token, body })

const caps: readonly Cap[] = [
  {
    of: 'active API keys',
    most: 1_000,
    fill: ({ id }, many) =>
      sql(
        `insert into api_keys (customer_id, key_hash, key_prefix, scopes, created_at)
         select $1, sha256(convert_to($1 || i, 'UTF8')), 'ar_test_', '{}', now() from (${ids}) n`,
        [id, many],
      ),
    add: (customer) => post(`/v1/customers/${customer.id}/api-keys`, customer, { scopes: [] }),
    code: 'too_many_api_keys',
  },
  {
    of: 'contacts',
    most: 5_000,
    fill: ({ id }, many) =>
      sql(
        `insert into contacts (customer_id, handle, name, email, address, city, state, country, zip,
           phone_country_code, phone_number, default_registrant, default_admin,
           default_technical, default_billing, created_at, updated_at)
         select $1, 'H' || i, 'Ada', 'ada@example.net', 'Dam 1', 'Delft', 'ZH', 'NL', '1012 JS',
                '+31', '201234567', false, false, false, false, now(), now() from (${ids}) n`,
        [id, many],
      ),
    add: (customer) => post(`/v1/customers/${customer.id}/contacts`, customer, aContact),
    code: 'too_many_contacts',
  },
  {
    of: 'webhooks',
    most: 10,
    fill: ({ id }, many) =>
      sql(
        `insert into webhooks (id, customer_id, url, types, sealed_secret)
         select 'whk_' || lpad(replace(right($1, 20) || i, 'o', '0'), 26, '0'), $1,
                'https://a.example/', '{webhook.test}', 'x' from (${ids}) n`,
        [id, many],
      ),
    add: (customer) => post('/v1/webhooks', customer, { url: 'https://hooks.registrar.example/' }),
    code: 'too_many_webhooks',
  },
  {
    of: 'open quotes',
    most: 200,
    fill: ({ id }, many) =>
      sql(
        `insert into quotes (id, customer_id, type, domain, period_years, currency, amount, price,
           created_at, expires_at)
         select 'quo_' || lpad(right($1, 20) || i, 26, '0'), $1, 'register', 'a.com', 1, 'USD',
                1085, '{}', now(), now() + interval '5 minutes' from (${ids}) n`,
        [id, many],
      ),
    add: (customer) => post('/v1/quotes', customer, { action: 'register', domain: 'capped.com' }),
    code: 'too_many_quotes',
  },
]

describe('the cap', () => {
  for (const { of, most, fill, add, code } of caps)
    it(`of ${of} is ${most}, and the next one is refused with 409`, async () => {
      const customer = await registrar.customer({ contact: false, scopes: all })
      await fill(customer, most - (of === 'active API keys' ? 2 : 1))
      const last = await add(customer)
      assert.equal(last.status, 201, last.text)
      const { status, body } = await add(customer)
      assert.deepEqual([status, body.code], [409, code])
      if ('limit' in body) assert.equal(body.limit, most)
    })
})

describe('a list that is longer than a page', () => {
  it('is streamed whole, each key and each contact once', async () => {
    const customer = await registrar.customer({ contact: false, scopes: all })
    for (const { of, fill } of caps.slice(0, 2))
      await fill(customer, of === 'contacts' ? 1_001 : 998)
    await sql('update api_keys set revoked_at = now() where customer_id = $1 and id <> $2', [
      customer.id,
      customer.key_id,
    ])
    await sql(
      `insert into api_keys (customer_id, key_hash, key_prefix, scopes, created_at)
       select $1, sha256(convert_to($1 || 'more' || i, 'UTF8')), 'ar_test_', '{}', now()
         from generate_series(1, 400) i`,
      [customer.id],
    )
    for (const [path, many] of [
      ['api-keys', 1 + 998 + 400],
      ['contacts', 1_001],
    ] as const) {
      const { body } = await request('GET', `/v1/customers/${customer.id}/${path}`, {
        token: customer.key,
      })
      assert.equal(new Set(body.map(({ id }: { id: number }) => id)).size, many, path)
      assert.equal(body.length, many)
    }
  })
})

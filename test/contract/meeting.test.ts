// Concurrent requests that violate one constraint of the database: each is answered by its fault,
// none by 500.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lifecycleService } from '../../src/capabilities/domains/holdings/lifecycle.fixture.ts'
import { type Answer, someContact, startService } from '../support/service.ts'

const registrar = await lifecycleService(
  await startService({ worker: false, settings: { DATABASE_POOL: '10' } }),
)
const { operatorKey } = registrar
const token = operatorKey
const customer = await registrar.customer({ funds_cents: 10_000_000 })
const at = `/v1/customers/${customer.id}`
const others = await Promise.all(Array.from({ length: 4 }, () => registrar.customer()))

const shown = ({ status, body }: Answer) => `${status} ${body.code ?? ''}`.trim()
type Asking = { by?: string; method?: string; path: string; body: unknown; key?: string }
const send = ({ by = customer.key, method = 'POST', path, body, key }: Asking) =>
  registrar.request(method, path, {
    token: by,
    body,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  })
const topUp = (
  customer_id: string,
  amount_cents: number,
  { session, intent }: { session: string; intent?: string },
) => ({
  by: token,
  path: '/v1/internal/billing/processor/top-ups',
  body: {
    customer_id,
    amount_cents,
    currency: 'USD',
    processor_checkout_session_id: session,
    ...(intent && { processor_payment_intent_id: intent }),
  },
})
const keyed = (i: number) => ({
  path: '/v1/domains',
  body: { domain: `meet-${i % 3}.com`, currency: i % 2 === 0 ? 'USD' : 'EUR' },
  key: 'one-key',
})

/** Sends twelve concurrent requests, all of which get valid answers. */
const meetings: Record<string, { asks: (i: number) => Asking; answers: string[] }> = {
  'contacts of one handle': {
    asks: () => ({ path: `${at}/contacts`, body: { ...someContact, handle: 'ONE-HANDLE' } }),
    answers: ['201', '409 handle_taken'],
  },
  'contacts of all default roles': {
    asks: () => ({ path: `${at}/contacts`, body: someContact }),
    answers: ['201'],
  },
  'accounts of one address': {
    asks: (i) => ({
      by: token,
      path: '/v1/customers',
      body: { email: i % 2 ? 'One@Example.net' : 'one@example.NET', name: 'One' },
    }),
    answers: ['201', '409 email_taken'],
  },
  'credits of one session': {
    asks: (i) => topUp(customer.id, 100 + (i % 2), { session: 'cs_one' }),
    answers: ['200', '409 top_up_conflict'],
  },
  'credits of one payment intent': {
    asks: (i) => topUp(customer.id, 100, { session: `cs_${i % 4}`, intent: 'pi_one' }),
    answers: ['200', '409 top_up_conflict'],
  },
  'a credit for an unknown customer': {
    asks: (i) => topUp('cus_unknown', 100, { session: `cs_unknown_${i}` }),
    answers: ['404 top_up_customer_not_found'],
  },
  'purchases of one name by five customers': {
    asks: (i) => ({
      by: [customer, ...others][i % 5]?.key ?? '',
      path: '/v1/domains',
      body: { domain: 'wanted.com', ...(i % 2 && { period_years: 2 }) },
    }),
    answers: ['200', '409 domain_taken', '409 order_open', '409 domain_already_held'],
  },
  'other purchases with one key': {
    asks: keyed,
    answers: ['200', '422', '402 insufficient_funds', '409 idempotency_key_in_use'],
  },
  'keys of one name': {
    asks: () => ({ by: token, path: `${at}/api-keys`, body: { name: 'one' } }),
    answers: ['201'],
  },
  'password set-ups of one account': {
    asks: () => ({ by: token, path: `${at}/password-setup`, body: {} }),
    answers: ['202', '204', '200', '429 too_many_tries'],
  },
}

for (const [what, { asks, answers }] of Object.entries(meetings))
  test(`${what}, all at once`, async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => send(asks(i))))
    const wrong = all.filter((answer) => !answers.includes(shown(answer)))
    assert.deepEqual(
      wrong.map(({ text }) => text),
      [],
    )
  })

test('records of one host, all at once, while the domain is deleted', async () => {
  const domain = await registrar.buys(customer, 'records-meet.com')
  const path = `/v1/domains/${domain}/dns-record`
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      i === 6
        ? registrar.query(
            `update domains set ended_at = now(), end_reason = 'dropped' where name = $1`,
            [domain],
          )
        : send({ path, body: { type: 'A', name: 'www', value: `192.0.2.${i}`, ttl: 300 } }),
    ),
  )
  for (const answer of all) if (!Array.isArray(answer)) assert.ok(answer.status < 500, answer.text)
})

/** Text that grows, folds or empties where it is normalized, and what no column takes. */
const odd = fc
  .tuple(
    fc.constantFrom(
      'a',
      ' ',
      '\u0958',
      '\ufb2c',
      '\u1e9b\u0323',
      'ß',
      'é',
      '😀',
      '\u200b',
      '\ud800',
      '\u0000',
      '\u202e',
      'İ',
      '.',
      '@',
      '\t',
    ),
    fc.constantFrom(1, 2, 8, 16, 32, 33, 60, 100, 101, 120, 121, 150, 199, 200, 201, 300, 301, 320),
    fc.constantFrom('', 'x', 'x@example.net'),
  )
  .map(([unit, times, end]) => unit.repeat(times) + end)

type Place = { path: string; by?: string }
const field = (place: Place, base: object, names: string[]) =>
  names.map((name) => ({ ...place, name, body: (text: string) => ({ ...base, [name]: text }) }))
const fields: (Place & { name: string; body: (text: string) => object })[] = [
  ...field({ path: `${at}/contacts` }, someContact, Object.keys(someContact).slice(0, 9)),
  ...field({ path: `${at}/contacts` }, someContact, ['handle', 'company_name', 'address_line_2']),
  ...field({ path: '/v1/customers', by: token }, { name: 'A' }, ['email']),
  ...field({ path: '/v1/customers', by: token }, { email: 'a@example.net' }, ['name']),
  ...field({ path: `${at}/api-keys`, by: token }, {}, ['name']),
]

test('no text of a contact, an account or a key ends in 500', async () => {
  const statuses = new Set<number>()
  for (const text of fc.sample(odd, { numRuns: 50, seed: 11 }))
    await Promise.all(
      fields.map(async ({ name, path, by, body }) => {
        const answer = await send({ path, body: body(text), ...(by && { by }) })
        statuses.add(answer.status)
        assert.ok(answer.status < 500, `${path} ${name} ${JSON.stringify(text)}: ${answer.text}`)
      }),
    )
  assert.ok(statuses.has(201) && statuses.has(422), [...statuses].join())
})

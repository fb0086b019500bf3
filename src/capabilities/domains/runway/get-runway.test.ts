// GET /v1/account/runway: the time for which the balance pays each domain, and the missing amount.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notedStatements } from '../../../../test/support/database.ts'
import { copyHolding } from '../../../../test/support/owner-sql.ts'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { addYears } from '../../../kit/clock.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { movePaidUntil } from '../orders/order-batcher.fixture.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const read = async (token: string, query = '') => {
  const answer = await registrar.request('GET', `/v1/account/runway${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
/** The names of the statements that the service runs meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { app } = registrar
  const { db } = app
  const names: string[] = []
  app.db = notedStatements(db, (name) => names.push(name))
  await work().finally(() => {
    app.db = db
  })
  return names
}
type Sums = Record<string, string | number>
function sumsIn(body: Record<string, Sums[]>, currency: string): Sums {
  const found = body.currencies?.find((one) => one.currency === currency)
  assert.ok(found)
  return found
}
const years = (moment: string, count: number) => {
  let at = new Date(moment)
  for (let i = 0; i < count; i += 1) at = addYears(at, 1)
  return at.toISOString()
}
const expire = (domain: string, expiry: string) =>
  movePaidUntil(registrar.query, domain, `'${expiry}'::timestamptz`)

/** Three domains, the third a year after the others, and money for three renewals of 10.85. */
async function holder(label: string): Promise<{ buyer: TestCustomer; names: string[] }> {
  const buyer = await registrar.customer({ funds_cents: 6 * 1_085 + 100 })
  const names = [`${label}-a.com`, `${label}-b.com`, `${label}-c.com`]
  for (const name of names) await registrar.buys(buyer, name)
  return { buyer, names }
}

test('the balance is spent in the order of expiry, and the first to end is first', async () => {
  const { buyer, names } = await holder('spent')
  const [a = '', b = '', c = ''] = names
  const { as_of } = await read(buyer.key)
  const soon = new Date(Date.parse(as_of) + 30 * 86_400_000).toISOString()
  const later = new Date(Date.parse(as_of) + 60 * 86_400_000).toISOString()
  await expire(b, soon)
  await expire(a, later)
  const { body: last } = await registrar.read(buyer, c)
  const body = await read(buyer.key)
  const shown = body.domains.map((one: Entry) => [one.domain, one.lives_until])
  // The fourth renewal, of b again, is not covered.
  const expected = [
    [b, years(soon, 1)],
    [a, years(later, 1)],
    [c, years(last.expiry, 1)],
  ]
  assert.deepEqual(shown, expected)
  const [first] = body.domains
  assert.deepEqual(body.ends_first, {
    ...{ domain: b, currency: 'USD', lives_until: first.lives_until },
  })
  assert.deepEqual(
    { ...first, lives_until: null },
    {
      ...{ domain: b, currency: 'USD', renewal_price: '10.85', auto_renew: false },
      from_reserve: false,
      ...{ renewable: true, expires_at: soon, lives_until: null },
    },
  )
  assert.equal(body.next_cursor, null)
})
type Entry = { domain: string; lives_until: string; renewal_price: string | null }

test('the missing amount is the cost of 12 months beyond the balance, and adding it suffices', async () => {
  const { buyer, names } = await holder('missing')
  for (const name of names) await movePaidUntil(registrar.query, name, `now() + interval '40 days'`)
  await registrar.query(
    `update ledger_accounts set available = 1500 where customer_id = $1 and currency = 'USD'`,
    [buyer.id],
  )
  const before = await read(buyer.key)
  assert.deepEqual(sumsIn(before, 'USD'), {
    reserved: '0.00',
    ...{ currency: 'USD', available: '15.00', owed: '0.00', due: '32.55', missing: '17.55' },
    ...{ domains: 3, unpriced: 0 },
  })
  assert.deepEqual(sumsIn(before, 'EUR'), {
    reserved: '0.00',
    ...{ currency: 'EUR', available: '0.00', owed: '0.00', due: '0.00', missing: '0.00' },
    ...{ domains: 0, unpriced: 0 },
  })
  await registrar.query(
    `update ledger_accounts set available = available + 1755 where customer_id = $1
       and currency = 'USD'`,
    [buyer.id],
  )
  const after = await read(buyer.key)
  assert.equal(sumsIn(after, 'USD').missing, '0.00')
  const year = addYears(new Date(after.as_of), 1).toISOString()
  for (const { lives_until } of after.domains) assert.ok(lives_until >= year)
})

test('a debt stops every renewal, and is part of the missing amount', async () => {
  const { buyer, names } = await holder('owes')
  await registrar.query(
    `update ledger_accounts set available = 0, owed = 700 where customer_id = $1
       and currency = 'USD'`,
    [buyer.id],
  )
  const body = await read(buyer.key)
  const { missing, owed, due } = sumsIn(body, 'USD')
  assert.deepEqual([missing, owed, due], ['39.55', '7.00', '32.55'])
  assert.equal(body.domains.length, names.length)
  for (const { expires_at, lives_until } of body.domains) assert.equal(lives_until, expires_at)
})

test('the currency is that of the last payment', async () => {
  const buyer = await registrar.customer({ funds_cents: 5_000 })
  const paid = await registrar.request('POST', '/v1/internal/billing/processor/top-ups', {
    token: registrar.operatorKey,
    body: {
      ...{ customer_id: buyer.id, amount_cents: 5_000, currency: 'EUR' },
      processor_checkout_session_id: 'cs_runway_eur',
    },
  })
  assert.equal(paid.status, 200, paid.text)
  await registrar.buys(buyer, 'in-euros.com', { currency: 'EUR' })
  const { domains, currencies } = await read(buyer.key)
  assert.deepEqual([domains[0].currency, domains[0].renewal_price], ['EUR', '9.98'])
  assert.deepEqual(
    currencies.map((one: { domains: number }) => one.domains),
    [0, 1],
  )
})

test('a price that the list does not have is unknown, not guessed', async () => {
  const buyer = await registrar.customer({ funds_cents: 1_000_000 })
  await registrar.buys(buyer, 'unpriced-usual.com')
  await registrar.buys(buyer, 'robot.io', { allow_premium: true })
  await registrar.query(`delete from tld_prices where tld = 'com' and action = 'renew'`)
  registrar.app.priceBook.drop()
  const body = await read(buyer.key)
  for (const { renewal_price, lives_until, expires_at } of body.domains)
    assert.deepEqual([renewal_price, lives_until], [null, expires_at])
  assert.equal(body.domains.length, 2)
  assert.equal(sumsIn(body, 'USD').unpriced, 2)
})

test('a domain that is being deleted counts for nothing', async () => {
  const buyer = await registrar.customer({ funds_cents: 5_000 })
  await registrar.buys(buyer, 'is-deleted.com')
  await registrar.query(
    `update domains set rgp_statuses = '{redemptionPeriod}' where name = 'is-deleted.com'`,
  )
  const body = await read(buyer.key)
  assert.equal(body.ends_first, null)
  const [{ renewable, lives_until, expires_at }] = body.domains
  assert.deepEqual([renewable, lives_until], [false, expires_at])
  assert.equal(sumsIn(body, 'USD').domains, 0)
})

test('requires billing:read, and shows a limited key only its own domains', async () => {
  const { buyer, names } = await holder('scoped')
  const keyWith = async (body: object) => {
    const path = `/v1/customers/${buyer.id}/api-keys`
    const made = await registrar.request('POST', path, { token: registrar.operatorKey, body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.api_key)
  }
  const domains_only = await keyWith({ scopes: ['domains:read'] })
  const refused = await registrar.request('GET', '/v1/account/runway', { token: domains_only })
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
  const limits = { scopes: ['billing:read'], allowed_domains: ['scoped-b.com'] }
  const seen = await read(await keyWith(limits))
  assert.deepEqual(
    seen.domains.map(({ domain }: Entry) => domain),
    ['scoped-b.com'],
  )
  assert.equal(seen.ends_first.domain, 'scoped-b.com')
  for (const hidden of [names[0], names[2]]) assert.ok(!JSON.stringify(seen).includes(hidden ?? ''))
  const whole = await read(buyer.key)
  assert.deepEqual(seen.currencies, whole.currencies, 'the balance pays for all of them')
})

test('pages of 10,000 domains have each once, from the first to end', async () => {
  const buyer = await registrar.customer({ funds_cents: 200_000 })
  const first = await registrar.buys(buyer, 'many-0.io')
  const names = Array.from({ length: 9_999 }, (_, i) => `many-${i + 1}.io`)
  await copyHolding(registrar, first, names)
  await registrar.query(
    `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
                         command, attempts, fingerprints, first_sent_at, run_at, lease_until,
                         lease_token, created_at, closed_at)
     select o.id || '-' || n.i, o.customer_id, o.type, 'many-' || n.i || '.io', o.registry, o.state,
            o.currency, o.amount, o.digest, o.command, o.attempts, o.fingerprints, o.first_sent_at,
            o.run_at, o.lease_until, o.lease_token, o.created_at, o.closed_at
       from orders o, generate_series(1, 9999) n (i) where o.domain = $1`,
    [first],
  )
  await registrar.query(
    `insert into domain_terms (domain_id, order_id, kind, years, paid_until)
     select id, order_id, 'corrected', 0, expiry + (id % 700) * interval '1 hour'
       from domains where customer_id = $1`,
    [buyer.id],
  )
  await registrar.query(
    `update domains d set expiry = t.paid_until from domain_terms t
      where t.domain_id = d.id and t.kind = 'corrected' and d.customer_id = $1`,
    [buyer.id],
  )
  const one = await registrar.customer()
  await registrar.buys(one, 'many-of-one.io')
  const costOfOne = await statementsOf(() => read(one.key))
  assert.ok(costOfOne.length > 0)
  const found: Entry[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? '?limit=500' : `?limit=500&cursor=${encodeURIComponent(cursor)}`
    let page: Awaited<ReturnType<typeof read>> = {}
    const cost = await statementsOf(async () => (page = await read(buyer.key, query)))
    assert.deepEqual(cost, costOfOne, 'as for an account of one domain')
    if (cursor === '') assert.equal(page.ends_first.domain, page.domains[0].domain)
    found.push(...page.domains)
    cursor = page.next_cursor
  }
  assert.equal(new Set(found.map(({ domain }) => domain)).size, 10_000)
  assert.ok(found.every(({ renewal_price }) => renewal_price !== null))
  const dates = found.map(({ lives_until }) => lives_until)
  assert.deepEqual(dates, dates.toSorted())
})

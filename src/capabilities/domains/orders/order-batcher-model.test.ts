// Model-based test of the batcher: any random batch has the same effect as its orders one after the
// other, and the ledger is right after each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  db,
  facts,
  newContact,
  newCustomer,
  placing,
  settling,
  topUp,
} from './order-batcher.fixture.ts'
import { openOrderBatcher, type Placement, type Settlement } from './order-batcher.ts'
import { balanceKey, type Leaving, OrderBatcherModel } from './order-batcher-model.fixture.ts'

const currencies = ['USD', 'EUR']
const batcher = openOrderBatcher(db.database, 0)
const some = <T>(list: readonly T[], n: number): T => {
  const one = list[n % list.length]
  return one === undefined ? assert.fail('of an empty list') : one
}

const request = fc.record({
  customer: fc.constantFrom(0, 0, 0, 1, 2),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  type: fc.constantFrom('register', 'transfer', 'renew', 'renew', 'restore'),
  domain: fc.nat(3),
  amount: fc.integer({ min: 1, max: 900 }),
  key: fc.option(fc.nat(1), { freq: 3 }),
  fence: fc.constantFrom('right', 'right', 'right', 'wrong'),
  contacts: fc.boolean(),
})
const end = fc.record({
  order: fc.nat(),
  succeeded: fc.constantFrom(true, true, false),
  holder: fc.constantFrom(true, true, false),
})
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ place: fc.array(request, { minLength: 1, maxLength: 8 }) }) },
  { weight: 4, arbitrary: fc.record({ settle: fc.array(end, { minLength: 1, maxLength: 8 }) }) },
  // The answer to the commit of the placement was lost, so it is repeated.
  { weight: 1, arbitrary: fc.record({ again: fc.array(fc.nat(), { maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ purge: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ unrenewed: fc.nat() }) },
)
const history = fc.record({
  balances: fc.array(fc.nat(9000), { minLength: 6, maxLength: 6 }),
  steps: fc.array(step, { minLength: 6, maxLength: 16 }),
})
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type Step = Of<typeof step>
type Fixture = {
  model: OrderBatcherModel
  customers: { id: string; contact: number }[]
  domains: string[]
  placed: Placement[]
  /** Every new term of a holding ends on a day of its own. */
  days: number
}

let fixtures = 0
const seen = new Set<string>()
const placements = 'placed fence_mismatch open_order known_key insufficient_funds'
const possible = `${placements} settled closed taken_over`.split(' ')
async function newFixture(balances: readonly number[]): Promise<Fixture> {
  fixtures += 1
  const model = new OrderBatcherModel()
  const make = async (n: number) => {
    const id = await newCustomer(BigInt(balances[n] ?? 0))
    await topUp(id, BigInt(balances[n + 3] ?? 0), 'EUR')
    for (const [at, currency] of currencies.entries()) {
      const available = BigInt(balances[n + 3 * at] ?? 0)
      if (available > 0n)
        model.balances.set(balanceKey({ customer_id: id, currency }), { available, held: 0n })
    }
    return { id, contact: await newContact(id) }
  }
  const customers = await Promise.all([0, 1, 2].map(make))
  const domains = Array.from({ length: 4 }, (_, n) => `model-${fixtures}-${n}.com`)
  return { model, customers, domains, placed: [], days: 0 }
}

function placementOf(fixture: Fixture, one: Of<typeof request>): Placement {
  const { id, contact } = some(fixture.customers, one.customer)
  const domain = some(fixture.domains, one.domain)
  const fenced = one.type === 'renew' || one.type === 'restore'
  const known = fixture.model.holdings.get(domain)?.expiry ?? facts.paid_until
  const right = one.fence === 'right'
  return placing(id, domain, {
    type: one.type,
    currency: one.currency,
    amount: String(one.amount),
    idempotency_key: one.key === null ? null : `key-${one.key}`,
    idempotency_digest: one.key === null ? null : 'd',
    fence: fenced ? (right ? known : '2001-01-01T00:00:00.000Z') : null,
    contacts: one.contacts ? { registrant: contact, admin: contact } : {},
  })
}

function ended(fixture: Fixture, { order, succeeded, holder }: Of<typeof end>): Settlement {
  fixture.days += 1
  const paid_until = new Date(Date.UTC(2030, 0, fixture.days)).toISOString()
  return settling(some(fixture.placed, order), succeeded, {
    lease_token: holder ? 't' : 'another',
    holding: succeeded ? { ...facts, paid_until, registry_expiry: paid_until } : null,
    answer: order % 2 === 0 ? { answer: fixture.days } : null,
  })
}

/** All of one turn come to the batcher together, in one statement. */
async function place(fixture: Fixture, items: readonly Placement[]): Promise<void> {
  const outcomes = await Promise.all(items.map((item) => batcher.place(item)))
  const wanted = fixture.model.place(items)
  assert.deepEqual(
    outcomes,
    items.map((item) => wanted.get(item)),
  )
  for (const { outcome } of outcomes) seen.add(outcome)
  for (const item of items)
    if (fixture.model.orders.has(item.id) && !fixture.placed.includes(item))
      fixture.placed.push(item)
}

async function settle(fixture: Fixture, items: readonly Settlement[]): Promise<void> {
  const outcomes = await Promise.all(items.map((item) => batcher.settle(item)))
  const results = outcomes.map(({ outcome, state }) => ({ outcome, state }))
  assert.deepEqual(results, fixture.model.settle(items))
  for (const { outcome } of results) seen.add(outcome)
}

async function take(fixture: Fixture, one: Step): Promise<void> {
  const { model, placed } = fixture
  if ('place' in one)
    return place(
      fixture,
      one.place.map((each) => placementOf(fixture, each)),
    )
  if ('settle' in one && placed.length > 0)
    return settle(
      fixture,
      one.settle.map((each) => ended(fixture, each)),
    )
  const open = placed.filter(({ id }) => model.orders.get(id)?.state === 'pending')
  if ('again' in one && open.length > 0)
    return place(fixture, [...new Set(one.again.map((each) => some(open, each)))])
  if ('purge' in one) return purge(fixture, one.purge)
  if ('unrenewed' in one) return markUnrenewed(fixture, one.unrenewed)
}

/** A key becomes a day old. */
async function purge({ model }: Fixture, which: number): Promise<void> {
  const keys = [...model.keys.values()].filter(({ old }) => !old)
  if (keys.length === 0) return
  const key = some(keys, which)
  key.old = true
  await db.query(
    `update idempotency_keys set created_at = now() - interval '25 hours' where order_id = $1`,
    [key.order_id],
  )
}

const leavings: readonly (Leaving & { rgp_statuses: string })[] = [
  { deleting: true, redemption: true, rgp_statuses: '{redemptionPeriod}' },
  { deleting: true, redemption: false, rgp_statuses: '{}' },
  { deleting: false, redemption: true, rgp_statuses: '{redemptionPeriod}' },
  { deleting: true, redemption: false, rgp_statuses: '{redemptionPeriod,pendingRestore}' },
]

/** The registry was asked to delete an unrenewed name. */
async function markUnrenewed({ model }: Fixture, which: number): Promise<void> {
  const names = [...model.holdings.keys()]
  if (names.length === 0) return
  const domain = some(names, which)
  const held = model.holdings.get(domain)
  const { rgp_statuses, ...leaving } = some(leavings, which)
  if (held) Object.assign(held, leaving)
  await db.query(
    `update domains set deletion_at = case when $2 then now() end, rgp_statuses = $3
      where name = $1 and ended_at is null`,
    [domain, leaving.deleting, rgp_statuses],
  )
}

const sorted = (lines: Iterable<string>) => [...lines].sort()

/** The state of the database, in the terms of the model. */
async function ledgerOf({ customers, domains }: Fixture) {
  const mine = [customers.map(({ id }) => id)]
  const lines = async (text: string, params: unknown[]) =>
    sorted((await db.query(text, params)).map(({ line }) => String(line)))
  return {
    balances: await lines(
      `select concat_ws(' ', customer_id, currency, available, held) as line
         from ledger_accounts where customer_id = any ($1)`,
      mine,
    ),
    orders: await lines(
      `select concat_ws(' ', id, state, domain) as line from orders where customer_id = any ($1)`,
      mine,
    ),
    holdings: await lines(
      `select concat_ws(' ', name, customer_id, order_id, deletion_at is not null,
                        extract(epoch from expiry)::bigint) as line
         from domains where name = any ($1) and ended_at is null`,
      [domains],
    ),
    keys: await lines(
      `select concat_ws(' ', customer_id, key, order_id, answer) as line from idempotency_keys
        where customer_id = any ($1)`,
      mine,
    ),
    contacts: await lines(
      `select distinct holder as line from domain_contacts d join contacts c on c.id = contact_id
        where c.customer_id = any ($1)`,
      mine,
    ),
    entries: await lines(
      `select concat_ws(' ', operation_id, type, abs(amount)) as line from ledger_entries
        where customer_id = any ($1) and type <> 'top_up'`,
      mine,
    ),
    auditRows: await lines(
      `select count(*)::text as line from audit_logs a join orders o on o.id = metadata->>'order'
        where o.customer_id = any ($1)`,
      mine,
    ),
  }
}

function expectedLedger({ model }: Fixture): Awaited<ReturnType<typeof ledgerOf>> {
  const orders = [...model.orders.values()]
  const answer = (id: string) => {
    const kept = model.orders.get(id)?.answer
    return kept ? ` ${JSON.stringify(kept).replace(':', ': ')}` : ''
  }
  return {
    balances: sorted(
      [...model.balances].map(([key, one]) => `${key} ${one.available} ${one.held}`),
    ),
    orders: sorted(orders.map(({ item, state }) => `${item.id} ${state} ${item.domain}`)),
    holdings: sorted(
      [...model.holdings].map(
        ([name, { customer_id, order_id, deleting, expiry }]) =>
          `${name} ${customer_id} ${order_id} ${deleting ? 't' : 'f'} ${Date.parse(expiry) / 1000}`,
      ),
    ),
    keys: sorted([...model.keys].map(([key, { order_id: id }]) => `${key} ${id}${answer(id)}`)),
    contacts: sorted(model.contacts),
    entries: sorted(model.entries),
    auditRows: [String(model.auditRows)],
  }
}

/** Each entry says the balance after it, and is a transfer between two accounts. */
async function checkLedger({ customers }: Fixture): Promise<void> {
  const wrong = await db.query(
    `select e.id from (
       select id, customer_id, available_after, held_after,
              sum(case when type = 'capture' then 0 else amount end) over so_far as available,
              sum(case type when 'hold' then -amount when 'release' then -amount
                            when 'capture' then amount else 0 end) over so_far as held
         from ledger_entries
       window so_far as (partition by customer_id, currency order by id)) e
      where e.customer_id = any ($1)
        and (e.available <> e.available_after or e.held <> e.held_after
             or not exists (select from ledger_transfers t
                             where t.id = e.id and t.debit_account <> t.credit_account))`,
    [customers.map(({ id }) => id)],
  )
  assert.deepEqual(wrong, [])
}

test('any batches have the outcome of their orders one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ balances, steps }) => {
      const fixture = await newFixture(balances)
      for (const one of steps) {
        await take(fixture, one)
        assert.deepEqual(await ledgerOf(fixture), expectedLedger(fixture))
        await checkLedger(fixture)
      }
    }),
    { numRuns: 40 },
  )
  assert.deepEqual(sorted(seen), sorted(possible))
})

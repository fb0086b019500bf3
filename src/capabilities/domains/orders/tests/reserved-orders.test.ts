// The renewal reserve at the hold: drawn on first, returned by a release, and never below zero,
// against a model and at two nodes at once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { app_role } from '../../../../../test/support/database.ts'
import { openDatabase } from '../../../../db/database.ts'
import { newId } from '../../../../kit/random.ts'
import { readBalance } from '../../../../ledger/ledger.ts'
import { balance } from '../../../bookkeeping/ledger/trial-balance.ts'
import { db, newCustomer, placing, settling } from '../order-batcher.fixture.ts'
import { openOrderBatcher, type Placement } from '../order-batcher.ts'
import { brokenInvariants } from './ledger-invariants.fixture.ts'

const other = await openDatabase({ url: db.url, app_role })
after(() => other.close())
const nodes = [openOrderBatcher(db.database, 0), openOrderBatcher(other, 0)]
const at = (node: number) => nodes[node % 2] ?? assert.fail()
let names = 0
const nextName = () => {
  names += 1
  return `reserved-${names}.com`
}

async function setReserve(customer: string, amount: bigint): Promise<string> {
  const [row] = await db.query(`select outcome from ledger_set_reserve($1, 'USD', $2)`, [
    customer,
    amount,
  ])
  return String(row?.outcome)
}

async function credit(customer: string, amount: bigint): Promise<string> {
  const payment = newId('pay')
  await db.query(`select payments_credit($1, $2, 'USD', $3, $4::jsonb)`, [
    payment,
    customer,
    amount,
    { account: 'gateway', description: 't' },
  ])
  return payment
}

async function shown(customer: string) {
  const { available, held, reserved, owed } = await readBalance(db.database, customer, 'USD')
  return { available, held, reserved, owed }
}

const drawing = (customer: string, amount: bigint, from_reserve = true): Placement =>
  placing(customer, nextName(), { amount: String(amount), from_reserve })

async function assertSound(): Promise<void> {
  assert.deepEqual(await brokenInvariants(db.query), [])
  const report = await db.database.transaction((sql) => balance(sql, null))
  assert.deepEqual(report.comparison?.differences, [])
  assert.equal(report.sound, true)
}

test('an order draws on the reserve first, and a release returns it', async () => {
  const customer = await newCustomer(1_000n)
  assert.equal(await setReserve(customer, 700n), 'done')
  assert.deepEqual(await shown(customer), { available: 300n, held: 0n, reserved: 700n, owed: 0n })
  const order = drawing(customer, 900n)
  assert.deepEqual(await at(0).place(order), { outcome: 'placed' })
  assert.deepEqual(await shown(customer), { available: 100n, held: 900n, reserved: 0n, owed: 0n })
  await at(0).settle(settling(order, false))
  assert.deepEqual(await shown(customer), { available: 300n, held: 0n, reserved: 700n, owed: 0n })
  const again = drawing(customer, 600n)
  await at(1).place(again)
  await at(1).settle(settling(again, true))
  assert.deepEqual(await shown(customer), { available: 300n, held: 0n, reserved: 100n, owed: 0n })
  await assertSound()
})

test('another order cannot spend it, and one that is not covered moves nothing', async () => {
  const customer = await newCustomer(1_000n)
  await setReserve(customer, 700n)
  const before = await shown(customer)
  assert.deepEqual(await at(0).place(drawing(customer, 301n, false)), {
    outcome: 'insufficient_funds',
    available: 300n,
  })
  assert.deepEqual(await at(0).place(drawing(customer, 1_001n)), {
    outcome: 'insufficient_funds',
    available: 1_000n,
  })
  assert.deepEqual(await shown(customer), before)
})

test('of many orders at two nodes at once, the reserve and the balance pay exactly as many', async () => {
  const customer = await newCustomer(1_000n)
  await setReserve(customer, 450n)
  const orders = Array.from({ length: 40 }, (_, i) => drawing(customer, 100n, i % 2 === 0))
  const results = await Promise.all(orders.map((order, i) => at(i).place(order)))
  const placed = orders.filter((_, i) => results[i]?.outcome === 'placed')
  const left = await shown(customer)
  assert.equal(left.held, BigInt(placed.length) * 100n)
  assert.equal(left.available + left.held + left.reserved, 1_000n)
  assert.ok(left.available < 100n, 'what is left pays for no order of the others')
  await Promise.all(placed.map((order, i) => at(i).settle(settling(order, i % 3 === 0))))
  await assertSound()
})

test('no statement moves money between the reserves of two customers, or past their owner', async () => {
  const [one, two] = [await newCustomer(1_000n), await newCustomer(1_000n)]
  await Promise.all([setReserve(one, 100n), setReserve(two, 100n)])
  type Row = { code: string; debit: string; credit: string; customer: string }
  const insert = ({ code, debit, credit, customer }: Row) =>
    db.query(
      `insert into ledger_transfers (debit_account, credit_account, customer_account, customer_id,
         currency, amount, phase, code, available_after, held_after, description, operation_id)
       select d.id, c.id, a.id, a.customer_id, 'USD', 1, 'single', $1, 0, 0, 'x', null
         from ledger_accounts d, ledger_accounts c, ledger_accounts a
        where coalesce(d.customer_id, d.reserve_of) = $2 and (d.reserve_of is null) = ($2 = $4)
          and c.reserve_of = $3 and a.customer_id = $4`,
      [code, debit, credit, customer],
    )
  await assert.rejects(
    insert({ code: 'reserve', debit: one, credit: two, customer: one }),
    /ledger_own_account/,
  )
  await assert.rejects(
    insert({ code: 'adjustment', debit: one, credit: one, customer: one }),
    /ledger_own_account|evidence/,
  )
  await assert.rejects(
    insert({ code: 'reserve', debit: two, credit: one, customer: one }),
    /ledger_transfer_of_customer/,
  )
})

type Model = { available: bigint; held: bigint; reserved: bigint; owed: bigint }
type Made = { order: Placement; amount: bigint; drawn: bigint; open: boolean }
const least = (...some: bigint[]) => some.reduce((one, next) => (next < one ? next : one))

function collect(model: Model): void {
  const paid = least(model.owed, model.available)
  model.available -= paid
  model.owed -= paid
}

const cents = fc.bigInt({ min: 1n, max: 300n })
const step = fc.oneof(
  fc.record({ do: fc.constant('credit' as const), amount: cents }),
  fc.record({ do: fc.constant('reserve' as const), amount: fc.bigInt({ min: 0n, max: 400n }) }),
  fc.record({ do: fc.constant('place' as const), amount: cents, from_reserve: fc.boolean() }),
  fc.record({ do: fc.constant('settle' as const), which: fc.nat(9), succeeds: fc.boolean() }),
  fc.record({ do: fc.constant('reverse' as const), which: fc.nat(9), amount: cents }),
)

test('any course of payments, reserves, orders and reversals is that of the model', async () => {
  const course = fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
    const customer = await newCustomer(0n)
    const model: Model = { available: 0n, held: 0n, reserved: 0n, owed: 0n }
    const payments: { id: string; left: bigint }[] = []
    const orders: Made[] = []
    for (const one of steps) {
      if (one.do === 'credit') {
        payments.push({ id: await credit(customer, one.amount), left: one.amount })
        model.available += one.amount
        collect(model)
      } else if (one.do === 'reserve') {
        const change = one.amount - model.reserved
        const refused =
          (change > 0n && model.owed > 0n && 'owed') ||
          (change > model.available && 'insufficient_funds')
        assert.equal(await setReserve(customer, one.amount), refused || 'done')
        if (!refused) {
          model.available -= change
          model.reserved = one.amount
          // It stays as it was set: what open orders have drawn goes to the balance.
          if (change !== 0n) for (const order of orders) order.drawn = 0n
        }
      } else if (one.do === 'place') await place(customer, model, orders, one)
      else if (one.do === 'settle') await settle(model, orders, one)
      else await reverse(model, payments, one)
      assert.deepEqual(await shown(customer), model)
    }
  })
  await fc.assert(course, { numRuns: 60 })
  await assertSound()
})

type Placing = { amount: bigint; from_reserve: boolean }

async function place(
  ...[customer, model, orders, { amount, from_reserve }]: [string, Model, Made[], Placing]
) {
  const drawn = from_reserve ? least(model.reserved, amount) : 0n
  const covered = model.owed === 0n && model.available + drawn >= amount
  const order = drawing(customer, amount, from_reserve)
  const { outcome } = await at(names).place(order)
  assert.equal(outcome, covered ? 'placed' : 'insufficient_funds')
  if (!covered) return
  model.available += drawn - amount
  model.reserved -= drawn
  model.held += amount
  orders.push({ order, amount, drawn, open: true })
}

async function settle(
  model: Model,
  orders: Made[],
  { which, succeeds }: { which: number; succeeds: boolean },
) {
  const made = orders.filter(({ open }) => open)[which]
  if (!made) return
  made.open = false
  await at(which).settle(settling(made.order, succeeds))
  model.held -= made.amount
  if (succeeds) return
  model.available += made.amount
  collect(model)
  const back = least(made.drawn, model.available)
  model.available -= back
  model.reserved += back
}

async function reverse(
  model: Model,
  payments: { id: string; left: bigint }[],
  { which, amount: asked }: { which: number; amount: bigint },
) {
  const payment = payments[which]
  const amount = payment ? least(asked, payment.left) : 0n
  if (!payment || amount === 0n) return
  payment.left -= amount
  await db.query(`select payments_reverse($1, $2, 'refund', $3, $4)`, [
    newId('rev'),
    payment.id,
    amount,
    { description: 'r' },
  ])
  const pulled = model.available < amount ? least(model.reserved, amount - model.available) : 0n
  model.reserved -= pulled
  model.available += pulled
  const taken = least(model.available, amount)
  model.available -= taken
  model.owed += amount - taken
}

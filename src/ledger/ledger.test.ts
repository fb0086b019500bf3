// The invariants of the ledger on a real database, and that the service's role cannot break them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { credit, db, move, newCustomer, reverse, unbalanced } from './ledger.fixture.ts'
import { readBalance, readEntries } from './ledger.ts'

type Step = {
  what: 'top_up' | 'hold' | 'capture' | 'release' | 'refund' | 'reinstatement'
  amount: bigint
  operation: number
}

test('a top-up, a hold and its capture move their amounts', async () => {
  const customer = await newCustomer()
  await credit(customer, 1000n)
  await move('hold', customer, 300n, 'o1')
  let balance = await readBalance(db.database, customer, 'USD')
  assert.deepEqual([balance.available, balance.held], [700n, 300n])
  await move('capture', customer, 300n, 'o1')
  balance = await readBalance(db.database, customer, 'USD')
  assert.deepEqual([balance.available, balance.held], [700n, 0n])
  const entries = await readEntries(db.database, customer, {
    currency: null,
    before: null,
    limit: 9,
  })
  const shown = entries.map((entry) => [entry.type, entry.amount, entry.available_after])
  assert.deepEqual(shown, [
    ['capture', -300n, 700n],
    ['hold', -300n, 700n],
    ['top_up', 1000n, 1000n],
  ])
})

test('a hold above the balance has no effect, and reports that', async () => {
  const customer = await newCustomer()
  await credit(customer, 100n)
  assert.equal(await move('hold', customer, 101n, 'o2'), false)
  const balance = await readBalance(db.database, customer, 'USD')
  assert.deepEqual([balance.available, balance.held], [100n, 0n])
})

test('one operation is held once and ended once', async () => {
  const customer = await newCustomer()
  await credit(customer, 1000n)
  await move('hold', customer, 10n, 'o3')
  await assert.rejects(move('hold', customer, 10n, 'o3'), /ledger_one_hold/)
  await move('release', customer, 10n, 'o3')
  await assert.rejects(move('capture', customer, 10n, 'o3'), /no_negative_hold|ledger_one_end/)
  await assert.rejects(move('release', customer, 10n, 'o3'), /no_negative_hold|ledger_one_end/)
})

test('200 holds at once on one balance never take more than there is', async () => {
  const customer = await newCustomer()
  await credit(customer, 1000n)
  const holds = Array.from({ length: 200 }, (_, i) => move('hold', customer, 30n, `p${i}`))
  const granted = (await Promise.all(holds)).filter((held) => held).length
  assert.equal(granted, 33)
  const balance = await readBalance(db.database, customer, 'USD')
  assert.deepEqual([balance.available, balance.held], [10n, 990n])
})

test('whatever is tried, entries balance and no balance is below zero', async () => {
  const step = fc.record({
    what: fc.constantFrom('top_up', 'hold', 'capture', 'release', 'refund', 'reinstatement'),
    amount: fc.bigInt({ min: 1n, max: 500n }),
    operation: fc.integer({ min: 1, max: 6 }),
  })
  const refused = /ledger_(one|hold|end)|no_negative_hold|would sum up/
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const customer = await newCustomer()
      const payments = [await credit(customer, 300n)]
      const one = async ({ what, amount, operation }: Step) => {
        const payment = payments[operation % payments.length] ?? ''
        if (what === 'top_up') payments.push(await credit(customer, amount))
        else if (what === 'refund' || what === 'reinstatement')
          await reverse(payment, amount, { kind: what })
        else await move(what, customer, amount, `${customer}-${operation}`)
      }
      for (const each of steps)
        await one(each).catch((error: Error) => assert.match(error.message, refused))
      const { available, held, owed } = await readBalance(db.database, customer, 'USD')
      assert.ok(available >= 0n && held >= 0n && owed >= 0n)
      assert.ok(owed === 0n || available === 0n)
      const [sums] = await db.query(
        `select coalesce(sum(case when type <> 'capture' then amount end), 0) as available,
                coalesce(sum(case type when 'hold' then -amount when 'release' then -amount
                                       when 'capture' then amount end), 0) as held
           from ledger_entries where customer_id = $1`,
        [customer],
      )
      assert.deepEqual([sums?.available, sums?.held].map(String), [String(available), String(held)])
      assert.deepEqual(await unbalanced(), [])
    }),
    { numRuns: 40 },
  )
})

test('an end is of its own hold: neither another amount nor an order that is not held', async () => {
  const customer = await newCustomer()
  await credit(customer, 1000n)
  await move('hold', customer, 300n, 'e1')
  for (const type of ['capture', 'release'] as const) {
    await assert.rejects(move(type, customer, 299n, 'e1'), /ledger_end_has_hold/)
    await assert.rejects(move(type, customer, 300n, 'e2'), /ledger_end_has_hold/)
    await assert.rejects(move(type, customer, -300n, 'e1'), /orders_amount_check|evidence|end_has/)
  }
  await assert.rejects(move('hold', customer, 299n, 'e1'), /ledger_(one_hold|hold_has_order)/)
  const { available, held } = await readBalance(db.database, customer, 'USD')
  assert.deepEqual([available, held], [700n, 300n])
})

test('a transfer is between two accounts of its currency, the customer’s own, and has evidence', async () => {
  const [customer, other] = [await newCustomer(), await newCustomer()]
  await credit(customer, 1000n)
  await credit(other, 1000n)
  await move('hold', customer, 300n, 't1')
  const [pending = {}] = await db.query(`select * from ledger_transfers where operation_id = 't1'`)
  const [accounts = {}] = await db.query(
    `select (select id from ledger_accounts where customer_id = $1) as other,
            (select id from ledger_accounts where code = 'sales' and currency = 'EUR') as sales_eur,
            (select id from ledger_accounts where code = 'adjustments' and currency = 'USD')
              as adjustments`,
    [other],
  )
  const end = { ...pending, phase: 'post', pending_id: pending.id }
  const written = [
    'debit_account',
    'credit_account',
    'customer_account',
    'customer_id',
    'currency',
    'amount',
    'phase',
    'pending_id',
    'code',
    'available_after',
    'held_after',
    'description',
    'domain',
    'operation_id',
    'checkout_id',
  ]
  const insert = (row: object) =>
    db.query(
      `insert into ledger_transfers (${written.join(', ')})
       values (${written.map((_, i) => `$${i + 1}`).join(', ')})`,
      written.map((name) => Object(row)[name] ?? null),
    )
  const wrong: [object, RegExp][] = [
    [{ credit_account: pending.debit_account }, /ledger_transfers_check/],
    [{ amount: 0n }, /amount_check/],
    [{ amount: 299n }, /ledger_end_has_hold/],
    [{ credit_account: accounts.sales_eur }, /ledger_own_account/],
    [{ credit_account: accounts.adjustments }, /ledger_end_has_hold/],
    [{ customer_account: accounts.other }, /ledger_transfer_(of_customer|evidence)/],
    [
      { debit_account: accounts.other, customer_account: accounts.other, customer_id: other },
      /ledger_end_has_hold/,
    ],
    [{ customer_id: other }, /customer_account_customer_id_currency_fkey/],
    [{ customer_account: null, customer_id: null }, /ledger_transfer_evidence/],
    [{ operation_id: 't2' }, /ledger_end_has_hold/],
    [{ operation_id: null }, /ledger_transfer_evidence/],
    [{ pending_id: null }, /ledger_transfers_check/],
    [{ phase: 'single', pending_id: null }, /ledger_transfer_evidence/],
    [{ phase: 'pending', pending_id: null }, /ledger_one_hold/],
    [{ phase: 'pending', pending_id: null, operation_id: 'no order' }, /ledger_hold_has_order/],
    ...['refund', 'reversal', 'adjustment', 'top_up'].map((code): [object, RegExp] => [
      { code, phase: 'single', pending_id: null, operation_id: null },
      /ledger_transfer_evidence/,
    ]),
  ]
  for (const [fields, words] of wrong)
    await assert.rejects(
      insert({ ...end, ...fields }),
      words,
      JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
  await insert(end)
  await assert.rejects(insert(end), /ledger_one_end/)
  await assert.rejects(insert({ ...end, phase: 'void' }), /ledger_one_end/)
})

test('refuses a transfer from one customer to another', async () => {
  const [customer, other] = [await newCustomer(), await newCustomer()]
  await credit(customer, 1000n)
  await credit(other, 1000n)
  await move('hold', customer, 300n, 'b1')
  assert.equal(await move('hold', customer, 1001n, 'b2'), false, 'an order without a hold')
  const ids = await db.query(
    `select (select id from ledger_accounts where customer_id = $1)::int as own,
            (select id from ledger_accounts where customer_id = $2)::int as other`,
    [customer, other],
  )
  for (const changed of [
    { operation_id: 'b2', amount: 1001, credit_account: ids[0]?.other },
    {
      code: 'top_up',
      phase: 'single',
      operation_id: null,
      payment_id: 'pay_of_other',
      debit_account: ids[0]?.other,
      credit_account: ids[0]?.own,
    },
  ])
    await assert.rejects(
      db.query(
        `insert into ledger_transfers (
           debit_account, credit_account, customer_account, customer_id, currency, amount, phase,
           code, available_after, held_after, description, operation_id, payment_id)
         select r.debit_account, r.credit_account, r.customer_account, r.customer_id, r.currency,
                r.amount, r.phase, r.code, 0, 0, '', r.operation_id, r.payment_id
           from ledger_transfers t cross join lateral jsonb_populate_record(t, $1::jsonb) r
          where t.operation_id = 'b1'`,
        [JSON.stringify(changed)],
      ),
      /ledger_own_account/,
    )
})

test('opens an account of our own as a row, once per currency', async () => {
  const open = async (code: string, currency = 'USD') =>
    (await db.query('select ledger_open_account($1, $2) as id', [code, currency]))[0]?.id
  const id = await open('gateway_x')
  assert.equal(await open('gateway_x'), id)
  assert.notEqual(await open('gateway_x', 'EUR'), id)
  await assert.rejects(open('customer'), /ledger_accounts_owner/)
  await assert.rejects(open('gateway_x', 'XXX'), /ledger_accounts_currency_check/)
})

test("the service's role can change no row of the ledger directly", async () => {
  const asApp = (sql: string) =>
    db.query(`do $$ begin set local role agent_registrar_app; ${sql}; end $$`)
  for (const table of ['ledger_accounts', 'ledger_transfers'])
    for (const sql of [
      `delete from ${table}`,
      `truncate ${table}`,
      `insert into ${table} default values`,
    ])
      await assert.rejects(asApp(sql), /permission denied/, sql)
  await assert.rejects(asApp('update ledger_accounts set available = 1'), /permission denied/)
  await assert.rejects(asApp('update ledger_transfers set amount = 1'), /permission denied/)
})

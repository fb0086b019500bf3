// Least privilege in the ledger: whatever the service's role executes or writes, no balance comes
// from nothing. Functions and tables are read from the catalogs, so that a new one is tried as
// well.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { app_role } from '../../../../../test/support/database.ts'
import { db, newCustomer, placing, settling } from '../order-batcher.fixture.ts'
import { openOrderBatcher } from '../order-batcher.ts'
import { brokenInvariants } from './ledger-invariants.fixture.ts'

const batcher = openOrderBatcher(db.database)
const app = new pg.Client(db.url)
const known = { rich: '', other: '', open: '', succeeded: '', failed: '' }

before(async () => {
  known.rich = await newCustomer(1_000_000n)
  known.other = await newCustomer(5_000n)
  const [open, succeeded, failed] = ['open', 'succeeded', 'failed'].map((name) =>
    placing(known.rich, `${name}.com`),
  )
  assert.ok(open && succeeded && failed)
  for (const order of [open, succeeded, failed]) await batcher.place(order)
  await batcher.settle(settling(succeeded, true))
  await batcher.settle(settling(failed, false))
  Object.assign(known, { open: open.id, succeeded: succeeded.id, failed: failed.id })
  await app.connect()
  await app.query(`set role ${app_role}; set statement_timeout = 2000`)
  assert.deepEqual(await brokenInvariants(db.query), [])
})
after(() => app.end())

type Argument = { name: string; type: string; composite: boolean }
type Callable = { name: string; definer: boolean; arguments: Argument[] }

async function callables(): Promise<Callable[]> {
  const rows = await db.query(
    `select p.proname as name, p.prosecdef as definer,
            (select coalesce(jsonb_agg(jsonb_build_object(
                      'name', coalesce(p.proargnames[i], ''), 'type', format_type(t.oid, null),
                      'composite', coalesce(e.typtype, t.typtype) = 'c') order by i), '[]')
               from unnest(p.proargtypes::oid[]) with ordinality as a (type, i)
               join pg_type t on t.oid = a.type
               left join pg_type e on e.oid = t.typelem) as arguments
       from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
        and has_function_privilege('${app_role}', p.oid, 'execute')
      order by p.proname`,
  )
  return rows.map((row) => Object(row))
}

const amounts = [-1_000_000, -1, 0, 1, 1_000, 2n ** 63n - 1n, null].map(
  (n) => n?.toString() ?? null,
)
const moves = ['hold', 'capture', 'release', 'top_up', 'adjustment']
const ids = () => [known.open, known.succeeded, known.failed, 'ord_none', null]

/** Values of an argument, or of a field of a batch, that an attacker would try. */
function hostile({ name, type }: Pick<Argument, 'name' | 'type'>): unknown[] {
  if (/customer|account/.test(name)) return [known.rich, known.other, 'cus_none', null]
  if (/currenc/.test(name)) return ['USD', 'EUR', 'XXX', null]
  if (/^type$/.test(name)) return [...moves, 'register', 'renew', 'x']
  if (/int|numeric|double/.test(type)) return amounts
  if (type === 'boolean') return [true, false, null]
  if (type === 'jsonb')
    return [...ids(), undefined].map((operation_id) =>
      JSON.stringify({ description: 'x', operation_id, checkout_id: 'cs_none', domain: 'x.com' }),
    )
  if (/timestamp/.test(type)) return ['2026-01-01T00:00:00Z', 'infinity', null]
  return ids()
}

const order = fc.constantFrom(
  ...[
    'id',
    'customer_id',
    'type',
    'domain',
    'currency',
    'amount',
    'fence',
    'contacts',
    'fingerprint',
  ],
)
/** A batch for orders_place or orders_settle, with one or two fields turned hostile. */
function batches(name: string): fc.Arbitrary<string> | undefined {
  if (name === 'orders_place')
    return fc
      .tuple(
        fc.constantFrom('rich', 'other'),
        order,
        order,
        fc.nat(9),
        fc.integer({ min: 1, max: 2 }),
      )
      .map(([who, one, two, pick, times]) => {
        const item = placing(who === 'rich' ? known.rich : known.other, `h-${pick}.com`)
        for (const field of [one, two]) {
          const type = field === 'amount' ? 'bigint' : field === 'contacts' ? 'jsonb' : 'text'
          const values = hostile({ name: field, type })
          Object.assign(item, { [field]: values[pick % values.length] })
        }
        return JSON.stringify(Array.from({ length: times }, (_, i) => ({ i, ...item })))
      })
  if (name === 'orders_settle')
    return fc
      .tuple(fc.nat(4), fc.boolean(), fc.constantFrom('USD', 'EUR'), fc.nat(2), fc.boolean())
      .map(([pick, succeeded, currency, repeated, other]) => {
        const open = placing(other ? known.other : known.rich, 'open.com', {
          id: ids()[pick] ?? '',
          currency,
        })
        const item = { ...settling(open, succeeded), amount: '-1000000', type: 'register' }
        return JSON.stringify(Array.from({ length: repeated + 1 }, (_, i) => ({ i, ...item })))
      })
  return undefined
}

/** JSON of rows of a composite type, its fields hostile each by its own name and type. */
function rowsOf(fields: { name: string; type: string }[]): fc.Arbitrary<string> {
  const row = fc.record(
    Object.fromEntries(fields.map((field) => [field.name, fc.constantFrom(...hostile(field))])),
  )
  return fc.array(row, { minLength: 1, maxLength: 3 }).map((rows) => JSON.stringify(rows))
}

async function fieldsOf(type: string): Promise<{ name: string; type: string }[]> {
  const rows = await db.query(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regtype::text::regclass and attnum > 0 and not attisdropped`,
    [type.replace('[]', '')],
  )
  return rows.map((row) => Object(row))
}

async function argumentOf(name: string, argument: Argument): Promise<fc.Arbitrary<unknown>> {
  const { type, composite } = argument
  if (composite) return rowsOf(await fieldsOf(type))
  if (type === 'jsonb') return batches(name) ?? fc.constantFrom(...hostile(argument))
  if (!type.endsWith('[]')) return fc.constantFrom(...hostile(argument))
  const one = hostile({ ...argument, type: type.replace('[]', '') }).filter((v) => v !== null)
  return fc.array(fc.constantFrom(...one), { maxLength: 3 }).map((many) => `{${many.join(',')}}`)
}

function sqlOf({ type, composite }: Argument, i: number): string {
  if (!composite) return `$${i + 1}::text::${type}`
  const [one] = type.split('[')
  const rows = `from jsonb_populate_recordset(null::${one}, $${i + 1}::jsonb) x`
  return type.endsWith('[]') ? `(select array_agg(x) ${rows})` : `(select x ${rows} limit 1)`
}

/** Every combination where there are few, else a sample. */
async function tries({ name, arguments: wanted }: Callable): Promise<unknown[][]> {
  const plain = wanted.every(({ type, composite }) => !composite && !type.endsWith('[]'))
  if (plain && batches(name) === undefined) {
    const all = wanted.reduce<unknown[][]>(
      (rows, argument) => rows.flatMap((row) => hostile(argument).map((value) => [...row, value])),
      [[]],
    )
    if (all.length <= 900) return all
  }
  const parts = await Promise.all(wanted.map((argument) => argumentOf(name, argument)))
  return fc.sample(fc.tuple(...parts), { numRuns: 120, seed: 7 })
}

test('no call of any function makes, moves or loses money against the invariants', async () => {
  const outcomes = new Map<string, Set<string>>()
  for (const one of await callables()) {
    const text = `select ${one.name}(${one.arguments.map(sqlOf).join(', ')})`
    const codes = new Set<string>()
    for (const values of await tries(one))
      await app.query(text, values).then(
        () => codes.add('done'),
        (error: pg.DatabaseError) => codes.add(String(error.code)),
      )
    outcomes.set(one.name, codes)
    assert.deepEqual(await brokenInvariants(db.query), [], `after ${one.name}`)
  }
  // The functions of money were reached, not refused at the connection.
  for (const name of ['orders_place', 'orders_settle'])
    assert.ok(outcomes.get(name)?.has('done'), `${name}: ${[...(outcomes.get(name) ?? [])]}`)
  for (const [name, codes] of outcomes)
    assert.ok(!codes.has('42601') && !codes.has('42883'), `${name} was not called: ${[...codes]}`)
})

test('only functions of money, of partitions and of ended approvals run with their owner’s rights for the service', async () => {
  const definers = (await callables()).filter(({ definer }) => definer).map(({ name }) => name)
  assert.deepEqual(definers, [
    'approvals_purge',
    'deposit_path_of',
    'invoices_issue',
    'ledger_adjust',
    'ledger_open_account',
    'ledger_set_reserve',
    'limits_lock',
    'orders_place',
    'orders_settle',
    'partitions_create_next',
    'partitions_drop_empty',
    'partitions_problems',
    'payments_credit',
    'payments_reverse',
  ])
  // A temporary table of the caller never stands in for one of theirs.
  const unsafe = await db.query(
    `select proname from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef
        and not coalesce(array_to_string(proconfig, ' ') ~ 'search_path=[^=]*\\mpg_temp', false)`,
  )
  assert.deepEqual(unsafe, [])
})

const tables = [
  'ledger_accounts',
  'ledger_adjustments',
  'ledger_transfers',
  'orders',
  'payment_reversals',
  'payments',
]

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  const rows = await db.query(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1`,
    [table],
  )
  return rows.map((row) => Object(row))
}

for (const table of tables)
  test(`no insert, update, delete or truncate of ${table} breaks an invariant`, async () => {
    const columns = await columnsOf(table)
    const all = columns.map(({ name }) => name).join(', ')
    const copies = `insert into ${table} (${all}) overriding system value
                    select ${all} from ${table} limit 1`
    const hasty = [`delete from ${table}`, `truncate ${table} cascade`, copies]
    for (const text of hasty) await assert.rejects(app.query(text), { name: 'error' }, text)
    let tried = 0
    for (const column of columns)
      for (const value of hostile(column)) {
        const text = `update ${table} set ${column.name} = $1::text::${column.type}`
        await app.query(text.replace('::ARRAY', '::text[]'), [value]).catch(() => undefined)
        tried += 1
      }
    assert.ok(tried > 10)
    assert.deepEqual(await brokenInvariants(db.query), [])
  })

test('a payment is credited once, above zero, and has no other transfer', async () => {
  const credit = (payment: string, more: { amount?: number; customer?: string } = {}) =>
    app.query(`select transfer_id from payments_credit($1, $2, 'USD', $3, $4::jsonb)`, [
      payment,
      more.customer ?? known.rich,
      more.amount ?? 500,
      JSON.stringify({ account: 'gateway', description: 'x' }),
    ])
  await assert.rejects(credit('pay_minus', { amount: -500 }), { code: '23514' })
  await assert.rejects(credit('pay_unknown', { customer: 'cus_unknown' }), { code: '23503' })
  await credit('pay_good')
  await assert.rejects(credit('pay_good'), { code: '23505' })
  await assert.rejects(credit('pay_good', { customer: known.other }), { code: '23505' })
  await assert.rejects(
    app.query(
      `insert into payments (id, customer_id, currency, amount, account, transfer_id)
       select 'pay_hold', customer_id, currency, amount, 'gateway', id
         from ledger_transfers where phase = 'pending' limit 1`,
    ),
    { code: '42501' },
  )
  assert.deepEqual(await brokenInvariants(db.query), [])
})

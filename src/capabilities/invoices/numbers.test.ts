// Numbers of invoices are gapless within a year, whatever ends the transactions that take them, and
// an issued document does not change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { app_role, testDatabase } from '../../../test/support/database.ts'
import { newId } from '../../kit/random.ts'

const db = await testDatabase()
const customer = newId('cus')
await db.query(
  `insert into customers (id, email, name, created_at, updated_at)
   values ($1, 'a@example.net', 'A', now(), now())`,
  [customer],
)
const items = JSON.stringify([{ description: 'x', quantity: 2, unit_amount: '150' }])
const facts = (more: object = {}) =>
  JSON.stringify({ kind: 'invoice', status: 'open', tax_amount: '0', ...more })
const issuing = 'select invoices_issue($1, $2, $3, $4) as id'

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(db.url)
  // Its backend is ended by a test.
  client.on('error', () => {})
  await client.connect()
  await client.query(`set role ${app_role}`)
  return client
}

async function numbers(): Promise<number[]> {
  const rows = await db.query('select invoice_number, issued_at from invoices order by id')
  const sorted = rows.map(({ invoice_number }) => Number(String(invoice_number).slice(5)))
  return sorted.sort((a, b) => a - b)
}

test('numbers have no gap after commits, rollbacks and ended backends at once', async () => {
  const ends = ['commit', 'rollback', 'ended', 'commit', 'failed'] as const
  const work = Array.from({ length: 50 }, async (_, index) => {
    const client = await connect()
    const end = ends[index % ends.length] ?? 'commit'
    await client.query('begin')
    const id = await client.query(issuing, [customer, 'USD', facts(), items])
    assert.equal(id.rows.length, 1)
    if (end === 'ended') {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      await db.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      return false
    }
    if (end === 'failed') await assert.rejects(client.query('select 1 / 0'))
    await client.query(end === 'failed' ? 'commit' : end)
    await client.end()
    return end === 'commit'
  })
  const committed = (await Promise.all(work)).filter(Boolean).length
  assert.equal(committed, 20)
  assert.deepEqual(
    await numbers(),
    Array.from({ length: committed }, (_, index) => index + 1),
  )
})

test('the first number of a year follows the last one of another year', async () => {
  const other = await testDatabase()
  await other.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, 'a@example.net', 'A', now(), now())`,
    [customer],
  )
  await other.query(`update invoice_numbers set year = 2020, number = 7, issued_at = '2020-12-31'`)
  const year = new Date().getUTCFullYear()
  for (const expected of [`${year}-000001`, `${year}-000002`]) {
    const [made] = await other.query(issuing, [customer, 'USD', facts(), items])
    const [row] = await other.query('select invoice_number from invoices where id = $1', [made?.id])
    assert.equal(row?.invoice_number, expected)
  }
})

test('numbers begin again with the year, and follow each other in the order of their times', async () => {
  await db.query(`update invoice_numbers set year = 2020, number = 7, issued_at = '2020-12-31'`)
  const [first] = await db.query(issuing, [customer, 'USD', facts(), items]).catch(() => [null])
  // The number of this year is taken by the test above.
  assert.equal(first, null)
  await db.query(`update invoice_numbers set year = 2999, number = 999998,
    issued_at = '2999-12-31T23:59:59Z'`)
  for (const expected of ['2999-999999', '2999-1000000']) {
    const [made] = await db.query(issuing, [customer, 'USD', facts(), items])
    const [row] = await db.query('select invoice_number, issued_at from invoices where id = $1', [
      made?.id,
    ])
    assert.equal(row?.invoice_number, expected)
    assert.deepEqual(row?.issued_at, new Date('2999-12-31T23:59:59Z'))
  }
})

test('the service can neither write a document nor change an issued one', async () => {
  const client = await connect()
  const denied = { code: '42501' }
  await assert.rejects(
    client.query('insert into invoices (customer_id) values ($1)', [customer]),
    denied,
  )
  await assert.rejects(client.query('update invoices set tax_amount = 1'), denied)
  await assert.rejects(client.query('delete from invoices'), denied)
  await assert.rejects(client.query('update invoice_items set quantity = 1'), denied)
  await assert.rejects(client.query('update invoice_numbers set number = 1'), denied)
  const kept = { code: '23514' }
  const { rows } = await client.query(issuing, [customer, 'USD', facts(), items])
  const end = (status: string, column: string) =>
    client.query(`update invoices set status = $2, ${column} = now() where id = $1`, [
      rows[0]?.id,
      status,
    ])
  await end('void', 'voided_at')
  await assert.rejects(end('paid', 'paid_at'), kept)
  // Nor does the owner of the tables.
  await assert.rejects(db.query('update invoices set notes = $1', ['x']), kept)
  await assert.rejects(db.query('delete from invoices'), kept)
  await client.end()
})

test('a payment has one document, and a credit note is of the same customer', async () => {
  const paid = { status: 'paid', paid_at: '2026-11-22T00:00:00Z', payment_id: 'payment/1' }
  const [first] = await db.query(issuing, [customer, 'USD', facts(paid), items])
  await assert.rejects(db.query(issuing, [customer, 'USD', facts(paid), items]), { code: '23505' })
  const note = { ...paid, kind: 'credit_note', payment_id: 'refund/1' }
  const credited = facts({ ...note, credited_invoice_id: String(first?.id) })
  await db.query(issuing, [customer, 'USD', credited, items])
  const other = newId('cus')
  await db.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, 'b@example.net', 'A', now(), now())`,
    [other],
  )
  const foreign = facts({ ...note, payment_id: 'refund/2', credited_invoice_id: String(first?.id) })
  await assert.rejects(db.query(issuing, [other, 'USD', foreign, items]), { code: '23503' })
})

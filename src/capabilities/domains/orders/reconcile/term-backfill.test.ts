// Holdings from before the ledger of terms: migration 0024 writes what their orders come to, and
// reports those that do not fit.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../../../../test/support/database.ts'
import { migrate } from '../../../../db/migrate/migrate.ts'
import { deleteUnrenewed } from '../../expiry/delete-expired.job.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { reportTermMismatches } from '../../holdings/report-term-mismatches.job.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-terms-'))
after(() => rmSync(scratch, { recursive: true }))
const all = join(import.meta.dirname, '../../../../db/migrations')
for (const name of readdirSync(all).filter((one) => one < '0024'))
  cpSync(join(all, name), join(scratch, name), { recursive: true })

type Made = {
  name: string
  type: 'register' | 'transfer'
  expiry: string
  /** Years of the first order, and of each renewal since. */
  years: number
  renewals?: number[]
  restores?: number
  registered_at?: string
}

const customer = `cus_${'1'.repeat(26)}`
const began = '2025-03-01T10:00:00Z'
const made: Made[] = [
  { name: 'plain.com', type: 'register', years: 1, expiry: '2026-03-01T10:00:00Z' },
  {
    name: 'renewed.com',
    type: 'register',
    years: 1,
    renewals: [2, 1],
    expiry: '2029-03-01T10:00:00Z',
  },
  {
    name: 'false-now.com',
    type: 'register',
    years: 1,
    renewals: [1],
    expiry: '2025-06-01T00:00:00Z',
  },
  { name: 'false-far.com', type: 'register', years: 1, expiry: '2035-03-01T10:00:00Z' },
  {
    name: 'false-birth.com',
    type: 'register',
    years: 2,
    expiry: '1972-01-01T00:00:00Z',
    registered_at: '1970-01-01T00:00:00Z',
  },
  { name: 'moved.com', type: 'transfer', years: 1, renewals: [1], expiry: '2030-07-01T00:00:00Z' },
  { name: 'moved-odd.com', type: 'transfer', years: 1, expiry: '2025-04-01T00:00:00Z' },
  { name: 'restored.com', type: 'register', years: 1, restores: 1, expiry: '2027-03-01T10:00:00Z' },
]

const url = await newDatabase('template0')
await migrate({ url, folder: scratch })
const client = new pg.Client(url)
await client.connect()
after(() => client.end())
await client.query(
  `insert into customers (id, email, name, created_at, updated_at)
   values ('${customer}', 'terms@example.net', 'A', now(), now())`,
)
let orders = 0
async function order(name: string, type: string, years: number): Promise<string> {
  orders += 1
  const id = `ord_${String(orders).padStart(26, '0')}`
  await client.query(
    `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
       command, attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token, created_at,
       closed_at)
     values ($1, '${customer}', $2, $3, 'thin', 'succeeded', 'USD', 1, 'x',
             jsonb_build_object('period_years', $4::int), 1, '{}', $5, now(), now(), 'x',
             $5::timestamptz + $6 * interval '1 day', now())`,
    [id, type, name, years, began, orders],
  )
  return id
}
for (const { name, type, expiry, years, renewals = [], restores = 0, registered_at } of made) {
  const id = await order(name, type, years)
  for (const one of renewals) await order(name, 'renew', one)
  for (let i = 0; i < restores; i += 1) await order(name, 'restore', 1)
  await client.query(
    `insert into domains (name, customer_id, order_id, registry, status, expiry, registry_expiry,
                          nameservers, period_years, epp_statuses, rgp_statuses, contacts,
                          registered_at)
     values ($1, '${customer}', $2, 'thin', 'active', $3, $3, '{}', 1, '{}', '{}', '{}', $4)`,
    [name, id, expiry, registered_at ?? began],
  )
}
await migrate({ url })

test('what the orders come to is paid; what does not fit is written as such', async () => {
  const { rows } = await client.query(
    `select d.name, t.kind, t.fits, t.paid_until = d.expiry as same,
            to_char(d.expiry at time zone 'UTC', 'YYYY-MM-DD') as paid_until
       from domains d join domain_terms t on t.domain_id = d.id order by d.id`,
  )
  const line = (name: string, fits: boolean, paid_until: string) => {
    return { name, kind: 'backfilled', fits, same: true, paid_until }
  }
  assert.deepEqual(rows, [
    line('plain.com', true, '2026-03-01'),
    line('renewed.com', true, '2029-03-01'),
    // More was paid than is written: that is what is paid.
    line('false-now.com', false, '2027-03-01'),
    // Less was paid: no customer's date is shortened without a person.
    line('false-far.com', false, '2035-03-01'),
    line('false-birth.com', false, '2027-03-01'),
    line('moved.com', true, '2030-07-01'),
    line('moved-odd.com', false, '2026-03-01'),
    line('restored.com', true, '2027-03-01'),
  ])
})

test('those that do not fit are reported with both dates, and never deleted', async () => {
  const registrar = await lifecycleService({ database_url: url })
  await registrar.run(reportTermMismatches)
  const reported = registrar.logs.filter((one) => one.includes('paid_until_in_doubt'))
  const names = reported.map((one) => String(JSON.parse(one).domain))
  assert.deepEqual(names, ['false-now.com', 'false-far.com', 'false-birth.com', 'moved-odd.com'])
  assert.match(
    reported[0] ?? '',
    /expiry was 2025-06-01.*register, 1 years, renewed for 1.*2027-03-01/,
  )
  const deleted = () => registrar.sandbox.counters().thin.commands['domain:delete']?.received ?? 0
  await registrar.run(deleteUnrenewed)
  assert.equal(deleted(), 0)
})

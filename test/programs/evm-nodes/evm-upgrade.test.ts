// A database of the version before payments of tokens were named by their place in the transaction:
// it is upgraded, its payments are read again, and nothing is credited or taken twice.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { openDeposits } from '../../../src/adapters/gateway/evm/deposit-addresses.ts'
import { systemCall } from '../../../src/capabilities/audit/index.ts'
import { settleCheckouts } from '../../../src/capabilities/top-ups/gateway/watching/settle-checkouts.job.ts'
import { watchCheckouts } from '../../../src/capabilities/top-ups/gateway/watching/watch-checkouts.job.ts'
import { own_functions } from '../../../src/db/migrate/function-files.ts'
import { migrate } from '../../../src/db/migrate/migrate.ts'
import { own_migrations } from '../../../src/db/migrate/migration-files.ts'
import { type Address, skipAnvil } from '../../support/chain/anvil.ts'
import { xpub } from '../../support/chain/evm-gateway.ts'
import { startX402Place } from '../../support/chain/x402-service.ts'
import { newDatabase } from '../../support/database.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService } from '../../support/service.ts'

type Sql = (text: string, params?: unknown[]) => Promise<Record<string, unknown>[]>

/** The database has only the baseline's migration. */
async function formerDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-baseline-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const migrations = join(folder, 'migrations')
  const baseline = '0001-baseline'
  cpSync(join(own_migrations, baseline), join(migrations, baseline), { recursive: true })
  // The functions that the migration calls, and those that post payments.
  const functions = join(folder, 'functions')
  const files = readdirSync(own_functions, { encoding: 'utf8', recursive: true })
  for (const name of files.filter((file) => file.endsWith('.sql')))
    if (readFileSync(join(own_functions, name), 'utf8').includes('-- before migrations'))
      cpSync(join(own_functions, name), join(functions, name))
  cpSync(join(own_functions, 'ledger.sql'), join(functions, 'ledger.sql'))
  const url = await newDatabase('template0')
  await migrate({ url, folder: migrations, functions })
  return url
}

const customer = 'cus_00000000000000000000000001'
const address = openDeposits(xpub)
const id = (at: number) => `chk_0000000000000000000000000${at}`
const hash = (digit: string): Address => `0x${digit.repeat(64)}`

async function storeCheckout(sql: Sql, at: number, status: string): Promise<Address> {
  const to = address({ branch: 0, index: at })
  await sql(
    `insert into checkouts (id, customer_id, gateway, amount, currency, status, expires_at,
       started_at, asset, network, decimals, is_pegged, required_confirmations, reference,
       pay_address, pay_amount, payment_uri, quote_units, quote_cents, watched_until)
     values ($1, $2, 'evm', 2500, 'USD', $3, now() + interval '20 minutes', now(), 'USDC', 'base',
       6, true, 2, $4, $4, 25000000, 'ethereum:', 10000, 1, now() + interval '30 days')`,
    [id(at), customer, status, to],
  )
  return `0x${to.slice(2)}`
}

type Stored = { at: number; transaction: string; log: number; state: string; treatment: string }

async function storePayment(sql: Sql, { at, transaction, log, state, treatment }: Stored) {
  const payment = `eip155:8453/${transaction}/${log}`
  const isCredited = treatment !== 'pending'
  await sql(
    `insert into checkout_payments (id, checkout_id, asset, network, decimals, transaction_id,
       amount, state, confirmations, at, observed_at, treatment, credited, taken, reversals,
       watched_until)
     values ($1, $2, 'USDC', 'base', 6, $3, 25000000, $4, 2, now(), now(), $5, $6, $7, $8,
       case when $5 = 'pending' then 'infinity' else now() + interval '1 day' end)`,
    [
      ...[payment, id(at), transaction, state, treatment],
      ...[isCredited ? 2_500 : 0, treatment === 'reversed' ? 2_500 : 0],
      treatment === 'reversed' ? 1 : 0,
    ],
  )
  if (!isCredited) return payment
  const facts = { account: 'gateway', description: 'Top-up in USDC', checkout_id: id(at) }
  await sql("select payments_credit($1, $2, 'USD', 2500, $3)", [payment, customer, facts])
  if (treatment !== 'reversed') return payment
  const reversal = [`reorganisation/${payment}/1`, payment, { description: 'gone' }]
  await sql("select payments_reverse($1, $2, 'reorganisation', 2500, $3)", reversal)
  return payment
}

/**
 * The payments are credited, credited twice, two in one transaction, confirming, orphaned, and
 * taken back.
 */
async function formerPayments(
  url: string,
  { chain, token }: Awaited<ReturnType<typeof startX402Place>>,
) {
  const client = new pg.Client(url)
  await client.connect()
  const sql: Sql = async (text, params) => (await client.query(text, params)).rows
  await sql(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, 'payer@example.com', 'Payer', now(), now())`,
    [customer],
  )
  const pay = async (to: Address) =>
    (await chain.call({ to: token, name: 'mint' }, to, 25_000_000n)).transactionHash
  const paid = await pay(await storeCheckout(sql, 1, 'paid'))
  const twice = await pay(await storeCheckout(sql, 2, 'paid'))
  const pair = await storeCheckout(sql, 3, 'paid')
  const wallet = chain.wallet.account.address
  await chain.call({ to: token, name: 'mint' }, wallet, 50_000_000n)
  const { transactionHash: both } = await chain.call(
    { to: token, name: 'transferTwice' },
    pair,
    25_000_000n,
  )
  await chain.mine(3)
  const coming = await pay(await storeCheckout(sql, 4, 'confirming'))
  await storeCheckout(sql, 5, 'awaiting_payment')
  await storeCheckout(sql, 6, 'awaiting_payment')
  const credited = { state: 'confirmed', treatment: 'credited' }
  const ids = [
    await storePayment(sql, { at: 1, transaction: paid, log: 7, ...credited }),
    await storePayment(sql, { at: 2, transaction: twice, log: 0, ...credited }),
    await storePayment(sql, { at: 2, transaction: twice, log: 3, ...credited }),
    await storePayment(sql, { at: 3, transaction: both, log: 10, ...credited }),
    await storePayment(sql, { at: 3, transaction: both, log: 9, ...credited }),
    await storePayment(sql, {
      at: 4,
      transaction: coming,
      log: 2,
      state: 'seen',
      treatment: 'pending',
    }),
    await storePayment(sql, {
      at: 5,
      transaction: hash('a'),
      log: 0,
      state: 'orphaned',
      treatment: 'pending',
    }),
    await storePayment(sql, {
      at: 6,
      transaction: hash('b'),
      log: 0,
      state: 'orphaned',
      treatment: 'reversed',
    }),
  ]
  await client.end()
  return ids
}

describe('payments that were stored by the numbers of their logs', { skip: skipAnvil }, () => {
  it('keep their ids in an upgrade, are read again, and none is credited twice', async () => {
    const place = await startX402Place()
    const { chain } = place
    const database_url = await formerDatabase()
    const ids = await formerPayments(database_url, place)
    const registrar = await startService({ database_url, settings: place.settings, worker: false })
    const { app } = registrar.service
    const sql = rowsIn(registrar)
    const money = async () => {
      const [row] = await sql(
        `select available, (select count(*)::int from payments) as credits,
                (select count(*)::int from payment_reversals) as reversals
           from ledger_accounts where customer_id = $1 and currency = 'USD'`,
        [customer],
      )
      return Object.values(row ?? {}).map(Number)
    }
    const round = async () => {
      await sql("update gateway_cursors set observed_at = now() - interval '1 hour'")
      await watchCheckouts.run(app, systemCall(app, 'watch_checkouts'))
      await sql('update checkouts set settle_at = now()')
      await settleCheckouts.run(app, systemCall(app, 'settle_checkouts'))
    }
    const before = await money()
    assert.deepEqual(before, [12_500, 6, 1])
    for (let again = 0; again < 3; again += 1) await round()
    assert.deepEqual(await money(), before)
    const rows = 'select id, treatment, block_hash from checkout_payments order by checkout_id, id'
    const stored = await sql(rows)
    assert.deepEqual(stored.map((row) => row.id).sort(), ids.toSorted())
    // All payments that the chain shows have their block now.
    assert.deepEqual(
      stored.map((row) => row.block_hash !== null),
      [true, true, false, true, true, true, false, false],
    )
    await chain.mine(2)
    for (let again = 0; again < 2; again += 1) await round()
    assert.deepEqual(await money(), [15_000, 7, 1])
    assert.deepEqual(
      (await sql(rows)).map((row) => row.id),
      stored.map((row) => row.id),
    )
  })

  it('are stored once while a node of the version before is at work', async () => {
    const place = await startX402Place()
    const database_url = await formerDatabase()
    const registrar = await startService({ database_url, settings: place.settings, worker: false })
    const sql: Sql = rowsIn(registrar)
    await sql(
      `insert into customers (id, email, name, created_at, updated_at)
       values ($1, 'payer@example.com', 'Payer', now(), now())`,
      [customer],
    )
    await storeCheckout(sql, 1, 'awaiting_payment')
    const pending = { at: 1, transaction: hash('c'), state: 'seen', treatment: 'pending' }
    await storePayment(sql, { ...pending, log: 4 })
    await storePayment(sql, { ...pending, log: 0 })
    const rows = await sql('select id from checkout_payments')
    assert.deepEqual(rows, [{ id: `eip155:8453/${hash('c')}/4` }])
  })
})

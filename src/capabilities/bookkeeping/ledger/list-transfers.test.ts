// The transfers of days: each once, as JSON pages and as CSV alike, and their sums by account are
// the change of the trial balance.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sharedService } from '../../../../test/support/service.ts'
import { parseAmount } from '../../../kit/money.ts'

type Row = Record<string, string>
const registrar = await sharedService({ worker: false })
const token = registrar.operatorKey
const get = (path: string, headers = {}) =>
  registrar.request('GET', `/v1/internal/ledger/${path}`, { token, headers })
const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const

const owner = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
await owner.connect()
registrar.closers.push(() => owner.end())

/** 1,204 transfers, whose times are spread over four days and not in the order of their ids. */
const customers = await Promise.all([registrar.customer(), registrar.customer()])
const ids = customers.map(({ id }) => id)
await owner.query(
  `select payments_credit(
            'spread-' || i, ($1::text[])[1 + i % 2], (array['USD', 'EUR'])[1 + i % 3 / 2], 100 + i,
            '{"account": "gateway", "description": "=1+1, \\"quoted\\""}')
     from generate_series(1, 1200) i`,
  [ids],
)
await registrar.request('POST', '/v1/domains', {
  ...{ token: customers[0]?.key ?? '', body: { domain: `exported-${customers[0]?.key_id}.com` } },
})
await owner.query(
  `update ledger_transfers
      set created_at = '2026-03-01T00:00:00Z'::timestamptz
                       + (id * 7919 % 345600) * interval '1 second'
    where customer_id = any ($1)`,
  [ids],
)

async function pagesOf(query: string): Promise<Row[]> {
  const found: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at = cursor === '' ? '' : `&cursor=${cursor}`
    const { status, body, text } = await get(`transfers?${query}&limit=500${at}`)
    assert.equal(status, 200, text)
    assert.ok(body.transfers.length <= 500)
    found.push(...body.transfers)
    cursor = body.next_cursor
  }
  return found
}

test('each transfer is of one day, in the order of ids, and days add up to all', async () => {
  const all = await pagesOf(`from=${days[0]}&to=${days[3]}`)
  assert.equal(all.length, 1_204)
  const found = all.map(({ id }) => Number(id))
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  )
  const each = await Promise.all(days.map((day) => pagesOf(`from=${day}&to=${day}`)))
  for (const [at, rows] of each.entries())
    assert.ok(rows.length > 250 && rows.every((row) => row.created_at?.startsWith(days[at] ?? '')))
  const together = each.flat().map(({ id }) => Number(id))
  assert.deepEqual(
    together.toSorted((a, b) => a - b),
    found,
  )
  const euro = await pagesOf(`from=${days[0]}&to=${days[3]}&currency=EUR`)
  assert.deepEqual(
    euro,
    all.filter(({ currency }) => currency === 'EUR'),
  )
})

test('the sums of a day are the change of the trial balance', async () => {
  const rows = await pagesOf(`from=${days[1]}&to=${days[1]}`)
  const sums = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)
  const cents = (text = '') =>
    text.startsWith('-') ? -(parseAmount(text.slice(1)) ?? 0n) : (parseAmount(text) ?? 0n)
  for (const { phase, debit_account, credit_account, currency, amount } of rows) {
    if (phase !== 'single' && phase !== 'post') continue
    add(`${debit_account} ${currency} debits`, cents(amount))
    add(`${credit_account} ${currency} credits`, cents(amount))
  }
  const at = async (day = '') => (await get(`trial-balance?at=${day}T00:00:00Z`)).body.accounts
  const [before, after] = [await at(days[1]), await at(days[2])]
  let moved = 0
  for (const [index, account] of after.entries())
    for (const side of ['debits', 'credits'] as const) {
      const change = cents(account[side]) - cents(before[index][side])
      assert.equal(change, sums.get(`${account.code} ${account.currency} ${side}`) ?? 0n)
      if (change > 0n) moved += 1
    }
  assert.ok(moved >= 4)
})

test('CSV has the same rows, whole, without formulas', async () => {
  const query = `transfers?from=${days[0]}&to=${days[3]}`
  const first = await get(`${query}&format=csv&limit=1`)
  assert.equal(first.headers.get('content-type'), 'text/csv; charset=utf-8')
  const name = `transfers-${days[0]}-to-${days[3]}.csv`
  assert.equal(first.headers.get('content-disposition'), `attachment; filename="${name}"`)
  const second = await get(query, { accept: 'text/csv' })
  assert.equal(first.text, second.text)
  const [header = '', ...lines] = first.text.trimEnd().split('\r\n')
  const line = (at: number) => lines[at] ?? ''
  const rows = await pagesOf(`from=${days[0]}&to=${days[3]}`)
  assert.deepEqual(header.split(','), Object.keys(rows[0] ?? {}))
  assert.equal(lines.length, rows.length)
  const credit = rows.findIndex((row) => row.payment_id === 'spread-7')
  const cells = `,gateway,customer,${rows[credit]?.customer_id},`
  assert.ok(line(credit).includes(cells), line(credit))
  assert.ok(line(credit).includes(`,1.07,single,top_up,,"'=1+1, ""quoted""",`), line(credit))
})

test('refuses invalid days, and callers other than operators', async () => {
  const wrong = ['', 'from=2026-02-30&to=2026-03-01', 'from=2026-03-02&to=2026-03-01']
  for (const query of [...wrong, 'from=2026-03-01&to=2026-03-01T00:00:00Z'])
    assert.equal((await get(`transfers?${query}`)).status, 422, query)
  const own = { token: customers[0]?.key ?? '' }
  const path = `/v1/internal/ledger/transfers?from=${days[0]}&to=${days[0]}`
  const { status, body } = await registrar.request('GET', path, own)
  assert.deepEqual([status, body.code], [403, 'operator_only'])
  const { body: today } = await get('transfers?from=2999-01-01&to=2999-01-01')
  assert.deepEqual(today, { transfers: [], next_cursor: null, complete: false })
})

// Monthly statements: they add up, follow each other without a gap, and are the same as CSV.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/support/database.ts'
import { sharedService } from '../../../test/support/service.ts'
import { newId } from '../../kit/random.ts'
import { readPeriod } from '../../ledger/ledger.ts'

const registrar = await sharedService({ worker: false })
const thisMonth = () => registrar.service.app.clock.now().toISOString().slice(0, 7)
const statementOf = (id: string, query: string, options: object) =>
  registrar.request('GET', `/v1/customers/${id}/billing/statement?${query}`, options)

describe('the statement of a month', async () => {
  const { id, key: token } = await registrar.customer({ funds_cents: 5_000 })
  const bought = { token, body: { domain: `on-a-statement-${Date.now()}.com` } }
  const purchase = await registrar.request('POST', '/v1/domains', bought)
  const month = thisMonth()
  const { status, body, text } = await statementOf(id, `month=${month}`, { token })

  test('lists payments in and out, and its closing balance is the balance', async () => {
    assert.equal(purchase.status, 200, purchase.text)
    assert.equal(status, 200, text)
    const types = body.lines.map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['top_up', 'capture'])
    assert.equal(body.opening_balance, '0.00')
    const path = `/v1/customers/${id}/billing/balance`
    const { body: balance } = await registrar.request('GET', path, { token })
    assert.equal(body.closing_balance, balance.total)
    assert.equal(body.lines.at(-1).balance, balance.total)
    assert.equal(typeof body.lines[0].invoice_id, 'number')
  })

  test('is CSV by parameter or by Accept', async () => {
    const first = await statementOf(id, `month=${month}&format=csv`, { token })
    const second = await statementOf(id, `month=${month}`, {
      token,
      headers: { accept: 'text/csv' },
    })
    assert.equal(first.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(first.text, second.text)
    const lines = first.text.trimEnd().split('\r\n')
    assert.equal(lines.length, body.lines.length + 3)
    assert.match(lines[1] ?? '', /,opening_balance,,,,,,0\.00$/)
    assert.ok(lines.at(-1)?.endsWith(`,closing_balance,,,,,,${body.closing_balance}`))
    const json = await statementOf(id, `month=${month}&format=json`, {
      token,
      headers: { accept: 'text/csv' },
    })
    assert.deepEqual(json.body, body)
  })

  test('of an earlier month is empty, and of a later one only carries the balance on', async () => {
    const earlier = await statementOf(id, 'month=2001-02', { token })
    assert.deepEqual(
      [earlier.body.opening_balance, earlier.body.lines, earlier.body.closing_balance],
      ['0.00', [], '0.00'],
    )
    const later = await statementOf(id, 'month=2999-12', { token })
    assert.equal(later.body.opening_balance, body.closing_balance)
    assert.deepEqual(later.body.lines, [])
  })

  test('is refused for other months, and is not found for another customer', async () => {
    for (const wrong of ['', 'month=2026-13', 'month=0000-01', 'month=2026-1', 'month=２026-01'])
      assert.equal((await statementOf(id, wrong, { token })).status, 422, wrong)
    const other = await registrar.customer()
    const foreign = await statementOf(id, `month=${month}`, { token: other.key })
    assert.equal(foreign.status, 404)
  })
})

describe('the ledger between two moments', async () => {
  const db = await testDatabase()
  const customer_id = newId('cus')
  await db.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, 'a@example.net', 'A', now(), now())`,
    [customer_id],
  )
  const days = Array.from({ length: 40 }, (_, index) => 1 + Math.floor(index / 3) * 2)
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  for (const number of days) {
    const session = newId('cs')
    const facts = { account: 'processor', description: 'x', checkout_id: session }
    await db.query(`select payments_credit($1, $2, 'USD', $3, $4::jsonb)`, [
      session,
      customer_id,
      number,
      facts,
    ])
    await db.query('update ledger_transfers set created_at = $1 where checkout_id = $2', [
      day(number),
      session,
    ])
  }
  const sumBefore = (number: number) =>
    BigInt(days.filter((one) => one < number).reduce((all, one) => all + one, 0))

  test('has the lines of exactly that time', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 0, max: 32 }),
      async (start, length) => {
        const range = { from: day(start), to: day(start + length) }
        const account = { customer_id, currency: 'USD' } as const
        const { opening, entries } = await readPeriod(db.database, account, range)
        assert.equal(opening, sumBefore(start))
        const sum = entries.reduce((all, { amount }) => all + amount, opening)
        assert.equal(sum, sumBefore(start + length))
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })
})

test('a debt is that of the end of the time, whatever came later', async () => {
  const db = await testDatabase()
  const customer_id = newId('cus')
  await db.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, 'debt@example.net', 'A', now(), now())`,
    [customer_id],
  )
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  /** Whatever was posted since the last step was posted on this day. */
  const dated = async (number: number) => {
    for (const table of ['ledger_transfers', 'payment_reversals'])
      await db.query(`update ${table} set created_at = $1 where created_at > '2026-02-01'`, [
        day(number),
      ])
  }
  const credit = (id: string, cents: number) =>
    db.query(`select payments_credit($1, $2, 'USD', $3, $4::jsonb)`, [
      ...[id, customer_id, cents],
      { account: 'processor', description: 'x', checkout_id: id },
    ])
  await credit('paid', 100)
  await dated(1)
  await db.query(`select ledger_adjust('spent', $1, 'USD', -90, $2::jsonb)`, [
    customer_id,
    { kind: 'adjustment', reason: 'x', description: 'x' },
  ])
  await dated(3)
  await db.query(`select payments_reverse('taken', 'paid', 'dispute', 70, $1::jsonb)`, [
    { description: 'x' },
  ])
  await dated(5)
  await credit('part', 20)
  await dated(7)
  await credit('rest', 100)
  await dated(9)
  const owed = async (to: number) => {
    const range = { from: day(1), to: day(to) }
    return (await readPeriod(db.database, { customer_id, currency: 'USD' }, range)).owed
  }
  const found = await Promise.all([2, 4, 6, 8, 10].map(owed))
  assert.deepEqual(found, [0n, 0n, 60n, 40n, 0n])
})

const operator = registrar.operatorKey
let made = 0

/** Also tries what is refused, which must leave no line. */
async function happen(id: string, token: string, steps: readonly Step[]) {
  const paid = noIds()
  const bought = noIds()
  const post = (path: string, body: object, by = operator) =>
    registrar.request('POST', path, { token: by, body })
  const billing = '/v1/internal/billing'
  for (const { kind, currency, cents: amount_cents } of steps) {
    made += 1
    const reason = `Step ${made}`
    const [payment_id, operation_id] = [paid[currency].at(-1), bought[currency].at(-1)]
    const name = `${id.slice(-12)}-${made}`
    if (kind === 'top_up') {
      const session = { processor_checkout_session_id: name }
      const body = { customer_id: id, amount_cents: amount_cents + 1_500, currency, ...session }
      const { status } = await post(`${billing}/processor/top-ups`, body)
      assert.equal(status, 200)
      paid[currency].push(`processor/${name}`)
    } else if (kind === 'buy') {
      const { body } = await post('/v1/domains', { domain: `${name}.com`, currency }, token)
      if (body.operation) bought[currency].push(body.operation.id)
    } else if (kind === 'refund')
      await post(`${billing}/order-refunds`, {
        ...{ operation_id: operation_id ?? 'none', amount_cents, reason, refund_id: name },
      })
    else if (kind === 'give' || kind === 'take') {
      const signed = kind === 'give' ? amount_cents : -amount_cents
      const body = { customer_id: id, amount_cents: signed, currency, reason }
      await post(`${billing}/adjustments`, { ...body, adjustment_id: name })
    } else
      await post(`${billing}/reversals`, {
        ...{ payment_id: payment_id ?? 'none', reversal_id: name, amount_cents, reason },
        kind: kind === 'won' ? 'reinstatement' : 'dispute',
      })
  }
}

describe('the statements of both currencies', () => {
  const kinds = ['top_up', 'dispute', 'won', 'buy', 'refund', 'give', 'take'] as const
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    currency: fc.constantFrom('USD', 'EUR'),
    cents: fc.integer({ min: 1, max: 3_000 }),
  })
  test('add up to the balance with reversals, debts, refunds and adjustments', async () => {
    const types = new Set<string>()
    const debts: bigint[] = []
    const indebted: Step[] = (['top_up', 'take', 'take', 'dispute'] as const).map((kind) => {
      return { kind, currency: 'USD', cents: kind === 'take' ? 800 : 1_600 }
    })
    const whole: Step[] = (['USD', 'EUR'] as const).flatMap((currency) =>
      (['top_up', 'buy', 'refund', 'take', 'dispute', 'top_up', 'won', 'give'] as const).map(
        (kind) => ({ kind, currency, cents: kind === 'dispute' ? 1_600 : 100 }),
      ),
    )
    const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { id, key: token } = await registrar.customer({ funds_cents: 0 })
      await happen(id, token, steps)
      for (const currency of ['USD', 'EUR']) {
        const { body } = await statementOf(id, `month=${thisMonth()}&currency=${currency}`, {
          token,
        })
        const at = `/v1/customers/${id}/billing/balance?currency=${currency}`
        const { body: balance } = await registrar.request('GET', at, { token })
        let sum = 0n
        for (const line of body.lines) {
          types.add(line.type)
          sum += signedCents(line.amount)
          assert.equal(signedCents(line.balance), sum)
        }
        assert.deepEqual([body.opening_balance, body.closing_balance], ['0.00', balance.total])
        assert.equal(signedCents(body.closing_balance), sum)
        assert.equal(body.owed, balance.owed)
        const csv = await statementOf(id, `month=${thisMonth()}&currency=${currency}&format=csv`, {
          token,
        })
        debts.push(signedCents(body.owed))
        const row = body.owed === '0.00' ? null : `,owed,,,,,,${body.owed}`
        const last = csv.text.trimEnd().split('\r\n').at(-1) ?? ''
        assert.ok(last.endsWith(row ?? `,closing_balance,,,,,,${body.closing_balance}`), last)
      }
    })
    await fc.assert(property, { numRuns: 4, examples: [[whole], [indebted]] })
    assert.ok(debts.some((debt) => debt > 0n))
    assert.deepEqual([...types].sort(), ['adjustment', 'capture', 'refund', 'reversal', 'top_up'])
  })
})

type Step = {
  kind: 'top_up' | 'dispute' | 'won' | 'buy' | 'refund' | 'give' | 'take'
  currency: 'USD' | 'EUR'
  cents: number
}

const noIds = (): Record<'USD' | 'EUR', string[]> => ({ USD: [], EUR: [] })
const signedCents = (text: string) => BigInt(text.replace('.', ''))

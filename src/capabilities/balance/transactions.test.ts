// The list of transactions adds up: its lines that count are the change of the whole balance, the
// others only move money between available and held.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedService } from '../../../test/support/service.ts'
import { parseAmount } from '../../kit/money.ts'

const registrar = await sharedService({ worker: false })
const steps = ['buy', 'refused', 'silent', 'renew', 'top_up'] as const
type Line = { type: string; amount: string; counts: boolean; meaning: string }
let sequence = 0

const cents = (text: string) => {
  const [amount, sign] = text.startsWith('-') ? [text.slice(1), -1n] : [text, 1n]
  const read = parseAmount(amount)
  assert.ok(read !== undefined, text)
  return sign * read
}

test('adding the lines that count gives the balance, whatever happened', async () => {
  const anything = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 6 })
  const kinds = new Map<string, boolean>()
  const property = fc.asyncProperty(anything, async (happened) => {
    const { id, key: token } = await registrar.customer({ funds_cents: 50_000 })
    const path = `/v1/customers/${id}/billing`
    let owned: string | undefined
    for (const step of happened) {
      sequence += 1
      const domain = `adds-up-${sequence}.com`
      if (step === 'top_up') {
        const body = {
          customer_id: id,
          amount_cents: 1_234,
          currency: 'USD',
          processor_checkout_session_id: `cs_adds_up_${sequence}`,
        }
        const url = '/v1/internal/billing/processor/top-ups'
        const paid = await registrar.request('POST', url, { token: registrar.operatorKey, body })
        assert.equal(paid.status, 200, paid.text)
        continue
      }
      if (step === 'renew') {
        if (owned === undefined) continue
        const url = `/v1/domains/${owned}/renew`
        const headers = { 'Idempotency-Key': `renew-${sequence}` }
        const renewed = await registrar.request('POST', url, { token, body: {}, headers })
        assert.equal(renewed.status, 200, renewed.text)
        continue
      }
      const fault = { refused: 'refuse_2306', silent: 'drop_before', buy: undefined } as const
      const name = fault[step]
      if (name) registrar.sandbox.setFault({ name, command: 'domain:create', domain })
      const bought = await registrar.request('POST', '/v1/domains', { token, body: { domain } })
      assert.equal(bought.status, step === 'refused' ? 409 : 200, bought.text)
      if (step === 'buy') owned = domain
    }
    const { body: balance } = await registrar.request('GET', `${path}/balance`, { token })
    const list = await registrar.request('GET', `${path}/transactions?limit=500`, { token })
    const lines: Line[] = list.body.transactions
    const sum = (some: Line[]) => some.reduce((all, { amount }) => all + cents(amount), 0n)
    const total = cents(balance.available) + cents(balance.held)
    assert.equal(sum(lines.filter(({ counts }) => counts)), total, list.text)
    // Between available and held: what the other lines took from available and did not return.
    const captured = sum(lines.filter(({ type }) => type === 'capture'))
    assert.equal(-sum(lines.filter(({ counts }) => !counts)) + captured, cents(balance.held))
    for (const { type, counts, meaning } of lines) {
      assert.equal(kinds.get(type) ?? counts, counts)
      kinds.set(type, counts)
      assert.match(meaning, counts ? /counts/i : /does not count/i)
    }
  })
  await fc.assert(property, { numRuns: 12, examples: [[[...steps]]] })
  assert.deepEqual(Object.fromEntries(kinds), {
    ...{ hold: false, release: false, capture: true, top_up: true },
  })
})

test('an agent pages through the transactions by a tool', async () => {
  const { id, key: token } = await registrar.customer({
    scopes: ['billing:read'],
    funds_cents: 100,
  })
  for (const number of [1, 2, 3, 4]) {
    const body = {
      ...{ customer_id: id, amount_cents: number, currency: 'USD' },
      processor_checkout_session_id: `cs_tool_${id}_${number}`,
    }
    const url = '/v1/internal/billing/processor/top-ups'
    const paid = await registrar.request('POST', url, { token: registrar.operatorKey, body })
    assert.equal(paid.status, 200, paid.text)
  }
  const page = async (fields: object) => {
    const params = { name: 'list_transactions', arguments: fields }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = { accept: 'application/json, text/event-stream' }
    const answer = await registrar.request('POST', '/mcp', { token, body, headers })
    const [, text = answer.text] = /^data: (.*)$/m.exec(answer.text) ?? []
    return JSON.parse(text).result.structuredContent
  }
  const found: string[] = []
  for (let fields: object | null = { limit: 2 }; fields !== null; ) {
    const { transactions, next_cursor } = await page(fields)
    found.push(...transactions.map((one: Line) => one.amount))
    fields = next_cursor === null ? null : { limit: 2, cursor: next_cursor }
  }
  assert.deepEqual(found, ['0.04', '0.03', '0.02', '0.01', '1.00'])
})

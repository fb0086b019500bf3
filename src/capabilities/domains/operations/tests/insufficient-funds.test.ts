// A purchase without enough money: the missing amount in both currencies, and the next step of each
// caller, over REST and MCP, in a dry run as in an order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService, type TestCustomer } from '../../../../../test/support/service.ts'
import { publicUrls } from '../../../../origins.ts'

const registrar = await sharedService({ worker: false })
const { dashboard_url } = publicUrls(registrar.service.settings)
const buying = ['domains:purchase', 'domains:read', 'billing:read']

async function overRest({ key: token }: TestCustomer, body: object) {
  const answer = await registrar.request('POST', '/v1/domains', { token, body })
  assert.equal(answer.status, 402, answer.text)
  return answer.body
}

async function overMcp({ key: token }: TestCustomer, fields: object) {
  const params = { name: 'register_domain', arguments: fields }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = { accept: 'application/json, text/event-stream' }
  const answer = await registrar.request('POST', '/mcp', { token, body, headers })
  const [, text = answer.text] = /^data: (.*)$/m.exec(answer.text) ?? []
  const { result } = JSON.parse(text)
  assert.equal(result.isError, true, text)
  return JSON.parse(result.content[0].text)
}

const agent = await registrar.customer({ scopes: buying, funds_cents: 500 })
const owner = await registrar.customer({ scopes: [...buying, 'billing:write'], funds_cents: 500 })

for (const [surface, buy] of [['REST', overRest] as const, ['MCP', overMcp] as const])
  for (const dry_run of [false, true])
    test(`${surface}${dry_run ? ', dry run' : ''}: leads to a top-up of what is missing`, async () => {
      const wanted = { domain: `short-${surface.toLowerCase()}.com`, dry_run }
      for (const [currency, missing] of [
        ['USD', '5.85'],
        ['EUR', '9.98'],
      ] as const) {
        const body = { ...wanted, currency }
        const [limited, full] = [await buy(agent, body), await buy(owner, body)]
        for (const refused of [limited, full]) {
          assert.equal(refused.code, 'insufficient_funds')
          const lead = `${dashboard_url}/billing/top-up?currency=${currency}&shortfall=${missing}`
          assert.deepEqual(
            [refused.next_action.type, refused.next_action.url, refused.shortfall],
            ['add_funds', lead, missing],
          )
          const amount_cents = Math.round(Number(missing) * 100)
          assert.deepEqual(refused.missing, [{ currency, amount: missing, amount_cents }])
        }
        assert.equal(limited.required_scope, 'billing:write')
        assert.match(limited.next_action.hint, /Ask the owner .* lacks the scope billing:write/)
        assert.equal(full.required_scope, undefined)
        assert.match(full.next_action.hint, /^Call create_top_up for at least "missing"/)
      }
    })

test('a debt in another currency is the shortfall, which is never negative', async () => {
  const buyer = await registrar.customer({
    scopes: [...buying, 'billing:write'],
    funds_cents: 2_000,
  })
  const token = registrar.operatorKey
  const at = '/v1/internal/billing'
  const credit = { customer_id: buyer.id, amount_cents: 5_000, currency: 'EUR' }
  const session = { processor_checkout_session_id: `cs_debt_${buyer.id}` }
  await registrar.request('POST', `${at}/processor/top-ups`, {
    token,
    body: { ...credit, ...session },
  })
  const bought = { token: buyer.key, body: { domain: `debt-${buyer.key_id}.com` } }
  assert.equal((await registrar.request('POST', '/v1/domains', bought)).status, 200)
  const list = await registrar.request('GET', `${at}/payments?customer_id=${buyer.id}`, { token })
  const paid = list.body.payments.find((one: { currency: string }) => one.currency === 'USD')
  const body = { payment_id: paid.id, reversal_id: `debt-${buyer.key_id}`, kind: 'dispute' }
  const reversal = { ...body, amount_cents: 2_000, reason: 'Disputed' }
  assert.equal(
    (await registrar.request('POST', `${at}/reversals`, { token, body: reversal })).status,
    200,
  )
  for (const dry_run of [false, true]) {
    const refused = await overRest(buyer, { domain: 'debt-in-usd.com', currency: 'EUR', dry_run })
    assert.deepEqual([refused.shortfall, refused.balance], ['0.00', '50.00'])
    assert.deepEqual(refused.missing, [{ currency: 'USD', amount: '10.85', amount_cents: 1_085 }])
    assert.match(refused.next_action.url, /\/billing\/top-up\?currency=USD&shortfall=10\.85$/)
    const both = await overRest(buyer, { domain: 'debt-in-usd.com', currency: 'USD', dry_run })
    assert.deepEqual([both.shortfall, both.missing.length], ['21.70', 1])
  }
})

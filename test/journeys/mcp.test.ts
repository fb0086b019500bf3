// An agent with only the MCP URL and a key: it lists the tools, asks for 200 prices, buys a domain,
// and reads it back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../support/service.ts'
import { connectAgent } from './agent.ts'

const registrar = await sharedService()
const customer = await registrar.customer({ funds_cents: 5_000 })
const url = `${registrar.service.settings.mcp_url}/mcp`
const agent = await connectAgent(url, customer.key)

type Offer = { domain: string; available: boolean | null; price: { amount: string } }

test('an agent over MCP gets from the list of tools to a domain', async () => {
  const { tools } = await agent.listTools()
  const names = tools.map(({ name }) => name)
  for (const name of ['get_account', 'check_domain_availability', 'register_domain', 'get_domain'])
    assert.ok(names.includes(name), `${name} is not among ${names.join(', ')}`)
  for (const { name, description = '', annotations } of tools) {
    assert.ok(description.length > 20, `${name} says what it does`)
    assert.equal(typeof annotations?.readOnlyHint, 'boolean', name)
  }
  const account = await agent.use('get_account', {})
  assert.equal(account.id, customer.id)
  const balance = await agent.use('get_balance', {})
  assert.equal(balance.available, '50.00', 'the own account, with no id given')

  const domains = Array.from({ length: 200 }, (_, i) => `mcp-journey-${i}.com`)
  const checked = await agent.use('check_domain_availability', { domains })
  const offers: Offer[] = [checked.domains].flat().map(Object)
  assert.deepEqual(
    offers.map(({ domain }) => domain),
    domains,
  )
  const offer = offers[123]
  assert.equal(offer?.available, true)

  const order = { domain: offer?.domain, max_price: offer?.price.amount, idempotency_key: 'mcp-1' }
  const bought = await agent.use('register_domain', order)
  assert.equal(bought.status, 'active')
  assert.deepEqual(await agent.use('register_domain', order), bought, 'the same again is the same')
  const read = await agent.use('get_domain', { domain: offer?.domain })
  assert.deepEqual([read.status, read.expiry], ['active', bought.expiry])
  assert.equal(registrar.sandbox.lookup(String(offer?.domain))?.sponsor, 'registrar-a')
  const left = await agent.use('get_balance', {})
  assert.equal(Number(left.available).toFixed(2), (50 - Number(offer?.price.amount)).toFixed(2))
})

test('REST and MCP return the same values, and the audit log distinguishes them', async () => {
  const domain = 'same-values.com'
  // A client of the older protocol sends its name only in the handshake, which leaves no session.
  const modern = await connectAgent(url, customer.key, '2026-07-28')
  await modern.use('register_domain', { domain })
  const overMcp = await modern.use('get_domain', { domain })
  const overRest = await registrar.request('GET', `/v1/domains/${domain}`, { token: customer.key })
  assert.deepEqual(overMcp, overRest.body)
  const path = `/v1/customers/${customer.id}/audit-logs?entry_point=mcp&action=register_domain`
  const logs = await registrar.request('GET', path, { token: customer.key })
  const last = logs.body.audit_logs[0]
  assert.deepEqual([last.target, last.agent_identifier], [domain, 'journey-agent/1.0.0'])
})

test('errors come with the next step, and nothing is paid', async () => {
  const result = await agent.callTool({
    name: 'register_domain',
    arguments: { domain: 'diamond.com', idempotency_key: 'mcp-2' },
  })
  assert.equal(result.isError, true)
  const text = JSON.stringify(result)
  assert.match(text, /premium_not_allowed/)
  assert.match(text, /confirm_price/)
  const invalid = await agent.callTool({
    name: 'check_domain_availability',
    arguments: { domains: [], colour: 'red' },
  })
  assert.equal(invalid.isError, true)
  assert.match(JSON.stringify(invalid), /too_short/)
  assert.match(JSON.stringify(invalid), /extra_forbidden/)
  assert.equal(registrar.sandbox.lookup('diamond.com'), null)
})

test("a prompt's steps end with a name within its owner's limit", async () => {
  const [max_price, domain] = ['12.00', 'bakery-in-lyon.com']
  const prompt = { name: 'find_and_buy_name', arguments: { idea: 'a bakery in Lyon', max_price } }
  const { messages } = await agent.getPrompt(prompt)
  const text = JSON.stringify(messages)
  const steps = ['check_domain_availability', 'get_balance', 'dry_run', 'idempotency_key']
  const places = steps.map((step) => text.indexOf(step))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  const { domains } = await agent.use('check_domain_availability', { domains: [domain] })
  const [offer] = [domains].flat().map(Object)
  assert.ok(offer.available && Number(offer.price.amount) <= Number(max_price))
  const before = await agent.use('get_balance', { currency: 'USD' })
  const wanted = { domain, period_years: 1, currency: 'USD', max_price }
  const tried = await agent.use('register_domain', { ...wanted, dry_run: true })
  assert.equal(Object(tried.price).amount, offer.price.amount)
  assert.deepEqual(await agent.use('get_balance', { currency: 'USD' }), before)
  const [next] = [tried.next_actions].flat().map(Object)
  assert.deepEqual([next.type, next.operation], ['confirm_price', 'register_domain'])
  assert.match(next.hint, /; otherwise ask your owner first\.$/)
  await agent.use(next.operation, { ...wanted, idempotency_key: 'mcp-prompt' })
  const bought = await agent.use('get_domain', { domain })
  const model = await agent.use('get_state_model', { status: bought.status })
  const [state] = [model.domain_states].flat().map(Object)
  assert.ok(state.possible.includes('renew_domain'), 'what the model says of its status')
  const late = await agent.callTool({ name: 'restore_domain', arguments: { domain } })
  assert.match(JSON.stringify(late.content), /not_in_redemption/)
  assert.ok(state.refused.not_in_redemption.includes('restore_domain'))
})

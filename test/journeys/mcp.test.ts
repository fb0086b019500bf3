// An agent with only the MCP endpoint and a key buys a domain, and REST tells the same of it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startService } from '../support/service.ts'

const house = await startService()

async function agent(pin: string | null, token?: string) {
  const mode = pin === null ? 'legacy' : { pin }
  const client = new Client({ name: 'journey', version: '1' }, { versionNegotiation: { mode } })
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${house.url}/mcp`), { requestInit: { headers } }),
  )
  after(() => client.close())
  return async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args })
    const [block] = content
    const text = block?.type === 'text' ? block.text : '{}'
    if (!isError) assert.deepEqual(JSON.parse(text), structuredContent)
    return { failed: isError === true, body: Object(JSON.parse(text)) }
  }
}

for (const pin of [null, '2026-07-28'])
  test(`an agent buys a domain over MCP (${pin ?? 'the older era'})`, async () => {
    const customer = await house.customer({ funds_cents: 2_000 })
    const token = customer.key
    const anyone = await agent(pin)
    const domain = `over-mcp-${pin ?? 'older'}.com`
    const offer = (await anyone('check_domain_availability', { domains: [domain] })).body.domains[0]
    assert.equal(offer.available, true)

    const call = await agent(pin, token)
    const before = await call('get_balance')
    assert.equal(before.body.available, '20.00')
    const buy = { domain, max_price: offer.price.amount, idempotency_key: 'mcp-journey' }
    const tried = await call('register_domain', { ...buy, dry_run: true })
    assert.equal(tried.body.dry_run, true)
    const bought = await call('register_domain', buy)
    assert.equal(bought.body.status, 'active', JSON.stringify(bought.body))
    assert.deepEqual(await call('register_domain', buy), bought)

    const read = await call('get_domain', { domain })
    const rest = await house.request('GET', `/v1/domains/${domain}`, { token })
    assert.deepEqual(read.body, rest.body)
    const owned = await call('list_domains')
    assert.deepEqual(owned.body, (await house.request('GET', '/v1/domains', { token })).body)

    const again = await call('register_domain', { ...buy, idempotency_key: 'another' })
    assert.deepEqual([again.failed, again.body.code], [true, 'domain_already_held'])
    const dear = await call('register_domain', {
      domain: `dear-${domain}`,
      period_years: 10,
    })
    assert.deepEqual([dear.failed, dear.body.code], [true, 'insufficient_funds'])
    assert.equal(dear.body.next_action.type, 'add_funds')
    assert.ok(dear.body.shortfall)
  })

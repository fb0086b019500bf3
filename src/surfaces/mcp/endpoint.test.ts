// MCP with the SDK's own client, in both eras: answers to agents, which equal those of REST.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Era, mcpTestServer } from '../../../test/support/mcp.ts'
import { dropThing, echo, listThings } from '../../../test/support/sample-operations.ts'
import { operations as balance } from '../../capabilities/balance/index.ts'

const registrar = await mcpTestServer([echo, listThings, dropThing, ...balance])
const owner = await registrar.pipeline.customer()
const otherCustomer = await registrar.pipeline.customer()
const bearer = { authorization: `Bearer ${owner.key}` }
const eras: Era[] = ['legacy', 'modern']

type Result = Awaited<ReturnType<Awaited<ReturnType<typeof registrar.client>>['callTool']>>

/** The text of a tool's answer, as JSON. */
function textOf(result: Result): Record<string, unknown> {
  const [block] = result.content
  return Object(JSON.parse(block?.type === 'text' ? block.text : '{}'))
}

/** One test in each era of the protocol. */
function both(title: string, run: (era: Era) => Promise<void>): void {
  for (const era of eras) it(`${title} (${era})`, () => run(era))
}

both('introduces itself without a token', async (era) => {
  const client = await registrar.client(era)
  assert.equal(client.getServerVersion()?.name, 'agent-registrar')
  assert.equal(client.getServerVersion()?.version, '0.1.0')
  // Nothing changes while the service runs, nothing can be subscribed to, and it sends no logs.
  assert.deepEqual(client.getServerCapabilities(), {
    tools: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    prompts: { listChanged: false },
    completions: {},
  })
  assert.match(client.getInstructions() ?? '', /idempotency_key/)
})

both(
  'lists tools by group, then in the order of the catalog, with schemas and hints',
  async (era) => {
    const { tools } = await (await registrar.client(era)).listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['echo', 'get_account', 'get_balance', 'list_transactions', 'list_things', 'drop_thing'],
    )
    const [first, , money, , things, drop] = tools
    assert.equal(first?.title, 'Echo')
    assert.equal(first?.description, 'Say the words again. Example: {"words":["a"]}')
    assert.equal(first?.inputSchema.additionalProperties, false)
    assert.deepEqual(first?.inputSchema.required, ['words'])
    assert.deepEqual(first?.annotations, {
      title: 'Echo',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
    assert.deepEqual(things?.outputSchema?.required, ['items'])
    assert.equal(drop?.outputSchema, undefined)
    assert.equal(drop?.annotations?.readOnlyHint, false)
    assert.deepEqual(money?.inputSchema.required, [])
  },
)

both('calls a public tool without a token, and answers data and the same as text', async (era) => {
  const client = await registrar.client(era)
  const result = await client.callTool({ name: 'echo', arguments: { words: ['a', 'b'] } })
  assert.deepEqual(result.structuredContent, { words: ['a', 'b'], loud: false })
  assert.deepEqual(textOf(result), result.structuredContent)
  assert.notEqual(result.isError, true)
})

both('wraps a list, and answers an empty object where REST answers 204', async (era) => {
  const client = await registrar.client(era, owner.key)
  await client.listTools()
  const things = await client.callTool({ name: 'list_things', arguments: { limit: 2 } })
  assert.deepEqual(things.structuredContent, { items: [{ id: 1 }, { id: 2 }] })
  const dropped = await client.callTool({ name: 'drop_thing', arguments: { id: 7 } })
  assert.deepEqual(dropped.structuredContent, {})
})

both("fills in the caller's own account, and rejects another's", async (era) => {
  const client = await registrar.client(era, owner.key)
  const rest = await registrar.send('GET', `/v1/customers/${owner.id}/billing/balance`, {
    headers: bearer,
  })
  for (const args of [{}, { customer_id: owner.id }]) {
    const own = await client.callTool({ name: 'get_balance', arguments: args })
    assert.deepEqual(own.structuredContent, rest.body)
  }
  const other = await client.callTool({
    name: 'get_balance',
    arguments: { customer_id: otherCustomer.id },
  })
  assert.equal(other.isError, true)
  assert.equal(textOf(other).code, 'customer_not_found')
})

both('names a customer_id of another type, and takes it for no other account', async (era) => {
  const client = await registrar.client(era, owner.key)
  for (const customer_id of [5, true, ['cus_1'], {}]) {
    const result = await client.callTool({ name: 'get_balance', arguments: { customer_id } })
    assert.equal(result.isError, true)
    const { status, detail } = textOf(result)
    assert.equal(status, 422)
    const [first] = [detail].flat().map(Object)
    assert.deepEqual(first.loc, ['arguments', 'customer_id'])
  }
})

both('returns the error, the next step and the request id', async (era) => {
  const client = await registrar.client(era)
  await client.listTools()
  const result = await client.callTool({ name: 'echo', arguments: { words: ['broken'] } })
  assert.equal(result.isError, true)
  const { request_id, ...problem } = textOf(result)
  assert.match(String(request_id), /^[0-9a-f-]{36}$/)
  const rest = await registrar.send('POST', '/v1/echo', { body: { words: ['broken'] } })
  const { request_id: _other, ...expected } = rest.body
  assert.deepEqual(problem, expected)
  assert.deepEqual(problem.next_action, {
    type: 'read_back',
    hint: 'Send other words.',
    url: null,
  })
})

both('names every failing argument', async (era) => {
  const client = await registrar.client(era)
  const args = { words: [''], loud: 'very', more: 1 }
  const result = await client.callTool({ name: 'echo', arguments: args })
  assert.equal(result.isError, true)
  const { code, status, next_action, detail } = textOf(result)
  assert.deepEqual(
    [code, status, Object(next_action).type],
    ['validation_error', 422, 'fix_request'],
  )
  const rest = await registrar.send('POST', '/v1/echo', { body: args })
  const details: { loc: unknown[] }[] = [rest.body.detail].flat().map(Object)
  const expected = details.map((one) => ({ ...one, loc: ['arguments', ...one.loc.slice(1)] }))
  assert.deepEqual(detail, expected)
  assert.equal(Array.isArray(detail) && detail.length, 3)
})

both('hides the cause of an internal error', async (era) => {
  const client = await registrar.client(era)
  const result = await client.callTool({ name: 'echo', arguments: { words: ['bug'] } })
  assert.equal(textOf(result).code, 'internal_error')
  assert.doesNotMatch(JSON.stringify(result), /secret/)
  assert.match(String(registrar.lines.at(-1)?.cause), /a secret of the registrar/)
})

both('answers -32602 for an unknown tool', async (era) => {
  const client = await registrar.client(era)
  await assert.rejects(client.callTool({ name: 'no_such_tool' }), { code: -32_602 })
})

both("is in the audit log with the client's own name", async (era) => {
  const client = await registrar.client(era, owner.key)
  await client.callTool({ name: 'drop_thing', arguments: { id: 1 } })
  const [row] = await registrar.pipeline.db.query(
    `select entry_point, action, agent_identifier, target from audit_logs order by id desc limit 1`,
  )
  assert.equal(row?.entry_point, 'mcp')
  assert.equal(row?.action, 'drop_thing')
  assert.equal(row?.agent_identifier, 'test-agent/1.2.3')
})

it('names the program of the older era by its initialize, else by its header fields', async () => {
  const { key } = await registrar.pipeline.customer()
  const drop = { jsonrpc: '2.0', id: 2, method: 'tools/call' }
  const params = { name: 'drop_thing', arguments: { id: 1 } }
  const begin = (name: string) => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name, version: '9' },
    },
  })
  const named = async (user_agent: string, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'user-agent': user_agent, ...more }
    await registrar.post({ ...drop, params }, headers)
    const [row] = await registrar.pipeline.db.query(
      `select agent_identifier from audit_logs
        where action = 'drop_thing' order by id desc limit 1`,
    )
    return row?.agent_identifier
  }
  const connect = (name: string, user_agent: string) =>
    registrar.post(begin(name), { authorization: `Bearer ${key}`, 'user-agent': user_agent })
  assert.equal(await named('curl/8'), 'curl/8')
  assert.equal(await named('curl/8', { 'x-agent-id': 'my-agent' }), 'my-agent')
  await connect('planner', 'node')
  await connect('buyer\r\n\u202e', 'python')
  assert.equal(await named('node'), 'planner/9')
  assert.equal(await named('python'), 'buyer???/9')
  assert.equal(await named('other'), 'other')
  await connect('planner-two', 'node')
  assert.equal(await named('node', { 'x-agent-id': 'my-agent' }), 'planner-two/9')
  for (let i = 0; i < 40; i += 1) await connect('many', `agent-${i}`)
  const [kept] = await registrar.pipeline.db.query(
    'select count(*)::int as n from mcp_client_names',
  )
  assert.ok(Number(kept?.n) < 60, String(kept?.n))
})

it('gives data of an error to the newer era only: older clients check it', async () => {
  const call = { name: 'echo', arguments: { words: ['broken'] } }
  const old = await (await registrar.client('legacy')).callTool(call)
  assert.equal(old.structuredContent, undefined)
  const now = await (await registrar.client('modern')).callTool(call)
  assert.deepEqual(now.structuredContent, textOf(now))
})

it('gives an operator the data of any customer, and asks for one where the account is missing', async () => {
  const client = await registrar.client('modern', registrar.pipeline.operator)
  const mine = await client.callTool({ name: 'get_account', arguments: {} })
  assert.equal(textOf(mine).code, 'customer_required')
  const theirs = await client.callTool({
    name: 'get_balance',
    arguments: { customer_id: owner.id },
  })
  assert.equal(textOf(theirs).customer_id, owner.id)
})

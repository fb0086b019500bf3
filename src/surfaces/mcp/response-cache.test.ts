// Cached responses equal those of the SDK, each with the id of its request.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { modern, modernHeaders } from '../../../test/support/mcp.ts'
import { operations } from '../../catalog.ts'
import { serverDefinition } from './capabilities.ts'
import { withResponseCache } from './response-cache.ts'
import { toolsOf } from './tools.ts'
import { type Exchange, openTransport, type Transport } from './transport.ts'

const served = serverDefinition(toolsOf(operations).list, operations)
const methods = new Set(served.cacheable)
const bare = openTransport(served)

/** The transport beneath, with a count of what it is asked. */
function counted(): { transport: Transport; asked: string[] } {
  const asked: string[] = []
  const send: Transport['send'] = (request, body, exchange) => {
    asked.push(String(Object(body).method))
    return bare.send(request, body, exchange)
  }
  return { transport: withResponseCache({ ...bare, send }, methods), asked }
}

const exchange = (era: Exchange['era'], accepts: Exchange['accepts'] = 'either'): Exchange => ({
  era,
  accepts,
  // No tool is called.
  context: Object({}),
  onError: () => undefined,
})

type Sent = { id: unknown; method: string; params?: object; headers?: Record<string, string> }

/** The SDK requires both. */
const json = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function say(
  transport: Transport,
  era: Exchange['era'],
  { id, headers: more = {}, ...sent }: Sent,
) {
  const message = era === 'modern' ? modern(sent) : sent
  const own: Record<string, string> = era === 'modern' ? modernHeaders(sent.method) : {}
  const headers = { ...json, ...own, ...more }
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers })
  const response = await transport.send(request, { jsonrpc: '2.0', id, ...message }, exchange(era))
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type'), text }
}

for (const era of ['legacy', 'modern'] as const)
  it(`repeats the SDK's own response, with the id that was sent (${era})`, async () => {
    const { transport, asked } = counted()
    const lists = [...methods].filter((one) => era === 'modern' || one !== 'server/discover')
    for (const method of lists) {
      const responses = []
      for (const id of [1, 'two', 3]) responses.push(await say(transport, era, { id, method }))
      for (const [i, id] of [1, 'two', 3].entries()) {
        const expected = await say(bare, era, { id, method })
        assert.equal(responses[i]?.status, 200, responses[i]?.text ?? '')
        assert.equal(responses[i]?.type, expected.type)
        assert.deepEqual(JSON.parse(responses[i]?.text ?? ''), JSON.parse(expected.text))
      }
    }
    assert.deepEqual(asked, lists)
  })

it('asks the SDK for anything but exactly the same request', async () => {
  const { transport, asked } = counted()
  const list = { id: 1, method: 'tools/list' }
  await say(transport, 'modern', list)
  const other = { 'mcp-method': 'prompts/list' }
  const mismatch = await say(transport, 'modern', { ...list, headers: other })
  assert.equal(mismatch.status, 400)
  assert.match(mismatch.text, /-32020/)
  const unknown = await say(transport, 'modern', { ...list, id: 2, headers: other })
  assert.equal(unknown.status, 400, 'a refusal is not cached')
  await say(transport, 'legacy', list)
  await say(transport, 'legacy', { ...list, params: { cursor: 'next' } })
  await say(transport, 'legacy', { ...list, id: 1.5 })
  await say(transport, 'legacy', { ...list, id: { a: 1 } })
  assert.equal(asked.length, 7)
})

it('drops all entries when it is full, and keeps no long ones', async () => {
  const { transport, asked } = counted()
  const list = { id: 1, method: 'prompts/list' }
  for (let i = 0; i < 40; i += 1)
    await say(transport, 'legacy', { ...list, params: { _meta: { n: i } } })
  assert.equal(asked.length, 40)
  await say(transport, 'legacy', { ...list, params: { _meta: { n: 39 } } })
  assert.equal(asked.length, 40, 'the last ones are cached')
  await say(transport, 'legacy', { ...list, params: { _meta: { n: 0 } } })
  assert.equal(asked.length, 41, 'the first ones are not')
  const long = { ...list, params: { _meta: { n: 'x'.repeat(3_000) } } }
  await say(transport, 'legacy', long)
  await say(transport, 'legacy', long)
  assert.equal(asked.length, 43)
})

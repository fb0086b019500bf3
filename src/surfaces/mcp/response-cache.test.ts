// Answers from memory are what the SDK answers, each with its asker's id.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { modern, modernHeaders } from '../../../test/support/mcp.ts'
import { operations } from '../../catalog.ts'
import { servedOf } from './capabilities.ts'
import { remembering } from './response-cache.ts'
import { toolsOf } from './tools.ts'
import { type Engine, type Exchange, openEngine } from './transport.ts'

const served = servedOf(toolsOf(operations).list, operations)
const methods = new Set(served.unchanging)
const bare = openEngine(served)

/** The engine beneath, with a count of what it is asked. */
function counted(): { engine: Engine; asked: string[] } {
  const asked: string[] = []
  const speak: Engine['speak'] = (request, body, exchange) => {
    asked.push(String(Object(body).method))
    return bare.speak(request, body, exchange)
  }
  return { engine: remembering({ ...bare, speak }, methods), asked }
}

const exchange = (era: Exchange['era'], takes: Exchange['takes'] = 'either'): Exchange => ({
  era,
  takes,
  call: () => Promise.reject(new Error('no tool is called')),
  run: () => Promise.reject(new Error('nothing is run')),
  noted: () => undefined,
})

type Sent = { id: unknown; method: string; params?: object; headers?: Record<string, string> }

/** The SDK insists on both. */
const json = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function say(
  engine: Engine,
  era: Exchange['era'],
  { id, headers: more = {}, ...sent }: Sent,
) {
  const message = era === 'modern' ? modern(sent) : sent
  const own: Record<string, string> = era === 'modern' ? modernHeaders(sent.method) : {}
  const headers = { ...json, ...own, ...more }
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers })
  const response = await engine.speak(request, { jsonrpc: '2.0', id, ...message }, exchange(era))
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type'), text }
}

for (const era of ['legacy', 'modern'] as const)
  it(`gives the SDK's own answer again, with the id that was sent (${era})`, async () => {
    const { engine, asked } = counted()
    const lists = [...methods].filter((one) => era === 'modern' || one !== 'server/discover')
    for (const method of lists) {
      const answers = []
      for (const id of [1, 'two', 3]) answers.push(await say(engine, era, { id, method }))
      for (const [i, id] of [1, 'two', 3].entries()) {
        const expected = await say(bare, era, { id, method })
        assert.equal(answers[i]?.status, 200, answers[i]?.text ?? '')
        assert.equal(answers[i]?.type, expected.type)
        assert.deepEqual(JSON.parse(answers[i]?.text ?? ''), JSON.parse(expected.text))
      }
    }
    assert.deepEqual(asked, lists)
  })

it('asks the SDK about whatever is not just the same request', async () => {
  const { engine, asked } = counted()
  const list = { id: 1, method: 'tools/list' }
  await say(engine, 'modern', list)
  const other = { 'mcp-method': 'prompts/list' }
  const mismatch = await say(engine, 'modern', { ...list, headers: other })
  assert.equal(mismatch.status, 400)
  assert.match(mismatch.text, /-32020/)
  const unknown = await say(engine, 'modern', { ...list, id: 2, headers: other })
  assert.equal(unknown.status, 400, 'a refusal is not remembered')
  await say(engine, 'legacy', list)
  await say(engine, 'legacy', { ...list, params: { cursor: 'next' } })
  await say(engine, 'legacy', { ...list, id: 1.5 })
  await say(engine, 'legacy', { ...list, id: { a: 1 } })
  assert.equal(asked.length, 7)
})

it('is not filled by strangers: it purges all of them, and keeps no long ones', async () => {
  const { engine, asked } = counted()
  const list = { id: 1, method: 'prompts/list' }
  for (let i = 0; i < 40; i += 1)
    await say(engine, 'legacy', { ...list, params: { _meta: { n: i } } })
  assert.equal(asked.length, 40)
  await say(engine, 'legacy', { ...list, params: { _meta: { n: 39 } } })
  assert.equal(asked.length, 40, 'the last ones are known')
  await say(engine, 'legacy', { ...list, params: { _meta: { n: 0 } } })
  assert.equal(asked.length, 41, 'the first ones are not')
  const long = { ...list, params: { _meta: { n: 'x'.repeat(3_000) } } }
  await say(engine, 'legacy', long)
  await say(engine, 'legacy', long)
  assert.equal(asked.length, 43)
})

// Resources: the same for every caller, generated from the service's own data, in both eras.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { untilMinuteIsYoung } from '../../../test/contract/support/minute.ts'
import {
  connectMcp,
  type Era,
  mcpTestServer,
  modern,
  modernHeaders,
} from '../../../test/support/mcp.ts'
import { echo } from '../../../test/support/sample-operations.ts'
import { sharedService } from '../../../test/support/service.ts'
import { operations } from '../../catalog.ts'
import { declaredFaults } from '../../kit/fault.ts'
import { buyingPage } from '../descriptions/guide.ts'
import { errorsPage, operationsPage } from '../descriptions/markdown.ts'

const registrar = await sharedService()
const url = `${registrar.service.settings.mcp_url}/mcp`
const small = await mcpTestServer([echo])
const eras: Era[] = ['legacy', 'modern']

for (const era of eras) {
  it(`lists them without a token, and each can be read (${era})`, async () => {
    const client = await connectMcp(url, era)
    const { resources } = await client.listResources()
    assert.deepEqual(
      resources.map(({ uri, mimeType }) => [uri, mimeType]),
      [
        ['registrar://state-model', 'application/json'],
        ['registrar://prices/USD', 'application/json'],
        ['registrar://prices/EUR', 'application/json'],
        ['registrar://docs/buying.md', 'text/markdown'],
        ['registrar://docs/errors.md', 'text/markdown'],
        ['registrar://docs/operations.md', 'text/markdown'],
      ],
    )
    for (const { uri, mimeType, title, description } of resources) {
      assert.ok(title && description)
      const [content, ...more] = (await client.readResource({ uri })).contents
      assert.equal(more.length, 0)
      assert.deepEqual([content?.uri, content?.mimeType], [uri, mimeType])
      assert.ok(content && 'text' in content && content.text.length > 500, uri)
    }
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['registrar://prices/{currency}'],
    )
    const ref = { type: 'ref/resource', uri: 'registrar://prices/{currency}' } as const
    const { completion } = await client.complete({ ref, argument: { name: 'currency', value: '' } })
    assert.deepEqual(completion.values, ['USD', 'EUR'])
    const other = { type: 'ref/resource', uri: 'registrar://{path}' } as const
    const wrong = client.complete({ ref: other, argument: { name: 'path', value: '' } })
    await assert.rejects(wrong, { code: -32_602 })
  })

  it(`has the same values as REST, and the whole text of each document (${era})`, async () => {
    const client = await connectMcp(url, era)
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents
      return content && 'text' in content ? content.text : assert.fail(uri)
    }
    const model = await registrar.request('GET', '/v1/state-model')
    assert.deepEqual(JSON.parse(await read('registrar://state-model')), model.body)
    for (const currency of ['USD', 'EUR']) {
      const { body } = await registrar.request('GET', `/v1/pricing/tlds?currency=${currency}`)
      assert.deepEqual(JSON.parse(await read(`registrar://prices/${currency}`)), body)
    }
    assert.equal(await read('registrar://docs/buying.md'), buyingPage())
    assert.equal(await read('registrar://docs/operations.md'), operationsPage(operations))
    const errors = errorsPage(declaredFaults(), operations)
    assert.equal(await read('registrar://docs/errors.md'), errors)
  })
}

it('answers -32602 for an unknown URI, naming it', async () => {
  const uri = 'registrar://prices/GBP'
  const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
  const old = await small.post(message)
  assert.equal(Object(old.body.error).code, -32_602)
  assert.deepEqual(Object(old.body.error).data, { uri })
  const now = await small.post(modern(message), modernHeaders('resources/read', uri))
  assert.equal(Object(now.body.error).code, -32_602)
  assert.deepEqual(Object(now.body.error).data, { uri })
})

it('says how long each answer may be cached, and by which caches', async () => {
  const uri = 'registrar://docs/buying.md'
  for (const [method, params, name] of [
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri }, uri],
    ['prompts/list', {}],
  ] as const) {
    const message = modern({ method, params })
    const answer = await small.post(
      { jsonrpc: '2.0', id: 1, ...message },
      modernHeaders(method, name),
    )
    const { ttlMs, cacheScope } = Object(answer.body.result)
    assert.ok(ttlMs >= 60_000, `${method}: ${answer.text}`)
    assert.equal(cacheScope, 'public')
  }
})

it('counts anonymous reads by address, and refuses an invalid token even here', async () => {
  const few = await mcpTestServer([echo], { ANONYMOUS_REQUESTS_PER_MINUTE: '10' })
  const list = { jsonrpc: '2.0', id: 1, method: 'resources/list' }
  const statuses = []
  await untilMinuteIsYoung(6_000)
  for (let i = 0; i < 12; i += 1) statuses.push((await few.post(list)).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
  const bad = await small.post(list, { authorization: `Bearer ar_test_${'x'.repeat(40)}` })
  assert.equal(bad.status, 401)
})

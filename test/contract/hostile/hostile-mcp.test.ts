// Fuzzing of MCP's messages and arguments with text that databases and parsers cannot hold: never a
// 5xx, never an internal error.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../../../src/catalog.ts'
import { fieldsOf } from '../../../src/surfaces/pipeline/validate.ts'
import { startService } from '../../support/service.ts'
import { openFixture } from '../support/fixture.ts'
import { odd, refused, shapesOf, texts } from './hostile-texts.ts'

const registrar = await startService()
const fixture = await openFixture(registrar)

describe('MCP', () => {
  const tools = operations.flatMap((operation) =>
    (operation.tools ?? []).map((tool) => ({ name: tool.name ?? operation.name, operation })),
  )
  const call = (token: string, name: string, args: unknown) =>
    registrar.request('POST', '/mcp', {
      token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    })
  for (const { name, operation } of tools)
    test(`${name} answers hostile arguments without an internal error`, async () => {
      for (const token of [fixture.key, registrar.operatorKey])
        for (const [field, { schema }] of fieldsOf(operation))
          for (const [what, text] of Object.entries({ ...odd, NUL: refused.NUL }))
            for (const given of shapesOf(schema, text)) {
              const answer = await call(token, name, { [field]: given })
              assert.ok(answer.status < 500, `${field} ${what}: ${answer.text}`)
              assert.doesNotMatch(answer.text, /internal_error|-32603/, `${field} ${what}`)
            }
    })

  test('names of methods, tools, resources and prompts are no failure either', async () => {
    for (const [what, text] of Object.entries(texts))
      for (const body of [
        { jsonrpc: '2.0', id: text, method: 'tools/list' },
        { jsonrpc: '2.0', id: 1, method: text },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: text, arguments: {} } },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', [text]: 1 } },
        { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: text } },
        { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: `domain://${text}` } },
        { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: text } },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: text,
            capabilities: {},
            clientInfo: { name: text, version: text },
          },
        },
      ]) {
        const answer = await registrar.request('POST', '/mcp', { token: fixture.key, body })
        assert.ok(answer.status < 500, `${what} ${body.method}: ${answer.text}`)
        assert.doesNotMatch(answer.text, /internal_error|-32603/, `${what} ${body.method}`)
      }
  })
})

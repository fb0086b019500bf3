// A member that a client leaves unset by null counts as left out: every optional member of every
// request, by the schemas of the protocol, in both eras. And the endpoint with a slash behind it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as types from '@modelcontextprotocol/sdk/types.js'
import Type from 'typebox'
import { mcpTestServer, modern, modernHeaders } from '../../../test/support/mcp.ts'
import { echo, listThings } from '../../../test/support/sample-operations.ts'
import { anyone, operation } from '../../app.ts'
import { nullable } from '../../kit/schema.ts'
import { withoutUnset } from './left-out.ts'

/** Distinguishes null from a field that was left out, as PATCH does to remove a value. */
const change = operation({
  name: 'change_thing',
  does: 'Change a thing.',
  at: 'POST /v1/changed-things',
  area: 'Tests',
  who: anyone(),
  takes: Type.Object({ note: Type.Optional(nullable(Type.String())) }),
  gives: Type.Object({ note: Type.String() }),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'Change a thing',
      examples: [{}],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ note }) {
    return { note: note === undefined ? 'left out' : String(note) }
  },
})

const { post, send } = await mcpTestServer([echo, listThings, change])

type Message = { jsonrpc: '2.0'; id: number; method: string; params: Record<string, unknown> }

/** A valid request of each kind that the server answers, with the schema of its parameters. */
const requests: readonly (readonly [method: string, params: object, schema: unknown])[] = [
  [
    'initialize',
    {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    },
    types.InitializeRequestSchema,
  ],
  ['ping', {}, types.PingRequestSchema],
  ['tools/list', {}, types.ListToolsRequestSchema],
  ['tools/call', { name: 'change_thing' }, types.CallToolRequestSchema],
  ['resources/list', {}, types.ListResourcesRequestSchema],
  ['resources/templates/list', {}, types.ListResourceTemplatesRequestSchema],
  ['prompts/list', {}, types.ListPromptsRequestSchema],
  ['prompts/get', { name: 'review_domains' }, types.GetPromptRequestSchema],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'registrar://prices/{currency}' },
      argument: { name: 'currency', value: 'u' },
    },
    types.CompleteRequestSchema,
  ],
]

type Path = readonly string[]

/** Members that may be left out, below this schema (of Zod, which has no type for any of them). */
function optionalPaths(schema: unknown, at: Path = []): Path[] {
  const { shape, element, unwrap, isOptional } = Object(schema)
  if (element !== undefined) return []
  if (typeof unwrap === 'function' && typeof isOptional === 'function' && shape === undefined)
    return optionalPaths(unwrap.call(schema), at)
  if (shape === undefined || at.length > 5) return []
  return Object.entries(shape).flatMap(([name, member]) => {
    const path = [...at, name]
    const own = Object(member).isOptional?.() === true ? [path] : []
    return [...own, ...optionalPaths(member, path)]
  })
}

function withNullAt(value: unknown, [name = '', ...rest]: Path): object {
  const object: Record<string, unknown> = { ...Object(value) }
  object[name] = rest.length === 0 ? null : withNullAt(object[name], rest)
  return object
}

/** Every request with each of its optional members null, and with all of them. */
function* cases(): Generator<readonly [name: string, message: Message]> {
  for (const [method, params, schema] of requests) {
    const paths = optionalPaths(schema)
    assert.ok(paths.length > 0, method)
    for (const path of paths) {
      const message: Message = { jsonrpc: '2.0', id: 1, method, params: { ...params } }
      yield [`${method} ${path.join('.')}`, Object(withNullAt(message, path))]
    }
  }
}

describe('null for an optional member of a request counts as left out', () => {
  it('in the older era', async () => {
    let tried = 0
    for (const [name, message] of cases()) {
      // A request without parameters is not valid where some are required.
      if (message.params === null && Object.keys(requestOf(message.method)).length > 0) continue
      const { status, body } = await post(message)
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      assert.equal(body.error, undefined, `${name}: ${JSON.stringify(body.error)}`)
      assert.notEqual(Object(body.result).isError, true, name)
      tried += 1
    }
    assert.ok(tried > 40, `${tried}`)
  })

  it('in the newer era, where _meta is required', async () => {
    let tried = 0
    for (const [name, message] of [...cases(), ...discoveries()]) {
      if (['initialize', 'ping'].includes(message.method)) continue
      if (message.params === null || name.endsWith('params._meta')) continue
      const { _meta, ...params } = message.params
      const named = String(params.name ?? '') || undefined
      const headers = modernHeaders(message.method, named)
      const { status, body } = await post(
        modern({ ...message, params }, { ...Object(_meta) }),
        headers,
      )
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      assert.equal(body.error, undefined, `${name}: ${JSON.stringify(body.error)}`)
      tried += 1
    }
    assert.ok(tried > 15, `${tried}`)
  })

  it('of a notification, and in a batch', async () => {
    const done = { jsonrpc: '2.0', method: 'notifications/initialized', params: null }
    const cancel = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7, reason: null, _meta: null },
    }
    for (const notification of [done, cancel]) assert.equal((await post(notification)).status, 202)
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: null } }
    const { text } = await post([list, { ...list, id: 3, params: null }])
    assert.deepEqual(
      JSON.parse(text).map((one: object) => 'result' in one),
      [true, true],
    )
  })

  it('but for those of the arguments of a tool, where an operation may distinguish', async () => {
    const call = (args: unknown) =>
      post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'change_thing', arguments: args },
      })
    for (const [args, note] of [
      [{ note: null }, 'null'],
      [{}, 'left out'],
      [null, 'left out'],
    ] as const) {
      const { result } = (await call(args)).body
      assert.equal(Object(result).structuredContent.note, note, JSON.stringify(result))
    }
  })

  it('however deep a body is nested', () => {
    let deep: unknown = null
    for (let i = 0; i < 50_000; i += 1) deep = { deep }
    const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { deep } }
    assert.equal(Object(withoutUnset(message)).method, 'ping')
    assert.equal(withoutUnset(null), null)
    assert.deepEqual(withoutUnset([7, 'a']), [7, 'a'])
  })
})

function requestOf(method: string): object {
  return requests.find(([name]) => name === method)?.[1] ?? {}
}

function discoveries(): (readonly [string, Message])[] {
  const discover = { jsonrpc: '2.0' as const, id: 1, method: 'server/discover' }
  const unset = {
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1', title: null, icons: null },
    'io.modelcontextprotocol/clientCapabilities': {
      roots: null,
      sampling: null,
      elicitation: null,
    },
    progressToken: null,
  }
  return [
    ['server/discover', { ...discover, params: {} }],
    ['server/discover _meta', { ...discover, params: { _meta: unset } }],
  ]
}

describe('the endpoint with a slash behind it', () => {
  it('is the endpoint, with its own refusals', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const headers = { 'content-type': 'application/json' }
    for (const path of ['/mcp/', '/mcp/?a=b']) {
      const { status, body } = await send('POST', path, { body: ping, headers })
      assert.equal(status, 200, path)
      assert.deepEqual(body.result, {})
    }
    const got = await send('GET', '/mcp/')
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST'])
    assert.equal((await send('POST', '/mcp//', { body: ping, headers })).status, 404)
  })

  it('has its metadata with a slash, too', async () => {
    const well = '/.well-known/oauth-protected-resource/mcp'
    const [plain, slashed] = [await send('GET', well), await send('GET', `${well}/`)]
    assert.equal(slashed.status, 200)
    assert.equal(slashed.text, plain.text)
  })
})

describe('a list without pages', () => {
  it('refuses every cursor as -32602', async () => {
    for (const method of [
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'prompts/list',
    ])
      for (const cursor of ['none of ours', '']) {
        const message = { jsonrpc: '2.0', id: 1, method, params: { cursor } }
        const { body } = await post(message)
        assert.equal(Object(body.error).code, -32_602, `${method} ${cursor}`)
        const newer = await post(modern(message), modernHeaders(method))
        assert.equal(Object(newer.body.error).code, -32_602, `${method} ${cursor}`)
      }
  })
})

// The catalog's tools: what any client can read of them, old ones too.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Type from 'typebox'
import { echo } from '../../test/support/small-rooms.ts'
import { anyone, operation } from '../app.ts'
import { operations } from '../catalog.ts'
import { instructions } from './mcp-served.ts'
import { structuredOf, toolsOf } from './mcp-tools.ts'
import { InvalidRequest, parserOf } from './parse.ts'

const tools = toolsOf(operations)

it('has schemas that validators of both drafts take', () => {
  const options = { strict: false, validateFormats: false }
  const validators = [new Ajv(options), new Ajv2020(options)]
  for (const { name, inputSchema, outputSchema } of tools.list)
    for (const validator of validators)
      for (const schema of [inputSchema, outputSchema ?? {}])
        assert.equal(typeof validator.compile(Object(schema)), 'function', name)
})

it('has names, titles and words that clients can show', () => {
  assert.ok(tools.list.length > 0)
  for (const { name, title, description, inputSchema } of tools.list) {
    assert.match(name, /^[a-z][a-z0-9_]{2,63}$/)
    assert.ok(title && title.length <= 60, name)
    assert.ok(description && description.length <= 1024, name)
    assert.ok(!inputSchema.required?.includes('customer_id'), name)
  }
})

it('needs a scope, or nobody, for each tool', () => {
  for (const { about, scope } of [...tools.byName.values()].map(({ who }) => who))
    assert.equal(about === 'anyone', scope === null)
})

it('has every tool that the instructions name', () => {
  const named = instructions.match(/\b(?:check|get|list|register)_[a-z_]+/g) ?? []
  assert.ok(named.length >= 4)
  for (const name of named) assert.ok(tools.byName.has(name), name)
})

it('is the same each time', () => {
  assert.deepEqual(toolsOf(operations).list, tools.list)
})

it('refuses two tools of one name, and an output that MCP cannot carry', () => {
  assert.throws(() => toolsOf([echo, echo]), /Two tools are named "echo"/)
  const text = operation({
    name: 'read_text',
    does: 'Read a text.',
    at: 'GET /v1/text',
    area: 'Tests',
    who: anyone(),
    takes: Type.Object({}),
    gives: Type.String(),
    fails: [],
    effect: 'none',
    tools: [{ title: 'Text', destructive: false, idempotent: true, open_world: false }],
    run: async () => 'text',
  })
  assert.throws(() => toolsOf([text]), /gives neither object nor list/)
})

it('shows each tool of an operation with its own fields, words and needs', () => {
  const base = { title: 'Echo', destructive: false, idempotent: true, open_world: false }
  const both = operation({
    ...echo,
    takes: Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }, { title: 'Both' }),
    tools: [
      { ...base, name: 'say_a', needs: ['a'], takes: ['b'] },
      { ...base, name: 'say_b', does: 'Say b alone.', needs: ['b'] },
    ],
  })
  const [a, b] = toolsOf([both]).list
  assert.deepEqual(
    [a?.inputSchema.required, Object.keys(a?.inputSchema.properties ?? {})],
    [['a'], ['a', 'b']],
  )
  assert.deepEqual(
    [b?.inputSchema.required, Object.keys(b?.inputSchema.properties ?? {})],
    [['b'], ['b']],
  )
  assert.ok(a?.description?.startsWith(echo.does))
  assert.equal(b?.description, 'Say b alone.')
  const narrow = parserOf(toolsOf([both]).byName.get('say_b') ?? both)
  assert.deepEqual(narrow.fromArguments({ b: 1 }), { b: 1 })
  assert.throws(() => narrow.fromArguments({ b: 1, a: 'x' }), InvalidRequest)
  assert.throws(() => narrow.fromArguments({}), InvalidRequest)
  const wrong = { ...both, tools: [{ ...base, name: 'say_c', needs: ['c'] }] }
  assert.throws(() => toolsOf([wrong]), /has a field that is not there: "c"/)
})

it('wraps lists, and takes nothing for an empty object', () => {
  assert.deepEqual(structuredOf([1]), { items: [1] })
  assert.deepEqual(structuredOf({ a: 1 }), { a: 1 })
  assert.deepEqual(structuredOf(undefined), {})
})

// The catalog's tools: schemas that any client can read, old ones too.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Type from 'typebox'
import { echo } from '../../../test/support/sample-operations.ts'
import { anyone, operation, toolGroups } from '../../app.ts'
import { operations } from '../../catalog.ts'
import { buyingPage } from '../descriptions/guide.ts'
import { InvalidRequest, parserOf } from '../pipeline/validate.ts'
import { instructions, structuredOf } from './capabilities.ts'
import { concernsOwnAccount } from './json-rpc.ts'
import { textOfPrompt } from './prompts.fixture.ts'
import { prompts } from './prompts.ts'
import { toolsOf } from './tools.ts'

const tools = toolsOf(operations)
const hints = {
  group: 'registration',
  examples: [{}],
  destructive: false,
  idempotent: true,
  open_world: false,
} as const

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

it('needs no token for just three tools, which are listed here', () => {
  const without = (about: string) =>
    tools.list.map(({ name }) => name).filter((name) => tools.byName.get(name)?.who.about === about)
  assert.deepEqual(without('anyone'), [
    'check_domain_availability',
    'get_state_model',
    'get_domain_pricing',
  ])
  assert.deepEqual(without('known'), ['list_contact_countries', 'list_contact_states'])
  assert.deepEqual(without('service'), [], 'no tool is for operators')
  for (const { about, scope } of [...tools.byName.values()].map(({ who }) => who))
    assert.equal(about === 'anyone' || about === 'known', scope === null)
})

it('shows examples that its own schema, and its operation, take', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const definitions = operations.flatMap((operation) =>
    (operation.tools ?? []).map((tool) => ({ name: tool.name ?? operation.name, ...tool })),
  )
  for (const { name, examples } of definitions) {
    const tool = tools.list.find((one) => one.name === name)
    const operation = tools.byName.get(name)
    assert.ok(tool && operation, name)
    const validate = ajv.compile(Object(tool.inputSchema))
    const parser = parserOf(operation)
    for (const example of examples) {
      assert.ok(tool.description?.includes(JSON.stringify(example)), name)
      assert.ok(validate(example), `${name}: ${JSON.stringify(validate.errors)}`)
      // Fields that the surface fills in for the caller.
      const own: object = concernsOwnAccount(operation) ? { customer_id: 'cus_1' } : {}
      assert.ok(parser.fromArguments({ ...own, ...example }), name)
    }
  }
})

it('describes each field that it takes, and takes no other', () => {
  for (const { name, inputSchema } of tools.list) {
    assert.equal(inputSchema.additionalProperties, false, name)
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
      assert.ok(Object(schema).description ?? Object(schema).anyOf, `${name}.${field}`)
  }
})

it('is short: each shape is written out once', () => {
  // The 45th is the summary of domains: an agent of a large account reads it in place of the list.
  // Seven more change DNS records, list those changes, confirm one, take one back, import a zone
  // file, scan the records elsewhere and apply a template.
  assert.ok(tools.list.length >= 20 && tools.list.length <= 52)
  // About four letters a token: a model reads it all before its first call (decision 47).
  assert.ok(JSON.stringify(tools.list).length < 2_200 * tools.list.length)
  const [first, ...later] = tools.list.filter(({ outputSchema }) =>
    JSON.stringify(outputSchema ?? {}).includes('"epp_statuses"'),
  )
  assert.equal(first?.name, 'get_domain')
  assert.ok(JSON.stringify(first?.outputSchema).includes('acts_at'))
  for (const { outputSchema } of later) assert.ok(!JSON.stringify(outputSchema).includes('acts_at'))
  const again = tools.list.find(({ name }) => name === 'renew_domain')?.outputSchema
  assert.deepEqual(again, { type: 'object', description: 'As get_domain answers it.' })
  assert.ok(!JSON.stringify(tools.list.map((one) => one.outputSchema)).includes('"anyOf"'))
})

it('counts the domains of an account in one tool', () => {
  const tool = tools.list.find(({ name }) => name === 'get_domains_summary')
  assert.equal(tool?.annotations?.readOnlyHint, true)
  assert.deepEqual(tools.byName.get('get_domains_summary')?.who.scope, 'domains:read')
})

it('is in groups, and in the order of the catalog within one', () => {
  const groups = tools.list.map(({ name }) => {
    const of = operations.find((one) =>
      (one.tools ?? []).some((t) => (t.name ?? one.name) === name),
    )
    return of?.tools?.find((t) => (t.name ?? of.name) === name)?.group
  })
  assert.deepEqual([...new Set(groups)], [...toolGroups])
  const places = groups.map((group) => (group ? toolGroups.indexOf(group) : -1))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
})

it('has every tool that the instructions, the guide and the prompts name', () => {
  const texts = [instructions, buyingPage(), ...prompts.map(({ name }) => textOfPrompt(name))]
  for (const text of texts) {
    const named = text.match(
      /\b(?:check|get|list|register|renew|restore|cancel|set|create)_[a-z_]+|transfer_domain/g,
    )
    assert.ok(named && named.length >= 3, text)
    for (const name of named) assert.ok(tools.byName.has(name), name)
  }
  assert.ok(instructions.length < 2_000)
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
    tools: [{ ...hints, title: 'Text' }],
    run: async () => 'text',
  })
  assert.throws(() => toolsOf([text]), /gives neither object nor list/)
})

it('shows each tool of an operation with its own fields, words and needs', () => {
  const base = { ...hints, title: 'Echo' }
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
  assert.equal(b?.description, 'Say b alone. Example: {}')
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

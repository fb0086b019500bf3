// Bodies of the largest size with as many wrong members as fit: the answer is small, names at most
// a hundred problems, and no member is looked at by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../src/catalog.ts'
import {
  fieldsOf,
  type Gathered,
  InvalidRequest,
  parserOf,
} from '../../../src/surfaces/pipeline/validate.ts'
import { sharedService } from '../../support/service.ts'

const registrar = await sharedService()
const list = (count: number, value: unknown = 1) => Array.from({ length: count }, () => value)
const members = (count: number, value: unknown = 1) =>
  Object.fromEntries(list(count).map((_, index) => [`k${index}`, value]))

type Schema = {
  type?: string
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  maxProperties?: number
}

/** Values that are too large at some depth of the schema. */
function oversized(schema: Schema): unknown[] {
  const { items, properties = {}, additionalProperties: others, anyOf = [] } = schema
  const inside = Object.entries(properties).flatMap(([name, one]) =>
    oversized(one).map((value) => ({ [name]: value })),
  )
  const ofOthers = typeof others === 'object' ? oversized(others).map((one) => ({ a: one })) : []
  return [
    ...(schema.type === 'array' ? [list(300), list(300, {}), list(300, '')] : []),
    ...(schema.type === 'object' ? [members(300), members(300, {})] : []),
    ...(items ? oversized(items).map((one) => [one]) : []),
    ...[...inside, ...ofOthers, ...anyOf.flatMap(oversized)],
  ]
}

function problemsOf(parse: () => unknown): InvalidRequest['details'] {
  try {
    parse()
  } catch (error) {
    if (error instanceof InvalidRequest) return error.details
    throw error
  }
  return []
}

test('each list of a request has a limit, and each open object', () => {
  const without: string[] = []
  const look = (schema: Schema, path: string) => {
    const { items, properties = {}, additionalProperties: others, anyOf = [] } = schema
    if (schema.type === 'array' && schema.maxItems === undefined) without.push(path)
    if (typeof others === 'object' && schema.maxProperties === undefined) without.push(path)
    if (items) look(items, `${path}[]`)
    for (const [name, one] of Object.entries(properties)) look(one, `${path}.${name}`)
    if (typeof others === 'object') look(others, `${path}.*`)
    for (const one of anyOf) look(one, path)
  }
  for (const { name, takes } of operations) look(takes, name)
  assert.deepEqual(without, [])
})

test('a field of any operation that is too large is few problems', () => {
  let tried = 0
  for (const operation of operations) {
    const parser = parserOf(operation)
    for (const [name, { location, schema }] of fieldsOf(operation))
      for (const value of [...oversized(schema), list(300), members(300)]) {
        const gathered: Gathered = { path: {}, query: {}, header: {}, body: { [name]: value } }
        const parses = [() => parser.fromArguments({ [name]: value })]
        if (location === 'body') parses.push(() => parser.fromRest(gathered))
        for (const parse of parses) {
          const problems = problemsOf(parse)
          assert.ok(problems.length <= 100, `${operation.name}.${name}: ${problems.length}`)
          const sized = problems.filter(({ type }) => type === 'too_long')
          // If a list is too long, no item of it is named.
          const isTooLong = sized.some(({ loc }) => loc[1] === name && loc.length === 2)
          if (isTooLong && Array.isArray(value))
            assert.ok(problems.every(({ loc }) => loc[1] !== name || loc.length === 2))
          tried += sized.length
        }
      }
  }
  assert.ok(tried > 30, String(tried))
})

test('over REST the answer to 64 kB is small', async () => {
  const post = (body: unknown) => registrar.request('POST', '/v1/domains/check', { body })
  const many = await post({ domains: list(32_000) })
  assert.equal(many.status, 422)
  assert.deepEqual(many.body.detail, [
    { loc: ['body', 'domains'], msg: 'List should have at most 200 items', type: 'too_long' },
  ])
  const other = await post({ domains: ['a.test'], ...members(5_000) })
  assert.deepEqual([other.status, other.body.detail.length], [422, 100])
  const query = Object.keys(members(900)).join('&')
  const { status, body } = await registrar.request('GET', `/v1/pricing/tlds?${query}`)
  assert.deepEqual([status, body.detail.length], [422, 100])
})

test('over MCP the answer to 64 kB is small, whatever the method', async () => {
  const who = { name: 'x', version: '1' }
  const start = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: who }
  const wide = members(6_000)
  const wrong: [string, object][] = [
    ['tools/call', { name: 'check_domain_availability', arguments: { domains: list(32_000) } }],
    ['tools/call', { name: 'check_domain_availability', arguments: wide }],
    ['tools/call', { name: 'check_domain_availability', arguments: list(30_000) }],
    ['tools/call', { name: 'check_domain_availability', _meta: wide, arguments: {} }],
    ['tools/list', { _meta: { progressToken: list(30_000) } }],
    ['initialize', { ...start, clientInfo: { ...who, icons: list(30_000) } }],
    ['initialize', { ...start, capabilities: wide }],
    ['prompts/get', { name: 'x', arguments: wide }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'x' },
        argument: { name: 'a', value: 'b' },
        context: { arguments: wide },
      },
    ],
  ]
  for (const [method, params] of wrong) {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { text } = await registrar.request('POST', '/mcp', { body })
    assert.ok(text.length < 20_000, `${method}: ${text.length}`)
    assert.match(text, /"error"|"isError":true/, method)
  }
})

// Validation: all errors of a request are reported at once, and no value is coerced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { int64, nullable, oneOf, withDefault } from '../../kit/schema.ts'
import { type Gathered, InvalidRequest, parserOf } from './validate.ts'

const sample = operation({
  name: 'parse_sample',
  does: 'A sample.',
  at: 'POST /v1/things/{thing_id}',
  area: 'Test',
  who: owner('domains:read'),
  takes: Type.Object({
    thing_id: Type.Integer({ minimum: 1 }),
    name: Type.String({ minLength: 1, maxLength: 5 }),
    note: Type.Optional(nullable(Type.String())),
    kind: withDefault(oneOf(['a', 'b'] as const), 'a'),
    list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
    most: Type.Optional(Type.String({ examples: ['12.00'] })),
    deep: Type.Optional(Type.Object({ flag: Type.Optional(Type.Boolean()) })),
    idempotency_key: Type.Optional(Type.String({ maxLength: 3 })),
  }),
  in: { idempotency_key: 'header' },
  gives: Type.Object({}),
  fails: [],
  effect: 'none',
  run: async () => ({}),
})
const listing = operation({
  ...sample,
  name: 'parse_listing',
  at: 'GET /v1/things',
  takes: Type.Object({
    limit: withDefault(Type.Integer({ minimum: 1, maximum: 500 }), 100),
    deep: Type.Optional(Type.Boolean()),
    order_by: Type.Optional(Type.Array(Type.String())),
    q: Type.Optional(Type.String()),
  }),
})

const pager = parserOf(
  operation({
    ...sample,
    name: 'parse_page',
    at: 'GET /v1/things',
    takes: Type.Object({
      offset: withDefault(int64({ minimum: 0, description: 'Rows to skip.' }), 0),
    }),
  }),
)
const parser = parserOf(sample)
const lister = parserOf(listing)
const rest = (over: Partial<Gathered>): Gathered => ({
  path: { thing_id: '7' },
  query: {},
  header: {},
  body: { name: 'x' },
  ...over,
})

function wrong(parse: () => unknown): { loc: string; type: string }[] {
  try {
    parse()
  } catch (error) {
    assert.ok(error instanceof InvalidRequest, String(error))
    return error.details.map(({ loc, type }) => ({ loc: loc.join('.'), type }))
  }
  return []
}

test('fields come from path, body and header, and defaults stand in', () => {
  const input = parser.fromRest(rest({ header: { 'idempotency-key': 'abc' } }))
  assert.deepEqual(input, { thing_id: 7, name: 'x', kind: 'a', idempotency_key: 'abc' })
})

test('reports all failing fields at once, each with its root', () => {
  const found = wrong(() =>
    parser.fromRest(
      rest({
        path: { thing_id: '0' },
        query: { page: '1' },
        header: { 'idempotency-key': 'abcd' },
        body: { name: '', note: 5, kind: 'c', list: ['a', 'b', 'c'], extra: 1 },
      }),
    ),
  )
  assert.deepEqual(
    found.sort((a, b) => (a.loc < b.loc ? -1 : 1)),
    [
      { loc: 'body.extra', type: 'extra_forbidden' },
      { loc: 'body.kind', type: 'literal_error' },
      { loc: 'body.list', type: 'too_long' },
      { loc: 'body.name', type: 'string_too_short' },
      { loc: 'body.note', type: 'string_type' },
      { loc: 'header.idempotency_key', type: 'string_too_long' },
      { loc: 'path.thing_id', type: 'greater_than_equal' },
      { loc: 'query.page', type: 'extra_forbidden' },
    ],
  )
})

test('reports the missing fields of a missing body, and a body that is not an object', () => {
  assert.deepEqual(
    wrong(() => parser.fromRest(rest({ body: undefined }))),
    [{ loc: 'body.name', type: 'missing' }],
  )
  for (const body of [[], 'x', 5, null]) {
    const found = wrong(() => parser.fromRest(rest({ body })))
    assert.deepEqual(found[0], { loc: 'body', type: 'dict_type' })
  }
})

test('bodies are never converted', () => {
  const found = wrong(() => parser.fromRest(rest({ body: { name: 5 } })))
  assert.deepEqual(found, [{ loc: 'body.name', type: 'string_type' }])
})

test("a body cannot set the path's fields", () => {
  const found = wrong(() => parser.fromRest(rest({ body: { name: 'x', thing_id: 8 } })))
  assert.deepEqual(found, [{ loc: 'body.thing_id', type: 'extra_forbidden' }])
})

test('numbers and flags of a query are read strictly', () => {
  const query = (limit: string | string[]) => ({
    path: {},
    query: { limit },
    header: {},
    body: undefined,
  })
  assert.deepEqual(lister.fromRest(query('5')), { limit: 5 })
  for (const text of ['+5', '5.0', '0x10', '１', ' 5', '', '1e2', '05', '9007199254740993'])
    assert.deepEqual(wrong(() => lister.fromRest(query(text)))[0]?.type, 'int_parsing', text)
  assert.deepEqual(wrong(() => lister.fromRest(query('0')))[0]?.type, 'greater_than_equal')
  assert.deepEqual(
    wrong(() => lister.fromRest(query(['1', '999999']))),
    [{ loc: 'query.limit', type: 'string_type' }],
  )
  const deep = { path: {}, query: { deep: 'yes' }, header: {}, body: undefined }
  assert.equal(wrong(() => lister.fromRest(deep))[0]?.type, 'bool_parsing')
})

test('a repeated parameter is a list only where the schema says so', () => {
  const query = { path: {}, query: { order_by: ['a', 'b'] }, header: {}, body: undefined }
  assert.deepEqual(lister.fromRest(query), { limit: 100, order_by: ['a', 'b'] })
  const one = { path: {}, query: { order_by: 'a' }, header: {}, body: undefined }
  assert.deepEqual(lister.fromRest(one), { limit: 100, order_by: ['a'] })
})

test('rejects text that the database cannot store, in paths and queries too', () => {
  const query = { path: {}, query: { q: 'a\u0000b' }, header: {}, body: undefined }
  assert.deepEqual(
    wrong(() => lister.fromRest(query)),
    [{ loc: 'query.q', type: 'string_unicode' }],
  )
})

test('validates arguments of a tool by the same schema', () => {
  assert.deepEqual(parser.fromArguments({ thing_id: 7, name: 'x' }), {
    thing_id: 7,
    name: 'x',
    kind: 'a',
  })
  assert.deepEqual(
    wrong(() => parser.fromArguments({ thing_id: '7', name: 'x', more: 1 })),
    [
      { loc: 'arguments.more', type: 'extra_forbidden' },
      { loc: 'arguments.thing_id', type: 'int_type' },
    ],
  )
})

test('null for an optional field counts as left out, unless its schema has null', () => {
  const optional = { kind: null, list: null, idempotency_key: null, deep: { flag: null } }
  const expected = { thing_id: 7, name: 'x', kind: 'a', deep: {} }
  assert.deepEqual(parser.fromArguments({ thing_id: 7, name: 'x', ...optional }), expected)
  const { idempotency_key: _header, ...body } = optional
  assert.deepEqual(parser.fromRest(rest({ body: { name: 'x', ...body } })), expected)
  assert.deepEqual(parser.fromRest(rest({ body: { name: 'x', note: null } })), {
    ...{ thing_id: 7, name: 'x', kind: 'a', note: null },
  })
  for (const [field, value] of [
    ['name', null],
    ['list', [null]],
    ['nothing', null],
  ] as const)
    assert.equal(
      wrong(() => parser.fromRest(rest({ body: { name: 'x', [field]: value } }))).length,
      1,
    )
})

test('rejects a value of another type with an example, where the schema has one', () => {
  assert.throws(
    () => parser.fromRest(rest({ body: { name: 'x', most: 12 } })),
    ({ details }) => details[0].msg === 'Input should be a valid string, such as "12.00"',
  )
})

test('keeps keys that would reach a prototype as plain keys, and rejects them', () => {
  for (const key of ['constructor', 'prototype', 'toString'])
    assert.deepEqual(
      wrong(() => parser.fromRest(rest({ body: { name: 'x', [key]: {} } }))),
      [{ loc: `body.${key}`, type: 'extra_forbidden' }],
    )
})

test('a 64-bit integer is exact to both of its ends', () => {
  const paged = (query: Gathered['query']) =>
    pager.fromRest({ path: {}, query, header: {}, body: undefined }).offset
  const read = (offset: string) => paged({ offset })
  const greatest = 2n ** 63n - 1n
  assert.equal(paged({}), 0)
  assert.equal(read('7'), 7)
  assert.equal(read('9007199254740991'), Number.MAX_SAFE_INTEGER)
  assert.equal(read('9007199254740993'), 9_007_199_254_740_993n)
  assert.equal(read(String(greatest)), greatest)
  const problemOf = (offset: string) => {
    try {
      return `accepted as ${read(offset)}`
    } catch (error) {
      assert.ok(error instanceof InvalidRequest, String(error))
      return error.details.map(({ type }) => type).join()
    }
  }
  for (const over of [greatest + 1n, 2n ** 64n, -(2n ** 63n) - 1n])
    assert.match(problemOf(String(over)), /^(less_than_equal|int_parsing|greater_than_equal)$/)
  assert.equal(problemOf('-1'), 'greater_than_equal')
  assert.equal(problemOf('-9223372036854775808'), 'greater_than_equal')
  for (const odd of [
    '',
    '+5',
    '5.0',
    '1e3',
    '0x10',
    '05',
    ' 5',
    '٣',
    '-',
    '1n',
    'NaN',
    '9'.repeat(20),
  ])
    assert.equal(problemOf(odd), 'int_parsing', odd)
})

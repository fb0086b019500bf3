// Validators accept and reject what the schema says, convert nothing, and name the wrong field.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import Type from 'typebox'
import { compile } from './schema.ts'

const clock = compile(
  Type.Object({
    now: Type.String({ format: 'date-time' }),
    count: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String({ minLength: 1, default: 'a' })),
  }),
)
const now = '2027-05-01T10:00:00Z'

it('accepts what fits, and returns the very value', () => {
  for (const value of [{ now }, { now, count: 3, other: null }, { now, count: undefined }]) {
    assert.ok(clock.check(value))
    assert.equal(clock.parse(value), value)
  }
})

it('adds no defaults', () => {
  const value = { now }
  clock.parse(value)
  assert.deepEqual(value, { now })
})

it('rejects what does not fit, and converts nothing', () => {
  const others = [null, [], 'text', {}, { now: 'today' }, { now, count: '3' }, { now, count: 1.5 }]
  for (const value of [...others, { now, count: Number.NaN }, { now, name: '' }, { now: 5 }]) {
    assert.equal(clock.check(value), false, JSON.stringify(value))
    assert.throws(() => clock.parse(value), /does not fit its schema/)
  }
})

it('reads own properties alone', () => {
  assert.equal(clock.check(Object.create({ now })), false)
})

it('names the field, and no value', () => {
  const parse = () => clock.parse({ now, count: 'secret' })
  assert.throws(parse, { message: 'Value does not fit its schema: /count must be integer' })
})

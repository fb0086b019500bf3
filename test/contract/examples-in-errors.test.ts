// Amounts, moments and durations are texts, which clients send as numbers: the refusal shows how
// each is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { operations } from '../../src/catalog.ts'
import { InvalidRequest, parserOf, propertiesOf } from '../../src/surfaces/pipeline/validate.ts'
import { detailOf } from '../../src/surfaces/pipeline/validation-errors.ts'

type Written = { type?: string; format?: string; anyOf?: Written[] }
const texts = new Set(['max_price', 'advance'])
const isWritten = ({ format, anyOf = [] }: Written): boolean => {
  return format === 'date-time' || anyOf.some(isWritten)
}

test('a number in place of one of them is refused with an example', () => {
  const seen: string[] = []
  for (const operation of operations)
    for (const [field, schema] of Object.entries(propertiesOf(operation.takes))) {
      if (!isWritten(schema) && !(texts.has(field) && schema.type === 'string')) continue
      seen.push(`${operation.name}.${field}`)
      try {
        parserOf(operation).fromArguments({ [field]: 12 })
        assert.fail(`${operation.name} took it`)
      } catch (error) {
        assert.ok(error instanceof InvalidRequest, String(error))
        const line = error.details.find(({ loc }) => loc[1] === field)
        assert.match(line?.msg ?? '', /, such as "/, `${operation.name}.${field}`)
        assert.equal(line?.loc[0], 'arguments')
      }
    }
  assert.ok(seen.length >= 9, seen.join(' '))
})

type Node = { pattern?: unknown; [key: string]: unknown }

/** Each schema within a schema, with its place. */
function* schemasIn(schema: unknown, at: string): Generator<{ at: string; node: Node }> {
  if (typeof schema !== 'object' || schema === null) return
  const node: Node = { ...schema }
  yield { at, node }
  for (const [key, part] of Object.entries(node)) yield* schemasIn(part, `${at}.${key}`)
}

test('a value that does not match a pattern is refused in words', () => {
  const seen: string[] = []
  for (const operation of operations)
    for (const { at, node } of schemasIn(operation.takes, operation.name)) {
      if (typeof node.pattern !== 'string') continue
      seen.push(at)
      const [error] = errorsOf(node, '\u0007')
      assert.ok(error, `${at} takes a control character`)
      const line = detailOf(error, () => 'body')
      assert.match(line?.msg ?? '', /^Input should be [^\\^$]+$/, at)
      const isAmount = /\b(amount|tax_amount|unit_amount|max_price)(\.|$)/.test(at)
      assert.equal(line?.type, isAmount ? 'decimal_parsing' : 'string_pattern_mismatch', at)
    }
  assert.ok(seen.length >= 8, seen.join(' '))
})

test('an empty value is refused as empty', () => {
  for (const [schema, value, msg] of [
    [{ type: 'string', minLength: 1 }, '', 'String must not be empty'],
    [{ type: 'array', minItems: 1 }, [], 'List must not be empty'],
    [{ type: 'string', minLength: 2 }, 'a', 'String should have at least 2 characters'],
  ] as const) {
    const [error] = errorsOf(schema, value)
    assert.equal(error && detailOf(error, () => 'body')?.msg, msg)
  }
})

function errorsOf(schema: object, value: unknown): ErrorObject[] {
  const check = new Ajv2020({ strict: false, verbose: true }).compile(schema)
  assert.equal(check(value), false)
  return check.errors ?? []
}

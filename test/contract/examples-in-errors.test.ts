// Amounts, moments and durations are texts, which clients send as numbers: the refusal shows how
// each is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/catalog.ts'
import { InvalidRequest, parserOf, propertiesOf } from '../../src/surfaces/pipeline/validate.ts'

type Written = { type?: string; format?: string; anyOf?: Written[] }
const texts = new Set(['max_price', 'advance'])
const isWritten = ({ format, anyOf = [] }: Written): boolean => {
  return format === 'date-time' || anyOf.some(isWritten)
}

test('a number in place of one of them is refused with an example', () => {
  const seen: string[] = []
  for (const operation of operations)
    for (const [field, schema] of Object.entries(propertiesOf(operation.takes))) {
      if (!isWritten(schema) && !texts.has(field)) continue
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

// Arbitraries of fast-check from JSON Schema, as much of it as our documents use: values that fit
// the schema, many of them from the dictionary.
import fc from 'fast-check'
import type { Dictionary } from './dictionary.ts'

export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  $ref?: string
}
export type Schemas = {
  dictionary: Dictionary
  /** The schema that a pointer names. */
  resolve: (pointer: string) => Schema
}
type Values = fc.Arbitrary<unknown>

/** `name`: of the field that has the value, for the dictionary. */
function valuesOf(schemas: Schemas, schema: Schema, name: string): Values {
  const fitting = bySchema(schemas, schema, name)
  const type = schema.anyOf?.find(({ type }) => type !== 'null')?.type ?? schema.type
  if (type !== 'string' && type !== 'integer') return fitting
  const suggested = fc.tuple(fc.nat(10_000), fitting).map(([n, otherwise]) => {
    const value = schemas.dictionary.pick(name, n)
    return value !== undefined && (type === 'integer') === (typeof value === 'number')
      ? value
      : otherwise
  })
  return fc.oneof({ arbitrary: suggested, weight: 9 }, { arbitrary: fitting, weight: 1 })
}

function bySchema(schemas: Schemas, schema: Schema, name: string): Values {
  if (schema.$ref !== undefined) return valuesOf(schemas, schemas.resolve(schema.$ref), name)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(schemas, one, name)))
  switch (schema.type) {
    case 'string':
      return textsOf(schemas, schema)
    case 'integer':
      return integersOf(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return listsOf(schemas, schema, name)
    case 'object':
      return objectsOf(schemas, schema)
    case undefined:
      return fc.jsonValue({ maxDepth: 2 })
    default:
      throw new Error(`JSON Schema has no type "${schema.type}" here`)
  }
}

function textsOf({ dictionary }: Schemas, schema: Schema): Values {
  const { pattern, format, minLength = 0, maxLength = 80 } = schema
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u')
    const made = fc.stringMatching(expression, { size: 'small' })
    return fc.tuple(fc.nat(10_000), made, fc.boolean()).map(([n, otherwise, isMade]) => {
      return isMade ? otherwise : (dictionary.matching(expression, n) ?? otherwise)
    })
  }
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  const longest = Math.min(maxLength, minLength + 40)
  const edge = Math.min(maxLength, 4_000)
  return fc.oneof(
    { arbitrary: fc.string({ minLength, maxLength: longest }), weight: 6 },
    { arbitrary: fc.string({ minLength, maxLength: longest, unit: 'grapheme' }), weight: 2 },
    { arbitrary: fc.constant('x'.repeat(edge)), weight: 1 },
  )
}

function integersOf({ minimum, exclusiveMinimum, maximum }: Schema): Values {
  const least = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  return fc.integer({ min: least, max: Math.max(least, maximum ?? 2 ** 31 - 1) })
}

function listsOf(schemas: Schemas, schema: Schema, name: string): Values {
  const { items = {}, minItems = 0, maxItems = 5 } = schema
  const entry = valuesOf(schemas, items, name)
  return fc.array(entry, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) })
}

function objectsOf(schemas: Schemas, schema: Schema): Values {
  const { properties = {}, required = [], additionalProperties } = schema
  if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object')
    return fc.dictionary(fc.string({ minLength: 1 }), valuesOf(schemas, additionalProperties, ''))
  return fieldsOf(schemas, properties, required)
}

/** Values of fields by name; half have only those that are required, which succeed more often. */
export function fieldsOf(
  schemas: Schemas,
  properties: Record<string, Schema>,
  required: string[],
): fc.Arbitrary<Record<string, unknown>> {
  const arbitraries = Object.entries(properties).map(([name, one]): [string, Values] => [
    name,
    valuesOf(schemas, one, name),
  ])
  // A wait ends after the seconds that are asked for; the default is too long for here.
  const always = [...required, ...('wait' in properties ? ['wait'] : [])]
  const needed = Object.fromEntries(arbitraries.filter(([name]) => always.includes(name)))
  const options = { requiredKeys: always, noNullPrototype: true }
  return fc.oneof(
    fc.record(needed, { noNullPrototype: true }),
    fc.record(Object.fromEntries(arbitraries), options),
  )
}

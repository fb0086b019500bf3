// Walks over a value along the JSON Schema of its field, before Ajv validates it.
import { type Detail, extra, most_details } from './validation-errors.ts'

/** The part of a field's JSON Schema that these functions read. */
export type FieldSchema = {
  type?: string
  format?: string
  items?: FieldSchema
  maxItems?: number
  anyOf?: FieldSchema[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: FieldSchema | boolean
  maxProperties?: number
  required?: readonly string[]
  enum?: readonly unknown[]
}

/**
 * The value without nulls: `null` for an optional field whose schema has no null counts as left
 * out, at any depth of objects. Elements of lists are never optional.
 */
export function withoutNulls(schema: FieldSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const { items } = branchOf(schema, 'items')
    return items ? value.map((one) => withoutNulls(items, one)) : value
  }
  const { properties, required = [] } = branchOf(schema, 'properties')
  if (!properties) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!field) return [[name, one]]
      if (one === null && !required.includes(name) && !takesNull(field)) return []
      return [[name, withoutNulls(field, one)]]
    }),
  )
}

/** The schema, or the one of its alternatives, that describes the members. */
function branchOf(
  schema: FieldSchema,
  part: 'items' | 'properties' | 'additionalProperties',
): FieldSchema {
  return schema[part] !== undefined
    ? schema
    : (schema.anyOf?.find((one) => one[part] !== undefined) ?? {})
}

function takesNull({ type, anyOf, enum: words }: FieldSchema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  return words ? words.includes(null) : type === undefined || type === 'null'
}

/**
 * The problems of lists and objects with more members than their schema takes: one line for each
 * list, and at most a hundred for an object. Their members are not looked at, because each may be
 * wrong, too.
 */
export function sizeProblems(
  schema: FieldSchema | undefined,
  value: unknown,
  loc: Detail['loc'],
): Detail[] {
  if (schema === undefined || typeof value !== 'object' || value === null) return []
  return Array.isArray(value)
    ? listProblems(branchOf(schema, 'items'), value, loc)
    : objectProblems(schema, value, loc)
}

function listProblems(
  { items, maxItems = Number.POSITIVE_INFINITY }: FieldSchema,
  list: unknown[],
  loc: Detail['loc'],
): Detail[] {
  if (list.length > maxItems)
    return [{ loc, msg: `List should have at most ${maxItems} items`, type: 'too_long' }]
  return list.flatMap((one, index) => sizeProblems(items, one, [...loc, index]))
}

function objectProblems(schema: FieldSchema, value: object, loc: Detail['loc']): Detail[] {
  const { properties = {} } = branchOf(schema, 'properties')
  const open = branchOf(schema, 'additionalProperties')
  const { additionalProperties: others, maxProperties = Number.POSITIVE_INFINITY } = open
  const members = Object.entries(value)
  if (members.length > maxProperties)
    return [{ loc, msg: `At most ${maxProperties} fields are possible`, type: 'too_long' }]
  const isKnown = (name: string) => Object.hasOwn(properties, name)
  const unknown = others === false ? members.filter(([name]) => !isKnown(name)) : []
  if (unknown.length > most_details)
    return unknown.slice(0, most_details).map(([name]) => extra([...loc, name]))
  const ofOthers = typeof others === 'object' ? others : undefined
  return members.flatMap(([name, one]) =>
    sizeProblems(isKnown(name) ? properties[name] : ofOthers, one, [...loc, name]),
  )
}

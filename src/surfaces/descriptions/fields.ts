// Fields of a request or an answer in words, for people who read the documents.
import type { Schema } from './operation-docs.ts'

/** One line of a table of fields. `path` has dots and `[]` for nested ones. */
export type Line = { path: string; type: string; required: boolean; description: string }

const deepest = 5

/** The lines of a field and of its nested fields. */
export function linesOf(path: string, schema: Schema, required: boolean): Line[] {
  const inner = insideOf(schema)
  // "X or null" has its words with X.
  const words = [schema, ...(schema.anyOf ?? [])].find((one) => one.description !== undefined)
  const description = words?.description ?? ''
  const line = { path, type: typeOf(schema), required, description }
  if (path.split(/[.[]/).length > deepest) return [line]
  return [line, ...fieldLines(inner.schema, `${path}${inner.suffix}.`)]
}

/** The lines of all fields of an object. */
export function fieldLines(schema: Schema, before = ''): Line[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) =>
    linesOf(`${before}${name}`, field, required.includes(name)),
  )
}

/** The object within lists and alternatives of null. */
function insideOf(schema: Schema): { schema: Schema; suffix: string } {
  if (schema.items) {
    const { schema: inner, suffix } = insideOf(schema.items)
    return { schema: inner, suffix: `[]${suffix}` }
  }
  const object = schema.anyOf?.find((one) => one.properties ?? one.items)
  return object ? insideOf(object) : { schema, suffix: '' }
}

/**
 * The type in words, as in "string, 1 to 200 characters", "one of USD, EUR", "list of integer" or
 * "object or null".
 */
function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  const preset = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`
  if (schema.enum) return `one of ${schema.enum.join(', ')}${preset}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items) {
    const count = rangeOf(schema.minItems, schema.maxItems, 'items')
    return `list of ${typeOf(schema.items)}${count}${preset}`
  }
  const length = rangeOf(schema.minLength, schema.maxLength, 'characters')
  const least = schema.minimum ?? schema.exclusiveMinimum
  const size = rangeOf(least, schema.maximum, '')
  return `${schema.format ?? schema.type ?? 'any'}${length}${size}${preset}`
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  const words = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${words}`
  if (most !== undefined) return `, at most ${most}${words}`
  return least === undefined ? '' : `, at least ${least}${words}`
}

// Optional fields that a request leaves out by sending null.

/** What is read of a field's JSON Schema. */
export type FieldSchema = {
  type?: string
  items?: FieldSchema
  anyOf?: FieldSchema[]
  properties?: Record<string, FieldSchema>
  required?: readonly string[]
  enum?: readonly unknown[]
}

/**
 * `null` for an optional field whose schema has no null counts as left out (decisions part 10), at
 * any depth of objects. Elements of lists are never optional.
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

/** The schema, or that of its alternatives, which says what is inside. */
function branchOf(schema: FieldSchema, part: 'items' | 'properties'): FieldSchema {
  return schema[part] ? schema : (schema.anyOf?.find((one) => one[part]) ?? {})
}

function takesNull({ type, anyOf, enum: words }: FieldSchema): boolean {
  if (anyOf) return anyOf.some(takesNull)
  return words ? words.includes(null) : type === undefined || type === 'null'
}

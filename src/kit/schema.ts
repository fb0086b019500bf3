// Small additions to TypeBox: the TypeBox schema is the JSON Schema of REST, MCP, OpenAPI and the
// SDK alike.
import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'

/** May be left out; the value stands in then, so the operation always sees one. */
export function withDefault<S extends TSchema>(schema: S, value: Static<S>): S {
  return Type.Optional({ ...schema, default: value }) as unknown as S
}

/** The schema or null (a union: `type: [..., "null"]` trips some MCP clients). */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
}

/** One of the given words. */
export function oneOf<const W extends readonly string[]>(
  words: W,
  options: Record<string, unknown> = {},
): TUnsafe<W[number]> {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })
}

/** ISO 8601 moment in UTC, as a string. */
export function dateTime(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', description })
}

/** A decimal amount of money as a string, e.g. "12.34". */
export function amount(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$', description })
}

/** The text as one of the words that its column's check constraint allows. */
export function wordOf<const W extends readonly string[]>(words: W, text: string): W[number] {
  const found: W[number] | undefined = words.find((word) => word === text)
  if (found === undefined) throw new Error(`"${text}" is none of ${words.join(', ')}`)
  return found
}

// Additions to TypeBox, whose schemas are the JSON Schemas of REST, MCP, OpenAPI and the SDK alike:
// kinds of fields, and the validation of data from outside (answers of other services, stored
// JSON).
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
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

export type Validator<T> = {
  check: (value: unknown) => value is T
  /** The value itself; throws an Error that names the first field that does not fit. */
  parse: (value: unknown) => T
}

// Compiling the schema of schemas would take longer than most of a start; each schema is tried by
// a test of its user.
const ajv = new Ajv2020({ strict: false, ownProperties: true, meta: false, validateSchema: false })
// ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
addFormats.default(ajv)

/**
 * A validator of one schema; make it once. The schema is compiled at the first use. Values are
 * never converted, and get no defaults.
 */
export function compile<S extends TSchema>(schema: S): Validator<Static<S>> {
  let compiled: ValidateFunction<Static<S>> | undefined
  function validateFunction(): ValidateFunction<Static<S>> {
    compiled ??= ajv.compile<Static<S>>(schema)
    return compiled
  }
  return {
    check(value): value is Static<S> {
      return validateFunction()(value)
    },
    parse(value) {
      const validate = validateFunction()
      if (validate(value)) return value
      const [error] = validate.errors ?? []
      throw new Error(`Value does not fit its schema: ${error?.instancePath} ${error?.message}`)
    },
  }
}

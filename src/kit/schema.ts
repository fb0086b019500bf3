// Validation of JSON (answers of other services, stored JSON), and additions to TypeBox, whose
// schemas are the JSON Schemas of REST, MCP, OpenAPI and the SDK alike.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { type IdentifierOf, idPattern } from './random.ts'

/** The field may be left out. The value then stands in for it, so the operation always sees one. */
export function withDefault<S extends TSchema>(schema: S, value: Static<S>): S {
  return Type.Optional({ ...schema, default: value }) as unknown as S
}

/** The schema or null. It is a union, because `type: [..., "null"]` trips some MCP clients. */
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

/** Text of one meaning, e.g. `stringOf<CustomerId>({ description })`. */
export function stringOf<T extends string>(options: StringOptions = {}): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', ...options })
}
type StringOptions = NonNullable<Parameters<typeof Type.String>[0]>

/** An identifier as `newId` makes it, e.g. "ord_" and 26 characters. */
export function identifier<P extends string>(
  prefix: P,
  description?: string,
): TUnsafe<IdentifierOf<P>> {
  const words = `an id: "${prefix}_" and 26 letters and digits`
  const options = description === undefined ? {} : { description }
  return patterned<IdentifierOf<P>>(idPattern(prefix), words, options)
}

/**
 * A whole number of 64 bits with a sign, in a query or a path. It is a bigint where a number would
 * lose digits. Its greatest value has no JSON Schema that a double could hold, so "int64" stands
 * for it.
 */
export function int64(options: { minimum: number; description: string }): TUnsafe<number | bigint> {
  return Type.Unsafe<number | bigint>({ type: 'integer', format: 'int64', ...options })
}

/** An object whose keys are data, each with a value of this schema. */
export function mapOf<S extends TSchema>(
  value: S,
  description: string,
): TUnsafe<Record<string, Static<S>>> {
  const options = { type: 'object', additionalProperties: value, description }
  return Type.Unsafe<Record<string, Static<S>>>(options)
}

/** A moment of ISO 8601 in UTC, as a string. */
export function dateTime(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', description })
}

const patternWords = new Map<string, string>()

/**
 * A string of this pattern. `words` complete "Input should be ..." in the 422 of a value that does
 * not match it, which shows no regular expression.
 */
export function patterned<T extends string = string>(
  pattern: string,
  words: string,
  options: StringOptions = {},
): TUnsafe<T> {
  const known = patternWords.get(pattern)
  if (known !== undefined && known !== words)
    throw new Error(`The pattern ${pattern} is already "${known}"`)
  patternWords.set(pattern, words)
  return Type.Unsafe<T>({ type: 'string', pattern, ...options })
}

/** The words of the pattern, or undefined if `patterned` has not declared it. */
export function wordsOfPattern(pattern: string): string | undefined {
  return patternWords.get(pattern)
}

/** A decimal amount of money as a string, e.g. "12.34". */
export function amount(description: string): TUnsafe<string> {
  return patterned('^-?[0-9]+\\.[0-9]{2}$', 'an amount with two decimals, such as "12.34"', {
    description,
  })
}

const givenAmount = '^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,2})?$'

/** An amount of money in a request, as `parseAmount` reads it, e.g. "12", "12.3" or "12.34". */
export function amountGiven(options: { description?: string; example: string }): TUnsafe<string> {
  const { example, ...rest } = options
  const words = 'a decimal amount with at most two decimals, such as "25.00"'
  const schema = patterned(givenAmount, words, { maxLength: 20, ...rest })
  return Type.Unsafe<string>({ ...schema, examples: [example] })
}

/** The `type` of the 422 line of a value that does not match the pattern. */
export function problemTypeOfPattern(pattern: string): string {
  return pattern === givenAmount ? 'decimal_parsing' : 'string_pattern_mismatch'
}

/** The text as one of the words that its column's check constraint allows. */
export function wordOf<const W extends readonly string[]>(words: W, text: string): W[number] {
  const found: W[number] | undefined = words.find((word) => word === text)
  if (found === undefined) throw new Error(`"${text}" is none of ${words.join(', ')}`)
  return found
}

export type Validator<T> = {
  check: (value: unknown) => value is T
  /** Returns the value itself, or throws an Error that names the first field that does not fit. */
  parse: (value: unknown) => T
}

// Compiling the schema of schemas would take longer than most of a start; each schema is tried by
// a test of its user.
const ajv = new Ajv2020({ strict: false, ownProperties: true, meta: false, validateSchema: false })
// ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
addFormats.default(ajv)

/**
 * A validator of one schema. Make it once. The schema is compiled at the first use. Values are
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

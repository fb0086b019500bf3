// JSON from outside: a strict parser, validation (answers of other services, stored JSON), and
// additions to TypeBox, whose schemas are the JSON Schemas of REST, MCP, OpenAPI and the SDK alike.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { idPattern } from './random.ts'

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

/** An identifier as `newId` makes it, e.g. "ord_" and 26 characters. */
export function identifier(prefix: string, description?: string): TUnsafe<string> {
  const words = `an id: "${prefix}_" and 26 letters and digits`
  return patterned(idPattern(prefix), words, description === undefined ? {} : { description })
}

/**
 * A whole number of 64 bits with a sign, in a query or a path: a bigint where a number would lose
 * digits. Its greatest value has no JSON Schema that a double could hold, so "int64" stands for it.
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

/** ISO 8601 moment in UTC, as a string. */
export function dateTime(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', description })
}

const patternWords = new Map<string, string>()

/**
 * A string of this pattern. `words` complete "Input should be ..." in the 422 of a value that does
 * not match it, which shows no regular expression.
 */
export function patterned(
  pattern: string,
  words: string,
  options: { description?: string; minLength?: number; maxLength?: number } = {},
): TUnsafe<string> {
  const known = patternWords.get(pattern)
  if (known !== undefined && known !== words)
    throw new Error(`The pattern ${pattern} is already "${known}"`)
  patternWords.set(pattern, words)
  return Type.Unsafe<string>({ type: 'string', pattern, ...options })
}

/** The words of the pattern; undefined for one that `patterned` has not declared. */
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

/** `next_cursor` of a list whose pages end with a number. */
export function numberCursor(): TUnsafe<string> {
  const description = 'next_cursor of the page before.'
  return patterned('^[0-9]{1,18}$', 'a next_cursor, such as "1234"', { description })
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

// Strict JSON for request bodies: UTF-8 only, one value, no duplicate keys, bounded depth, nothing
// that JSON.parse would bend.
type JsonProblem = { at: number; msg: string }
type JsonAnswer = { value: unknown } | { problem: JsonProblem }

const deepest = 32
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Index just after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

/** "dom\u0061in" names the same field as "domain". */
function nameOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.stringify(JSON.parse(quoted)) : quoted
}

const numberToken = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

/** Its digits without zeros at either end, and the power of ten of the last one. */
function exactly(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + digits.length - kept.length
  return kept === '' ? '0' : `${kept}e${power}`
}

/**
 * Whether the number that JSON.parse makes of it is another one, as 0.1 of
 * 0.10000000000000000555. Fifteen digits are always kept. Integers that are too large are refused
 * as such.
 */
function losesDigits(token: string): boolean {
  if (token.length <= 15 && !/e/i.test(token)) return false
  const value = Number(token)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return false
  return exactly(token) !== exactly(String(value))
}

/**
 * Depth, duplicate keys and numbers that lose digits, which JSON.parse does not report; the text is
 * known to be JSON.
 */
function scan(text: string): JsonProblem | undefined {
  const keys: (Set<string> | null)[] = []
  let expectsKey = false
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (character === '"') {
      const end = endOfString(text, i)
      const open = keys.at(-1)
      if (open && expectsKey) {
        const key = nameOf(text.slice(i, end))
        if (open.has(key)) return { at: i, msg: `Duplicate key ${key}` }
        open.add(key)
        expectsKey = false
      }
      i = end - 1
    } else if (character === '{' || character === '[') {
      keys.push(character === '{' ? new Set() : null)
      expectsKey = character === '{'
      if (keys.length > deepest) return { at: i, msg: `Nested deeper than ${deepest} levels` }
    } else if (character === '}' || character === ']') {
      keys.pop()
      expectsKey = false
    } else if (character === ',') {
      expectsKey = keys.at(-1) !== null
    } else if (character !== undefined && /[-0-9]/.test(character)) {
      numberToken.lastIndex = i
      const [token = character] = numberToken.exec(text) ?? []
      if (losesDigits(token)) return { at: i, msg: 'Number has more digits than can be kept' }
      i += token.length - 1
    }
  }
  return undefined
}

/**
 * Why a parsed value may not pass: text that PostgreSQL cannot hold (NUL, lone surrogates), numbers
 * that lost digits, keys that would reach an object's prototype.
 */
export function unsafeJson(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return 'Text must not contain the character U+0000'
    return value.isWellFormed() ? undefined : 'Text must not contain a lone surrogate'
  }
  if (typeof value === 'number') {
    const exact = !Number.isInteger(value) || Number.isSafeInteger(value)
    return exact && Number.isFinite(value) ? undefined : 'Number is too large to be exact'
  }
  if (Array.isArray(value)) return firstProblem(value)
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    if (keys.includes('__proto__')) return 'Key __proto__ is not allowed'
    return firstProblem(keys) ?? firstProblem(Object.values(value))
  }
  return undefined
}

function firstProblem(values: unknown[]): string | undefined {
  for (const value of values) {
    const problem = unsafeJson(value)
    if (problem) return problem
  }
  return undefined
}

/**
 * Parses one JSON document, or says where and why not. `strictPart`: the part of the value whose
 * texts the database must be able to hold; all of it, unless said otherwise.
 */
export function parseJson(
  bytes: Uint8Array,
  strictPart: (value: unknown) => unknown = (value) => value,
): JsonAnswer {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { problem: { at: 0, msg: 'Body is not UTF-8' } }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const msg = error instanceof Error ? error.message : 'not JSON'
    const at = /position (\d+)/.exec(msg)?.[1]
    return { problem: { at: at === undefined ? 0 : Number(at), msg: 'Body is not valid JSON' } }
  }
  const problem = scan(text)
  if (problem) return { problem }
  const unsafe = unsafeJson(strictPart(value))
  return unsafe ? { problem: { at: 0, msg: unsafe } } : { value }
}

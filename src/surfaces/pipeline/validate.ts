// Validation: from gathered fields to an operation's input, by one JSON Schema. Every failing field
// is reported at once.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FieldLocation, Operation } from '../../app.ts'
import type { InvalidField } from '../../kit/fault.ts'
import { unsafeJson } from '../../kit/schema.ts'
import { type Detail, detailOf } from './validation-errors.ts'

/** The request failed its schema: 422. */
export class InvalidRequest extends Error {
  readonly details: Detail[]

  constructor(details: Detail[]) {
    super('The request does not fit its schema')
    this.name = 'InvalidRequest'
    this.details = details
  }
}

/** The fields of an HTTP request by place; those of path, query and header are texts. */
export type Gathered = {
  path: Record<string, string>
  query: Record<string, string | string[]>
  header: Record<string, string | undefined>
  body: unknown
}
export type Input = Record<string, unknown>
/** The input of a request before validation; `error`: its body could not be read. */
export type RequestInput = Gathered | { arguments: Input } | { error: Error }
export type Parser = {
  fromRest: (gathered: Gathered) => Input
  fromArguments: (args: Input) => Input
}

/** The part of a field's JSON Schema that is read here. */
type FieldSchema = {
  type?: string
  format?: string
  items?: FieldSchema
  anyOf?: FieldSchema[]
  properties?: Record<string, FieldSchema>
  required?: readonly string[]
  enum?: readonly unknown[]
}

type Fields = Map<string, { location: FieldLocation; schema: FieldSchema }>

// A test of the catalog validates the schemas themselves: compiling the schema of schemas would
// take longer than most of a start.
const ajv = new Ajv2020({
  allErrors: true,
  // An error has its schema along, whose examples the message shows.
  verbose: true,
  useDefaults: true,
  strict: false,
  ownProperties: true,
  meta: false,
  validateSchema: false,
})
// ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
addFormats.default(ajv)

/**
 * Where each field of an operation locations over HTTP: named in the path, else query for GET and
 * DELETE, else body.
 */
export function fieldsOf(operation: Operation): Fields {
  const rest: FieldLocation = ['GET', 'DELETE', 'HEAD'].includes(operation.method)
    ? 'query'
    : 'body'
  const fields: Fields = new Map()
  for (const [name, schema] of Object.entries(propertiesOf(operation.takes))) {
    const derived = operation.path.includes(`{${name}}`) ? 'path' : rest
    fields.set(name, { location: operation.in?.[name] ?? derived, schema })
  }
  return fields
}

export function propertiesOf(schema: object): Record<string, FieldSchema> {
  return 'properties' in schema ? Object(schema.properties) : {}
}

/** The HTTP header that carries a field: idempotency_key is Idempotency-Key. */
export function headerOf(field: string): string {
  return field.replaceAll('_', '-')
}

/** The root of a field's place over MCP: `params.arguments` of tools/call. */
const argumentsRoot = 'arguments'

/** A parser for one operation; make it once. Its schema is compiled at the first use. */
export function parserOf(operation: Operation): Parser {
  const fields = fieldsOf(operation)
  let compiled: ValidateFunction | undefined
  const validate = () => {
    compiled ??= ajv.compile(operation.takes)
    return compiled
  }
  const whole = (input: Input): Input => Object(withoutNulls(operation.takes, input))
  return {
    fromRest(gathered) {
      const problems: Detail[] = []
      const known = operation.open_query ? withKnownQuery(fields, gathered) : gathered
      const input = restInput(fields, known, problems)
      return finish({ fields, validate: validate(), input: whole(input), problems, flat: false })
    },
    fromArguments(args) {
      const problems: Detail[] = []
      const input: Input = {}
      for (const [name, value] of Object.entries(args))
        if (fields.has(name)) input[name] = value
        else problems.push(extra([argumentsRoot, name]))
      return finish({ fields, validate: validate(), input: whole(input), problems, flat: true })
    },
  }
}

/** Throws InvalidRequest, or the error of a body that could not be read. */
export function parseInput(parser: Parser, input: RequestInput): Input {
  if ('error' in input) throw input.error
  return 'arguments' in input ? parser.fromArguments(input.arguments) : parser.fromRest(input)
}

type Draft = {
  fields: Fields
  validate: ValidateFunction
  input: Input
  problems: Detail[]
  flat: boolean
}

function finish({ fields, validate, input, problems, flat }: Draft): Input {
  const failed = new Set(problems.map((problem) => String(problem.loc[1])))
  // A body that is no object has no fields that could be missing.
  const noBody = problems.some(({ loc }) => loc.length === 1)
  if (!isValid(validate, input))
    for (const error of validate.errors ?? []) {
      const detail = detailOf(error, (field) =>
        flat ? argumentsRoot : (fields.get(field)?.location ?? 'body'),
      )
      if (!detail || failed.has(String(detail.loc[1]))) continue
      if (!noBody || detail.loc[0] !== 'body') problems.push(detail)
    }
  if (problems.length > 0) throw new InvalidRequest(problems)
  return input
}

function withKnownQuery(fields: Fields, gathered: Gathered): Gathered {
  const known = Object.entries(gathered.query).filter(
    ([name]) => fields.get(name)?.location === 'query',
  )
  return { ...gathered, query: Object.fromEntries(known) }
}

function restInput(fields: Fields, gathered: Gathered, problems: Detail[]): Input {
  const input: Input = {}
  const take = (name: string, location: FieldLocation, value: string | string[]) => {
    const field = fields.get(name)
    if (field?.location !== location) return problems.push(extra([location, name]))
    const converted = fromText(field.schema, value)
    if ('problem' in converted)
      return problems.push({ loc: [location, name], ...converted.problem })
    input[name] = converted.value
  }
  for (const [name, value] of Object.entries(gathered.path)) take(name, 'path', value)
  for (const [name, value] of Object.entries(gathered.query)) take(name, 'query', value)
  for (const [name, { location }] of fields) {
    const value = location === 'header' ? gathered.header[headerOf(name)] : undefined
    if (value !== undefined) take(name, 'header', value)
  }
  takeBody(fields, gathered.body, { input, problems })
  return input
}

function takeBody(fields: Fields, body: unknown, into: { input: Input; problems: Detail[] }): void {
  if (body === undefined) return
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    into.problems.push({ loc: ['body'], msg: 'Input should be an object', type: 'dict_type' })
    return
  }
  for (const [name, value] of Object.entries(body))
    if (fields.get(name)?.location === 'body') into.input[name] = value
    else into.problems.push(extra(['body', name]))
}

function extra(loc: (string | number)[]): Detail {
  return { loc, msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }
}

type Converted = { value: unknown } | { problem: { msg: string; type: string } }

/** Query and path values arrive as text: numbers and flags are read strictly, by the schema. */
function fromText(schema: FieldSchema, value: string | string[]): Converted {
  const type = schema.type ?? schema.anyOf?.[0]?.type
  if (type === 'array') return { value: Array.isArray(value) ? value : [value] }
  if (Array.isArray(value))
    return { problem: { msg: 'Parameter is given more than once', type: 'string_type' } }
  const unsafe = unsafeJson(value)
  if (unsafe) return { problem: { msg: unsafe, type: 'string_unicode' } }
  if (schema.format === 'int64') return int64(value)
  if (type === 'integer') return /^-?(0|[1-9][0-9]{0,15})$/.test(value) ? safe(value) : notInteger
  if (type === 'boolean') return value === 'true' || value === 'false' ? bool(value) : notBoolean
  return { value }
}

const notInteger: Converted = {
  problem: { msg: 'Input should be a valid integer', type: 'int_parsing' },
}
const notBoolean: Converted = {
  problem: { msg: 'Input should be true or false', type: 'bool_parsing' },
}
const bool = (text: string): Converted => ({ value: text === 'true' })
const safe = (text: string): Converted =>
  Number.isSafeInteger(Number(text)) ? { value: Number(text) } : notInteger

const greatest_int64 = 2n ** 63n - 1n

/** A number, or a bigint where that would lose digits. */
function int64(text: string): Converted {
  if (!/^-?(0|[1-9][0-9]{0,18})$/.test(text)) return notInteger
  const value = BigInt(text)
  const isSafe = Number.isSafeInteger(Number(text))
  if (value <= greatest_int64 && value >= -greatest_int64 - 1n)
    return { value: isSafe ? Number(text) : value }
  const msg = `Input should be at most ${greatest_int64}`
  return { problem: { msg, type: 'less_than_equal' } }
}

/** Validates bigints as the nearest number that is exact: no JSON Schema has their type. */
function isValid(validate: ValidateFunction, input: Input): boolean {
  const exact = Object.entries(input).filter(([, value]) => typeof value === 'bigint')
  for (const [name, value] of exact)
    input[name] = Number(value) > 0 ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
  const valid = validate(input)
  Object.assign(input, Object.fromEntries(exact))
  return valid
}

/** The input without the texts that the operation validates one by one (`any_text`). */
export function strictPartOf({ any_text }: Pick<Operation, 'any_text'>, given: unknown): unknown {
  if (any_text === undefined || typeof given !== 'object' || given === null) return given
  const { [any_text]: list, ...rest }: Record<string, unknown> = { ...given }
  const others = Array.isArray(list) ? list.filter((one) => typeof one !== 'string') : list
  return { ...rest, [any_text]: others }
}

/** 422 lines for fields that an operation rejects after its schema accepted them. */
export function detailsOf(
  operation: Operation,
  fields: InvalidField[],
  { flat }: { flat: boolean },
): Detail[] {
  const locations = fieldsOf(operation)
  const rootOf = (field: string) =>
    flat ? argumentsRoot : (locations.get(field)?.location ?? 'body')
  return fields.map(({ path, msg, type }) => ({
    loc: [rootOf(String(path[0])), ...path],
    msg,
    type,
  }))
}

/**
 * `null` for an optional field whose schema has no null counts as left out, at any depth of
 * objects. Elements of lists are never optional.
 */
function withoutNulls(schema: FieldSchema, value: unknown): unknown {
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

// Validation: from gathered fields to an operation's input, by one JSON Schema. Every failing field
// is reported at once.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FieldLocation, Operation } from '../../app.ts'
import type { InvalidField } from '../../kit/fault.ts'
import { unsafeJson } from '../../kit/json.ts'
import { type FieldSchema, sizeProblems, withoutNulls } from './field-schema.ts'
import { presentId, presentNumber } from './path-integers.ts'
import { type Detail, detailOf, extra, most_details } from './validation-errors.ts'

/** The request does not fit its schema, and gets 422. */
export class InvalidRequest extends Error {
  readonly details: Detail[]

  constructor(details: Detail[]) {
    super('The request does not fit its schema')
    this.name = 'InvalidRequest'
    this.details = details.slice(0, most_details)
  }
}

/** The fields of an HTTP request by place. Those of path, query and header are texts. */
export type Gathered = {
  path: Record<string, string>
  query: Record<string, string | string[]>
  header: Record<string, string | undefined>
  body: unknown
}
export type Input = Record<string, unknown>
/** The input of a request before validation. `error` says that its body could not be read. */
export type RequestInput = Gathered | { arguments: Input } | { error: Error }
export type Parser = {
  fromRest: (gathered: Gathered) => Input
  fromArguments: (args: Input) => Input
}

type Fields = Map<string, { location: FieldLocation; schema: FieldSchema }>

// A test of the catalog validates the schemas themselves, because compiling the schema of schemas
// would take longer than most of a start.
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
 * The place of each field of an operation over HTTP: the path if it names the field, else the query
 * for GET and DELETE, or else the body.
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

/** A parser for one operation. Make it once. Its schema is compiled at the first use. */
export function parserOf(operation: Operation): Parser {
  const fields = fieldsOf(operation)
  let compiled: ValidateFunction | undefined
  const validate = () => {
    compiled ??= ajv.compile(operation.takes)
    return compiled
  }
  const { takes, at_least_one_of } = operation
  const common = { fields, takes, at_least_one_of }
  return {
    fromRest(gathered) {
      const problems: Detail[] = []
      const known = operation.open_query ? withKnownQuery(fields, gathered) : gathered
      const input = restInput(fields, known, problems)
      return finish({ ...common, validate: validate(), given: input, problems, flat: false })
    },
    fromArguments(args) {
      const problems: Detail[] = []
      const input: Input = {}
      for (const [name, value] of Object.entries(args)) {
        const field = fields.get(name)
        if (field) input[name] = field.location === 'path' ? presentNumber(value) : value
        else problems.push(extra([argumentsRoot, name]))
      }
      return finish({ ...common, validate: validate(), given: input, problems, flat: true })
    },
  }
}

/** The input of a request. Throws InvalidRequest, or the error of a body that could not be read. */
export function parseInput(parser: Parser, input: RequestInput): Input {
  if ('error' in input) throw input.error
  return 'arguments' in input ? parser.fromArguments(input.arguments) : parser.fromRest(input)
}

type Draft = {
  fields: Fields
  takes: FieldSchema
  at_least_one_of: readonly string[] | undefined
  validate: ValidateFunction
  given: Input
  problems: Detail[]
  flat: boolean
}

/** Sizes come before items: a body of 64 kB holds 32,000 of them, each of which may be wrong. */
function finish(draft: Draft): Input {
  const { fields, takes, validate, given, problems, flat } = draft
  const rootOf = (field: string) => (flat ? argumentsRoot : (fields.get(field)?.location ?? 'body'))
  const sized = Object.entries(given).filter(([name, value]) => {
    const sizes = sizeProblems(fields.get(name)?.schema, value, [rootOf(name), name])
    problems.push(...sizes)
    return sizes.length === 0
  })
  const input: Input = Object(withoutNulls(takes, Object.fromEntries(sized)))
  const failed = new Set(problems.map((problem) => String(problem.loc[1])))
  // A body that is no object has no fields that could be missing.
  const noBody = problems.some(({ loc }) => loc.length === 1)
  if (!isValid(validate, input))
    for (const error of validate.errors ?? []) {
      const detail = problems.length < most_details ? detailOf(error, rootOf) : undefined
      if (!detail || failed.has(String(detail.loc[1]))) continue
      if (!noBody || detail.loc[0] !== 'body') problems.push(detail)
    }
  if (problems.length === 0 && changesNothing(draft.at_least_one_of, input))
    problems.push({ loc: [rootOf('')], msg: 'At least one field is needed', type: 'too_short' })
  if (problems.length > 0) throw new InvalidRequest(problems)
  return input
}

function changesNothing(fields: readonly string[] | undefined, input: Input): boolean {
  return fields?.every((name) => input[name] === undefined) ?? false
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
    const isId = location === 'path' && field.schema.type === 'integer'
    const converted = fromText(field.schema, isId ? presentId(value) : value)
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

type Converted = { value: unknown } | { problem: { msg: string; type: string } }

/**
 * The value of a text in the query or the path. Numbers and flags are read strictly, by the schema.
 */
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

/** The lines of a 422 for fields that an operation rejects after its schema accepted them. */
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

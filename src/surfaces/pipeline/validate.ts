// From gathered fields to an operation's input: one schema says what is right, and all that is
// wrong is told at once.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Operation, Travel } from '../../app.ts'
import type { InvalidField } from '../../kit/fault.ts'
import { unsafeJson } from '../../kit/json.ts'
import { type FieldSchema, withoutNulls } from './omitted-fields.ts'

/** One line of a 422 body (HTTPValidationError). */
export type Detail = { loc: (string | number)[]; msg: string; type: string }

/** The request failed its schema; the entrance answers 422. */
export class InvalidRequest extends Error {
  readonly details: Detail[]

  constructor(details: Detail[]) {
    super('The request does not fit its schema')
    this.name = 'InvalidRequest'
    this.details = details
  }
}

/**
 * What a surface gathered. REST has texts in path, query and header; MCP has one object of
 * arguments.
 */
export type Gathered = {
  path: Record<string, string>
  query: Record<string, string | string[]>
  header: Record<string, string | undefined>
  body: unknown
}
export type Input = Record<string, unknown>
export type Parser = {
  fromRest: (gathered: Gathered) => Input
  fromArguments: (args: Input) => Input
}

type Fields = Map<string, { travel: Travel; schema: FieldSchema }>

// That schemas are schemas is tried by a test of the catalog: the schema of schemas would take
// longer to compile than most of a start.
const ajv = new Ajv2020({
  allErrors: true,
  // An error brings its schema along: its examples are told.
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
 * Where each field of an operation travels over HTTP: named in the path, else query for GET and
 * DELETE, else body.
 */
export function fieldsOf(operation: Operation): Fields {
  const rest: Travel = ['GET', 'DELETE', 'HEAD'].includes(operation.method) ? 'query' : 'body'
  const fields: Fields = new Map()
  for (const [name, schema] of Object.entries(propertiesOf(operation.takes))) {
    const derived = operation.path.includes(`{${name}}`) ? 'path' : rest
    fields.set(name, { travel: operation.in?.[name] ?? derived, schema })
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
      const input = restInput(fields, gathered, problems)
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
  if (!validate(input))
    for (const error of validate.errors ?? []) {
      const detail = detailOf(error, (field) =>
        flat ? argumentsRoot : (fields.get(field)?.travel ?? 'body'),
      )
      if (!detail || failed.has(String(detail.loc[1]))) continue
      if (!noBody || detail.loc[0] !== 'body') problems.push(detail)
    }
  if (problems.length > 0) throw new InvalidRequest(problems)
  return input
}

function restInput(fields: Fields, gathered: Gathered, problems: Detail[]): Input {
  const input: Input = {}
  const take = (name: string, travel: Travel, value: string | string[]) => {
    const field = fields.get(name)
    if (field?.travel !== travel) return problems.push(extra([travel, name]))
    const converted = fromText(field.schema, value)
    if ('problem' in converted) return problems.push({ loc: [travel, name], ...converted.problem })
    input[name] = converted.value
  }
  for (const [name, value] of Object.entries(gathered.path)) take(name, 'path', value)
  for (const [name, value] of Object.entries(gathered.query)) take(name, 'query', value)
  for (const [name, { travel }] of fields) {
    const value = travel === 'header' ? gathered.header[headerOf(name)] : undefined
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
    if (fields.get(name)?.travel === 'body') into.input[name] = value
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

/**
 * Ajv's words in the words of HTTPValidationError; undefined where a wrapper only repeats what its
 * branch says.
 */
function detailOf(error: ErrorObject, rootOf: (field: string) => string): Detail | undefined {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^[0-9]+$/.test(part) ? Number(part) : part))
  if (error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null'))
    return
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty))
  const words = wordsOf(error)
  const odd = error.keyword === 'type' || error.keyword === 'format'
  const msg = odd ? `${words.msg}${exampleOf(error)}` : words.msg
  return { loc: [rootOf(String(path[0] ?? '')), ...path], ...words, msg }
}

/** ', such as "12.00"' where the schema, or its format, has an example. */
function exampleOf({ parentSchema = {} }: ErrorObject): string {
  const { examples, format } = parentSchema
  const own = Array.isArray(examples) ? examples[0] : undefined
  const example = own ?? (format === 'date-time' ? '2027-05-01T10:00:00Z' : undefined)
  return example === undefined ? '' : `, such as ${JSON.stringify(example)}`
}

const typeWords: Record<string, { msg: string; type: string }> = {
  string: { msg: 'Input should be a valid string', type: 'string_type' },
  integer: { msg: 'Input should be a valid integer', type: 'int_type' },
  number: { msg: 'Input should be a valid number', type: 'float_type' },
  boolean: { msg: 'Input should be true or false', type: 'bool_type' },
  array: { msg: 'Input should be a valid list', type: 'list_type' },
  object: { msg: 'Input should be an object', type: 'dict_type' },
}

function wordsOf(error: ErrorObject): { msg: string; type: string } {
  const limit = String(error.params.limit ?? '')
  switch (error.keyword) {
    case 'required':
      return { msg: 'Field required', type: 'missing' }
    case 'additionalProperties':
      return { msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }
    case 'type':
      return typeWords[String(error.params.type)] ?? { msg: 'Wrong type', type: 'type_error' }
    case 'minLength':
      return { msg: `String should have at least ${limit} characters`, type: 'string_too_short' }
    case 'maxLength':
      return { msg: `String should have at most ${limit} characters`, type: 'string_too_long' }
    case 'pattern':
      return {
        msg: `String should match pattern '${error.params.pattern}'`,
        type: 'string_pattern_mismatch',
      }
    case 'minimum':
      return { msg: `Input should be at least ${limit}`, type: 'greater_than_equal' }
    case 'maximum':
      return { msg: `Input should be at most ${limit}`, type: 'less_than_equal' }
    case 'exclusiveMinimum':
      return { msg: `Input should be greater than ${limit}`, type: 'greater_than' }
    case 'minItems':
      return { msg: `List should have at least ${limit} items`, type: 'too_short' }
    case 'maxItems':
      return { msg: `List should have at most ${limit} items`, type: 'too_long' }
    case 'minProperties':
      return { msg: `At least ${limit} field is needed`, type: 'too_short' }
    case 'enum':
      return {
        msg: `Input should be one of ${error.params.allowedValues.join(', ')}`,
        type: 'literal_error',
      }
    default:
      return { msg: error.message ?? 'Invalid', type: error.keyword.replaceAll('-', '_') }
  }
}

/** What an operation is given, without the texts that it judges one by one (`any_text`). */
export function strictPartOf({ any_text }: Pick<Operation, 'any_text'>, given: unknown): unknown {
  if (any_text === undefined || typeof given !== 'object' || given === null) return given
  const { [any_text]: list, ...rest }: Record<string, unknown> = { ...given }
  const others = Array.isArray(list) ? list.filter((one) => typeof one !== 'string') : list
  return { ...rest, [any_text]: others }
}

/** 422 lines for what an operation found wrong after its schema was content. */
export function detailsOf(
  operation: Operation,
  fields: InvalidField[],
  { flat }: { flat: boolean },
): Detail[] {
  const travels = fieldsOf(operation)
  const rootOf = (field: string) => (flat ? argumentsRoot : (travels.get(field)?.travel ?? 'body'))
  return fields.map(({ path, msg, type }) => ({
    loc: [rootOf(String(path[0])), ...path],
    msg,
    type,
  }))
}

// Checks of answers against the documents alone: the status and the error code are declared for the
// operation, and the body fits the declared schema, in which no object has other fields.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Answer } from '../support/service.ts'
import type { Document, Entry, FuzzRequest, Tool } from './requests.ts'

/** Refusals of the HTTP server itself, before it knows of an operation. */
const unrouted: Readonly<Record<string, number>> = {
  route_not_found: 404,
  method_not_allowed: 405,
  uri_too_long: 414,
  headers_too_large: 431,
  malformed_request: 400,
}
/**
 * The errors of protocols: invalid messages or parameters, unknown methods, and a missing resource.
 */
const protocolErrors = [-32_700, -32_600, -32_602, -32_601, -32_002, -32_004, -32_001]

type AnswerCheck = (request: FuzzRequest, answer: Answer) => string | undefined

/** The problem of an answer, or undefined if it is as documented. */
export function openAnswerCheck(
  served: { document: Document; tools: Tool[] },
  unconfigured: ReadonlySet<string>,
): AnswerCheck {
  const { tools } = served
  const document = withResponses(served.document)
  const entries = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((entry) => [entry.operationId, entry]),
  )
  const byTool = new Map(
    [...entries.values()].flatMap((entry) =>
      (entry['x-mcp-tools'] ?? []).map((tool): [string, Entry] => [tool, entry]),
    ),
  )
  const schemas = openSchemas(document)
  const outputs = new Map(
    tools.flatMap(({ name, outputSchema }) =>
      outputSchema ? [[name, schemas.compile(closed(outputSchema))] as const] : [],
    ),
  )

  return (request, answer) => {
    const { status, text } = answer
    if (/node_modules|\.ts:[0-9]|\bat [\w.]+ \(|ECONN/.test(text)) return 'shows its insides'
    const entry = request.surface === 'rest' ? entries.get(request.of) : byTool.get(request.of)
    if (status >= 500 && !(status === 503 && unconfigured.has(request.of)))
      return `${status} ${codeOf(answer)}`
    return request.surface === 'rest'
      ? restProblem(schemas, { request, answer, entry })
      : mcpProblem({ request, answer, entry, output: outputs.get(request.of), schemas })
  }
}

/** Each operation with its responses, and the schemas of its codes, in place of references. */
function withResponses(document: Document): Document {
  const text = JSON.stringify(document.paths, (_key, value) => {
    const found = /^#\/components\/(responses|schemas)\/(\w+)$/.exec(Object(value).$ref ?? '')
    const [, kind, name = ''] = found ?? []
    if (kind === 'responses') return document.components.responses[name]
    return /\wProblem$/.test(name) ? document.components.schemas[name] : value
  })
  return { ...document, paths: JSON.parse(text) }
}

type Schemas = ReturnType<typeof openSchemas>
type Checked = { request: FuzzRequest; answer: Answer; entry: Entry | undefined }

function openSchemas(document: Document) {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false })
  // ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...Object(closed(document)) })
  const known = new Map<string, ValidateFunction>()
  return {
    compile: (schema: unknown) => ajv.compile(Object(schema)),
    /** The schemas by their path in the document. */
    at(...way: string[]): ValidateFunction {
      const pointer = way.map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
      const validate = known.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
      known.set(pointer, validate)
      return validate
    },
    problem(validate: ValidateFunction, body: unknown): string | undefined {
      if (validate(body)) return undefined
      const first = validate.errors?.find(({ keyword }) => keyword !== 'anyOf')
      const field = JSON.stringify(first?.params ?? {})
      return `does not fit: ${first?.instancePath} ${first?.message} ${field}`
    },
  }
}

/** A problem has facts beside its fields, and a refusal's codes are one of two schemas of it. */
function closed(schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(one))
  if (typeof schema !== 'object' || schema === null || name === 'Problem') return schema
  if ('allOf' in schema) return schema
  const inner = Object.entries(schema).map(([key, one]) => [key, closed(one, key)])
  const isObject = 'properties' in schema && 'type' in schema
  return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(inner) }
}

const codeOf = ({ body }: Answer) => body.code ?? body.error?.data?.code ?? body.error?.code

function restProblem(schemas: Schemas, { request, answer, entry }: Checked): string | undefined {
  const { status, body, headers } = answer
  if (request.astray && unrouted[body.code] === status) return undefined
  const declared = entry?.responses[status]
  if (!declared) return `${status} ${codeOf(answer) ?? ''} is not declared`
  if (status >= 400 && status !== 422 && body.request_id !== headers.get('x-request-id'))
    return 'has no request_id'
  if (status === 429 && headers.get('retry-after') === null) return '429 without Retry-After'
  const media = headers.get('content-type')?.split(';')[0]
  if (declared.content === undefined)
    return answer.text === '' ? undefined : `${status} has a body, and declares none`
  if (media === undefined || !(media in declared.content))
    return `${status} ${media} is not declared`
  if (!media.endsWith('json')) return undefined
  const way = ['paths', request.route, request.method.toLowerCase(), 'responses', `${status}`]
  const trouble = schemas.problem(schemas.at(...way, 'content', media, 'schema'), body)
  return trouble && `${status} ${body.code ?? ''} ${trouble}`
}

type CheckedCall = Checked & { output: ValidateFunction | undefined; schemas: Schemas }

function mcpProblem({ answer, entry, output, schemas }: CheckedCall): string | undefined {
  const { body, status, text } = answer
  if (text === '') return status === 202 ? undefined : `${status} without a body`
  const { result, error } = body
  if (body.jsonrpc !== '2.0') return unroutedProblem(answer)
  if (error) {
    if (error.data?.code !== undefined) return refusalProblem(entry, error.data)
    return protocolErrors.includes(error.code) ? undefined : `JSON-RPC error ${error.code}`
  }
  if (!entry || status !== 200) return status === 200 ? undefined : `${status} with a result`
  if (result?.isError) return refusalProblem(entry, JSON.parse(result.content[0].text))
  if (!output) return undefined
  const trouble = schemas.problem(output, result?.structuredContent)
  return trouble && `structuredContent ${trouble}`
}

/** The problem of an answer by the HTTP server, before it knows that the message is one of MCP. */
function unroutedProblem({ body, status }: Answer): string | undefined {
  const known: Record<string, number> = {
    ...unrouted,
    body_too_large: 413,
    unsupported_media_type: 415,
  }
  return known[body.code] === status ? undefined : `${status} ${body.code} is no JSON-RPC`
}

/** A problem as the operation declares it, whose fields say what to do next. */
function refusalProblem(entry: Entry | undefined, problem: Answer['body']): string | undefined {
  const { code, status, next_action } = problem
  if (!next_action?.type || !next_action.hint) return `${code} without a next action`
  if (status === 422) return undefined
  const declared = JSON.stringify(entry?.responses[status] ?? null)
  const early = ['unauthenticated', 'invalid_token', 'rate_limited', 'address_not_allowed']
  const isKnown = declared.includes(`"${code}"`) || early.includes(code)
  return isKnown ? undefined : `${status} ${code} is not declared`
}

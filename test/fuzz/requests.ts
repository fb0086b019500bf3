// Random requests of every operation over REST, from the OpenAPI document, and of every tool over
// MCP, from the list of tools: about half fit their schemas, the others are mutated.
import fc from 'fast-check'
import { type Dictionary, idNameOf } from './dictionary.ts'
import { type Framing, framings, type Mutation, mutate, mutations } from './mutations.ts'
import { fieldsOf, type Schema, type Schemas } from './schema-arbitraries.ts'

type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Response = { content?: Record<string, { schema?: Schema }> }
export type Entry = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema?: Schema } } }
  responses: Record<string, Response>
  'x-mcp-tools'?: string[]
}
export type Document = {
  paths: Record<string, Record<string, Entry>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}
export type Tool = { name: string; inputSchema: Schema; outputSchema?: Schema }

export type FuzzRequest = {
  /** The operation or the tool that it is meant for. */
  of: string
  surface: 'rest' | 'mcp'
  /** The route of REST, as the document writes it. */
  route: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** A part of the path or of the framing may lead elsewhere than to the operation. */
  astray: boolean
}

/** One request of any operation or tool that is not left out. */
export function requestsOf(
  { document, tools }: { document: Document; tools: Tool[] },
  dictionary: Dictionary,
  isSent: (name: string) => boolean,
): fc.Arbitrary<FuzzRequest> {
  const schemas: Schemas = {
    dictionary,
    resolve: (pointer) => document.components.schemas[pointer.split('/').at(-1) ?? ''] ?? {},
  }
  const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => isSent(operationId))
      .map(([method, entry]) => overRest(schemas, { route, method, entry })),
  )
  const calls = tools.map((tool) => overMcp(schemas, tool))
  return fc.oneof(...operations, ...calls, otherMessages)
}

type Operation = { route: string; method: string; entry: Entry }

/** The fields of one place; the parameter {id} has the name of what it identifies. */
function parametersOf(schemas: Schemas, { route, entry }: Operation, place: string) {
  const own = (entry.parameters ?? []).filter((one) => one.in === place)
  const nameOf = (name: string) => (name === 'id' ? idNameOf(route) : name)
  const properties = Object.fromEntries(own.map(({ name, schema }) => [nameOf(name), schema]))
  const required = own.filter((one) => one.required).map(({ name }) => nameOf(name))
  return fieldsOf(schemas, properties, required).map((fields) =>
    Object.fromEntries(own.map(({ name }) => [name, fields[nameOf(name)]])),
  )
}

function overRest(schemas: Schemas, operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { route, method, entry } = operation
  const schema = entry.requestBody?.content['application/json'].schema
  const pointed = schema?.$ref === undefined ? schema : schemas.resolve(schema.$ref)
  const body = pointed
    ? fieldsOf(schemas, pointed.properties ?? {}, pointed.required ?? [])
    : fc.constant<Record<string, unknown>>({})
  return fc
    .record({
      path: parametersOf(schemas, operation, 'path'),
      query: parametersOf(schemas, operation, 'query'),
      header: parametersOf(schemas, operation, 'header'),
      body,
      mutations,
      framing: framings,
    })
    .map((parts) => {
      const hasBody = entry.requestBody !== undefined
      const astray = spoil(parts, hasBody)
      const query = queryOf(parts.query)
      const framed = framedAs(hasBody, parts)
      return {
        of: entry.operationId,
        surface: 'rest',
        route,
        method: method.toUpperCase(),
        path: `${pathOf(route, parts.path)}${query === '' ? '' : `?${query}`}`,
        ...framed,
        headers: { ...headersOf(parts.header), ...framed.headers },
        astray,
      }
    })
}

type Fields = Record<string, unknown>
type Parts = { path: Fields; query: Fields; body: Fields; mutations: Mutation[]; framing: Framing }

/** Whether a part of the path was changed. */
function spoil({ path, query, body, mutations }: Parts, hasBody: boolean): boolean {
  const before = JSON.stringify(path)
  for (const mutation of mutations) {
    const places = Object.keys(path).length > 0 ? [path, query] : [query]
    const place = places[mutation.at % places.length] ?? query
    mutate(mutation.kind === 'place' || !hasBody ? place : body, mutation)
  }
  return JSON.stringify(path) !== before
}

function framedAs(hasBody: boolean, { body, framing }: Parts) {
  return hasBody ? framing(JSON.stringify(body)) : { headers: {} }
}

/** The path as a client would write it: no segment is empty, or a dot that the URL would lose. */
function pathOf(route: string, values: Fields): string {
  return route.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const text = textOf(values[name])
    return /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text).slice(0, 4_000)
  })
}

function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.toWellFormed()
}

function queryOf(values: Fields): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .map(([name, one]) => `${encodeURIComponent(name.toWellFormed())}=${encodedOf(one)}`)
    .join('&')
    .slice(0, 6_000)
}

function encodedOf(value: unknown): string {
  return encodeURIComponent(textOf(value))
}

/** The octets that Node's client sends. */
function headersOf(values: Fields): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]) => [name, textOf(value).replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '')]),
  )
}

function message(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

const overHttp = { surface: 'mcp', route: '/mcp', method: 'POST', path: '/mcp' } as const

function overMcp(schemas: Schemas, { name, inputSchema }: Tool): fc.Arbitrary<FuzzRequest> {
  const { properties = {}, required = [] } = inputSchema
  const fields = fieldsOf(schemas, properties, required)
  return fc.record({ fields, mutations, framing: framings }).map(({ fields, framing, ...all }) => {
    for (const mutation of all.mutations) mutate(fields, mutation)
    const text = message('tools/call', { name, arguments: fields })
    const framed = framing(text)
    return { of: name, ...overHttp, ...framed, astray: framed.body !== text }
  })
}

const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read'],
  ...['resources/templates/list', 'prompts/list', 'prompts/get', 'completion/complete'],
  ...['logging/setLevel', 'notifications/initialized', 'server/discover', 'tasks/get', 'no/such'],
]

/** Messages that call no tool: any parameters, of which few fit. */
const otherMessages: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom(...methods),
    fc.oneof(
      fc.dictionary(
        fc.constantFrom('name', 'uri', 'protocolVersion', 'arguments', '_meta', 'ref'),
        fc.jsonValue(),
      ),
      fc.constantFrom<unknown>(
        {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'a', version: '1' },
        },
        { uri: 'registrar://prices/USD' },
        { uri: 'registrar://prices/XXX' },
        { name: 'buy_domain', arguments: {} },
        undefined,
        null,
        [],
      ),
    ),
  )
  .map(([method, params]) => {
    const headers = { 'content-type': 'application/json' }
    return { of: method, ...overHttp, headers, body: message(method, params), astray: true }
  })

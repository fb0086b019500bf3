// Code samples of an operation, made of its definition and its recorded example: curl, TypeScript
// with the client of sdk/, and MCP.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation, ToolDefinition } from '../../../app.ts'
import type { Settings } from '../../../config/config.ts'
import { eventStreamContent } from '../../../replies/event-stream.ts'
import { requestFields } from '../../descriptions/operation-docs.ts'

/** A request as it was sent to a running service, and its response, with identifiers renamed. */
export type RecordedExample = {
  request: {
    path?: Record<string, string | number>
    query?: Record<string, string | string[]>
    headers?: Record<string, string>
    body?: Record<string, unknown>
    /** Whether the cookie of an earlier response goes along with it. */
    cookie?: true
  }
  answer?: unknown
}

export const examplesFile = join(import.meta.dirname, 'recorded-examples.json')
const recorded: Record<string, RecordedExample> = JSON.parse(readFileSync(examplesFile, 'utf8'))

/**
 * The example of an operation. It is undefined for an operation of a test, or for one that is not
 * recorded yet, which a test reports.
 */
export function exampleOf({ name }: Operation): RecordedExample | undefined {
  return recorded[name]
}

/** The variable that holds the credential in the samples, or null where none is needed. */
function credentialOf({ who }: Operation): string | null {
  if (who.about === 'anyone') return null
  if (who.about === 'service') return 'OPERATOR_KEY'
  if (who.about === 'customer_tool') return 'CUSTOMER_TOOL_KEY'
  return who.in_person ? 'SESSION' : 'API_KEY'
}

/** The variable of the samples that stands for the caller's own customer_id. */
const customer_variable = 'CUSTOMER_ID'

/** The URL with a variable in place of the customer_id, which differs for each reader. */
function urlOf({ path }: Operation, { request }: RecordedExample): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'customer_id'
      ? `$${customer_variable}`
      : encodeURIComponent(request.path?.[name] ?? ''),
  )
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one]),
    ),
  ).toString()
  return query === '' ? filled : `${filled}?${query}`
}

/** The sample for a POSIX shell. */
export function curlSample(
  operation: Operation,
  example: RecordedExample,
  base_url: string,
): string {
  const { headers = {}, body, cookie } = example.request
  const credential = credentialOf(operation)
  const method = operation.method === 'GET' ? '' : `-X ${operation.method} `
  return [
    `curl ${method}${quotedUrl(base_url + urlOf(operation, example))}`,
    ...(credential === null ? [] : [`-H "${credentialField(operation)}$${credential}"`]),
    ...(cookie ? ['-b "$COOKIE"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

function credentialField({ who }: Operation): string {
  return who.about === 'customer_tool' ? 'X-Customer-Tool-Key: ' : 'Authorization: Bearer '
}

/**
 * The URL in double quotes where the shell has to fill in a variable. All other characters in it
 * are encoded.
 */
function quotedUrl(url: string): string {
  return url.includes(`$${customer_variable}`) ? `"${url}"` : quoted(url)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The sample as a module for Node or a bundler. */
export function typescriptSample(
  operation: Operation,
  example: RecordedExample,
  base_url: string,
): string {
  const { path, headers, body } = example.request
  const credential = credentialOf(operation)
  const auth = credential === null ? '' : `, auth: process.env.${credential} ?? ''`
  const call = operation.name.replaceAll(/_(\w)/g, (_, initial: string) => initial.toUpperCase())
  const given = { path: typed(operation, path), query: typed(operation, example.request.query) }
  const options = Object.entries({ ...given, headers, body })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${withVariable(name, literal(value, 1))},\n`)
  const argument = options.length === 0 ? '' : `{\n${options.join('')}}`
  return `${importOf(['client', call])}

client.setConfig({ baseUrl: ${literal(base_url, 0)}${auth} })
${operation.gives === eventStreamContent ? readEvents(call, argument) : readAnswer(call, argument)}`
}

function readAnswer(call: string, argument: string): string {
  return `const { data, error } = await ${call}(${argument})
console.log(data ?? error)`
}

function readEvents(call: string, argument: string): string {
  return `const { stream } = await ${call}(${argument})
for await (const event of stream) console.log(event)`
}

/** The client is a folder of the source, and no package that could be installed. */
export function importOf(names: readonly string[]): string {
  return `// example.ts, in the folder of the source. Run it with: npx node example.ts
import { ${names.join(', ')} } from './sdk/src/index.ts'`
}

function withVariable(part: string, code: string): string {
  if (part !== 'path') return code
  return code.replace(/(customer_id: )'[^']*'/, `$1process.env.${customer_variable} ?? ''`)
}

/** The texts of a URL as the client takes them, with numbers and booleans by their schema. */
function typed(
  operation: Operation,
  given: RecordedExample['request']['path'] | RecordedExample['request']['query'],
) {
  if (given === undefined || Object.keys(given).length === 0) return undefined
  const types = new Map(requestFields(operation).map(({ name, schema }) => [name, schema.type]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const type = types.get(name)
      if (Array.isArray(value) || type === 'array') return [name, [value].flat()]
      if (type === 'integer' || type === 'number') return [name, Number(value)]
      return [name, type === 'boolean' ? value === 'true' : String(value)]
    }),
  )
}

const widest_line = 72

/** A literal as the formatter of this project writes it. */
function literal(value: unknown, depth: number): string {
  if (typeof value === 'string') {
    const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
    return `'${inner}'`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => literal(one, depth + 1))
    : Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${literal(one, depth + 1)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const space = isList ? '' : ' '
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (!line.includes('\n') && line.length + 2 * depth < widest_line) return line
  const indent = '  '.repeat(depth)
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`
}

function keyOf(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : literal(key, 0)
}

/**
 * The arguments that document a tool. Where it has several examples, they are the first that reads,
 * or the last that buys.
 */
export function toolArguments({ method }: Operation, tool: ToolDefinition | undefined) {
  return method === 'GET' ? tool?.examples[0] : tool?.examples.at(-1)
}

/**
 * The calls of its tools, for a POSIX shell. Where there are several, each stands under a comment
 * with its name.
 */
export function mcpSamples(operation: Operation, service: McpService): string[] {
  return (operation.tools ?? []).map((tool) => {
    const name = tool.name ?? operation.name
    const params = { name, arguments: harmless(toolArguments(operation, tool), service) }
    const isOpen = operation.who.about === 'anyone' && !tool.token
    const call = mcpCall(
      service.mcp_url,
      { method: 'tools/call', params },
      isOpen ? null : 'API_KEY',
    )
    return operation.tools?.length === 1 ? call : `# ${name}\n${call}`
  })
}

type McpService = Pick<Settings, 'mcp_url' | 'default_nameservers'>

/**
 * Readers paste samples, so one that changes name servers leaves a domain at those of the service.
 */
function harmless(given: ReturnType<typeof toolArguments>, { default_nameservers }: McpService) {
  return given && 'nameservers' in given ? { ...given, nameservers: default_nameservers } : given
}

/** A JSON-RPC request to the MCP endpoint without a client library. */
export function mcpCall(mcp_url: string, message: object, credential: string | null): string {
  return [
    `curl -X POST ${quoted(`${mcp_url}/mcp`)}`,
    ...(credential === null ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'",
    `-d ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }, null, 2))}`,
  ].join(' \\\n  ')
}

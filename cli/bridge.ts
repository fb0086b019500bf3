// The MCP bridge: passes JSON-RPC messages, one per line, from standard input to the service's MCP
// endpoint over HTTP, and its answers, plain or as server-sent events, to standard output.
import { createInterface } from 'node:readline'
import { mcpEndpoint } from './oauth/discovery.ts'
import type { Session } from './session.ts'

type Message = {
  id?: string | number
  method?: string
  params?: { name?: string; uri?: string; _meta?: Record<string, string> }
}
type Options = {
  session: Session
  /** The endpoint; if undefined, the one that the service's metadata names. */
  endpoint: string | undefined
  input: NodeJS.ReadableStream
  print: (line: string) => void
}

const META_VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Runs until the input ends and everything that was sent is answered. */
export async function bridge({ session, endpoint, input, print }: Options): Promise<void> {
  let version: string | null = null
  let place: string | undefined
  const open = new Set<Promise<void>>()

  const deliver = (text: string) => {
    const message: { result?: { protocolVersion?: string } } = JSON.parse(text)
    version = message.result?.protocolVersion ?? version
    print(JSON.stringify(message))
  }
  const forward = async (line: string, message: Message) => {
    place ??= endpoint ?? (await mcpEndpoint(session.url))
    const token = await session.token('mcp')
    const headers = headersOf(message, version)
    let answer = await post(place, { line, headers, token })
    const other = answer.status === 401 ? await session.replace(token, 'mcp') : null
    if (other !== null) answer = await post(place, { line, headers, token: other })
    const text = await answer.text()
    if (answer.status === 401) throw new Error('Not logged in: run agent-registrar login')
    const events = /^text\/event-stream/.test(answer.headers.get('content-type') ?? '')
    for (const found of events ? dataOf(text) : [text].filter(Boolean)) {
      if (!found.includes('"jsonrpc"'))
        throw new Error(`The service answered ${answer.status}: ${found.slice(0, 300)}`)
      deliver(found)
    }
  }
  const report = (id: Message['id'], code: number, message: string) =>
    print(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }))

  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const message = parse(line)
    if (message === null) {
      report(undefined, -32700, 'The line is not JSON')
      continue
    }
    const sent: Promise<void> = forward(line, message)
      .catch((error: unknown) => {
        const words = error instanceof Error ? error.message : String(error)
        // A notification has no answer, so its result belongs in the client's log.
        if (message.id === undefined) process.stderr.write(`${words}\n`)
        else report(message.id, -32000, words)
      })
      .finally(() => open.delete(sent))
    open.add(sent)
    if (message.method === 'initialize') await sent
  }
  await Promise.all(open)
}

type Sent = { line: string; headers: Record<string, string>; token: string }

function post(place: string, { line, headers, token }: Sent): Promise<Response> {
  const fixed = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const request = { method: 'POST', headers: { ...fixed, ...headers }, body: line }
  return fetch(place, { ...request, redirect: 'error' })
}

function parse(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line)
    return Object(message)
  } catch {
    return null
  }
}

/**
 * From 2026-07-28 on, each request names its version, and HTTP repeats the version with the method.
 */
function headersOf({ method, params }: Message, version: string | null): Record<string, string> {
  const own = params?._meta?.[META_VERSION]
  if (own === undefined) return version === null ? {} : { 'mcp-protocol-version': version }
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': own,
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}

function dataOf(events: string): string[] {
  return events
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n'),
    )
    .filter(Boolean)
}

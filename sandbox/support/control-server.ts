// Control plane of a simulated service: JSON over HTTP on loopback, with a bearer token.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

const MAX_BODY_BYTES = 65_536

/** An invalid request, which is answered by 400 with its message, like a RangeError. */
export class BadRequest extends Error {}

export type Fields = Record<string, unknown>
export type Routes<Target> = Record<string, (target: Target, body: Fields, id: string) => unknown>
export type ControlServer = { url: string; close(): Promise<void> }
type ControlOptions<Target> = {
  target: Target
  /**
   * Routes by a key such as 'GET /faults', or 'GET /domains/' for those with an id. If a route
   * returns null, or a promise of it, the answer is 404.
   */
  routes: Routes<Target>
  token: string
  /** The port; 0 means any free one. */
  port: number
  missing: (id: string) => string
}
type Response = { status: number; body: unknown }

/** Starts the control plane on 127.0.0.1; every call needs the bearer token. */
export async function startControlServer<Target>(
  options: ControlOptions<Target>,
): Promise<ControlServer> {
  const expected = Buffer.from(`Bearer ${options.token}`)
  const server = createServer(async (request, response) => {
    const { status, body } = await respond(options, request, expected)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond<Target>(
  { target, routes, missing }: ControlOptions<Target>,
  request: IncomingMessage,
  expected: Buffer,
): Promise<Response> {
  const given = Buffer.from(request.headers.authorization ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { status: 401, body: { error: 'the bearer token is missing or wrong' } }
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://control')
    const [, noun = '', id = ''] = pathname.split('/')
    const key = `${request.method} /${noun}${id === '' ? '' : '/'}`
    const route = routes[key]
    if (route === undefined)
      return { status: 404, body: { error: `no ${key}`, routes: Object.keys(routes) } }
    const body = await route(target, await readBody(request), decodeURIComponent(id))
    if (body === null) return { status: 404, body: { error: missing(id) } }
    return { status: 200, body }
  } catch (error) {
    const invalid =
      error instanceof BadRequest || error instanceof RangeError || error instanceof URIError
    const message = error instanceof Error ? error.message : String(error)
    return { status: invalid ? 400 : 500, body: { error: message } }
  }
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > MAX_BODY_BYTES) throw new BadRequest('the body is too large')
  }
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return { ...body }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new BadRequest('the body is not a JSON object')
}

export function readText(body: Fields, name: string): string | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new BadRequest(`${name} is a string`)
  return value
}

export function readNumber(body: Fields, name: string): number | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new BadRequest(`${name} is a number`)
  return value
}

/** A fault of a simulated HTTP service, in the form in which a control call arms it. */
type HttpFaultFields<Name> = {
  name: Name
  command?: string
  times?: number | null
  delay_ms?: number
  copies?: number
}

/**
 * Throws BadRequest for an unknown name, listing the known ones, or for a field of the wrong type.
 */
export function readHttpFault<Name extends string>(
  body: Fields,
  names: Readonly<Record<Name, unknown>>,
): HttpFaultFields<Name> {
  const isName = (text: string): text is Name => Object.hasOwn(names, text)
  const name = readText(body, 'name') ?? ''
  if (!isName(name)) throw new BadRequest(`name is one of ${Object.keys(names).join(', ')}`)
  const fault: HttpFaultFields<Name> = { name }
  const command = readText(body, 'command')
  if (command !== undefined) fault.command = command
  const times = body.times === null ? null : readNumber(body, 'times')
  if (times !== undefined) fault.times = times
  for (const field of ['delay_ms', 'copies'] as const) {
    const value = readNumber(body, field)
    if (value !== undefined) fault[field] = value
  }
  return fault
}

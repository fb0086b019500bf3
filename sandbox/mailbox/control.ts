// Control plane of the simulated mail server: HTTP on loopback, to read mails and arm faults.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { FAULTS, type Fault, isFaultName, type MailServer, startMailServer } from './index.ts'

type MailControl = { url: string; close(): Promise<void> }

const most_bytes = 65_536
class BadRequest extends Error {}
type Fields = Record<string, unknown>
type Route = (mails: MailServer, body: Fields, id: string) => unknown

const routes: Record<string, Route> = {
  'GET /mails': (mails) => ({ mails: mails.list().map(({ raw: _raw, ...mail }) => mail) }),
  'GET /mails/': (mails, _body, id) => mails.read(id),
  'DELETE /mails': (mails) => {
    mails.clear()
    return { mails: [] }
  },
  'GET /faults': (mails) => ({ known: FAULTS, armed: mails.faults() }),
  'POST /faults': (mails, body) => {
    mails.setFault(readFault(body))
    return { armed: mails.faults() }
  },
  'DELETE /faults': (mails) => {
    mails.clearFaults()
    return { armed: [] }
  },
}

/** Starts it on a free port; every call needs the bearer token. */
export async function startMailControl(mails: MailServer, token: string): Promise<MailControl> {
  const expected = Buffer.from(`Bearer ${token}`)
  const server = createServer(async (request, response) => {
    const { status, body } = await respond(mails, request, expected)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  mails: MailServer,
  request: IncomingMessage,
  expected: Buffer,
): Promise<{ status: number; body: unknown }> {
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
    const body = route(mails, await readBody(request), decodeURIComponent(id))
    if (body === null) return { status: 404, body: { error: 'no such mail' } }
    return { status: 200, body }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const theirs =
      error instanceof BadRequest || error instanceof RangeError || error instanceof URIError
    return { status: theirs ? 400 : 500, body: { error: words } }
  }
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > most_bytes) throw new BadRequest('the body is too large')
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

function readFault({ name, code, delay_ms, to, times }: Fields): Fault {
  if (typeof name !== 'string' || !isFaultName(name))
    throw new BadRequest(`name is one of ${Object.keys(FAULTS).join(', ')}`)
  const fault: Fault = { name }
  for (const [field, value] of Object.entries({ code, delay_ms, times }))
    if (value !== undefined && value !== null && typeof value !== 'number')
      throw new BadRequest(`${field} is a number`)
  if (to !== undefined && typeof to !== 'string') throw new BadRequest('to is an address')
  if (to !== undefined) fault.to = to
  if (typeof code === 'number') fault.code = code
  if (typeof delay_ms === 'number') fault.delay_ms = delay_ms
  if (times === null || typeof times === 'number') fault.times = times
  return fault
}

/**
 * Starts the simulated mail server beside the simulated registries, with mails kept in the folder
 * and a control that wants this token. Returns its part of their ready line.
 */
export async function startMailbox(folder: string, token: string) {
  const mails = await startMailServer({ data_dir: folder })
  const control = await startMailControl(mails, token)
  return {
    ready: { url: mails.url, folder, control: { url: control.url } },
    close: async () => {
      await Promise.all([control.close(), mails.close()])
    },
  }
}

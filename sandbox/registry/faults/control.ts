// Control plane of the sandbox: HTTP on loopback, for operators and tests.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import * as openprovider from '../../openprovider/index.ts'
import type { RegistryName, Settings } from '../model/profiles.ts'
import type { Controlled } from '../sandbox.ts'
import { portOf } from '../server/tls-server.ts'
import { FAULTS, type Fault, isFaultName } from './faults.ts'

const MAX_BODY_BYTES = 65_536

class BadRequest extends Error {}

type Fields = Record<string, unknown>
type Route = (sandbox: Controlled, body: Fields, name: string) => unknown

const ROUTES: Record<string, Route> = {
  'GET /counters': (sandbox) => {
    return { ...sandbox.counters(), openprovider: sandbox.openprovider.counters() }
  },
  'GET /effects': (sandbox) => {
    return { effects: [...sandbox.effects(), ...named(sandbox.openprovider.effects())] }
  },
  'GET /domains/': (sandbox, _body, name) =>
    sandbox.lookup(name) ?? sandbox.openprovider.lookup(name),
  'GET /faults': (sandbox) => {
    return { known: { ...openprovider.FAULTS, ...FAULTS }, armed: armed(sandbox) }
  },
  'POST /faults': (sandbox, body) => {
    if (body.registry === 'openprovider') sandbox.openprovider.setFault(readOpenproviderFault(body))
    else sandbox.setFault(readFault(body))
    return { armed: armed(sandbox) }
  },
  'DELETE /faults': (sandbox) => {
    sandbox.clearFaults()
    sandbox.openprovider.clearFaults()
    return { armed: [] }
  },
  'GET /clock': (sandbox) => ({ now: new Date(sandbox.now()).toISOString() }),
  'POST /clock': (sandbox, body) => {
    sandbox.advanceClock(readJump(sandbox, body))
    return { now: new Date(sandbox.now()).toISOString() }
  },
  'POST /credit': (sandbox, body) => {
    if (body.registry === 'openprovider') {
      sandbox.openprovider.setCredit(readText(body, 'amount') ?? '')
      return { registry: body.registry, amount: sandbox.openprovider.credit() }
    }
    const registry = readRegistry(body.registry)
    if (registry === undefined) throw new BadRequest('registry is thin, thick or openprovider')
    const registrar = readText(body, 'registrar') ?? 'registrar-a'
    const amount = readText(body, 'amount') ?? ''
    sandbox.setCredit({ registry, registrar, amount })
    return { registry, registrar, amount: sandbox.credit({ registry, registrar }) }
  },
  'GET /settings': (sandbox) => settingsOf(sandbox),
  'POST /settings': (sandbox, body) => {
    Object.assign(sandbox.settings, readSettings(body))
    Object.assign(sandbox.openprovider.settings, readOpenproviderSettings(body))
    return settingsOf(sandbox)
  },
  'POST /transfers': (sandbox, body) => {
    if (typeof body.approve !== 'boolean') throw new BadRequest('approve is true or false')
    const domain = readText(body, 'domain') ?? ''
    sandbox.openprovider.answerTransfer(domain, body.approve)
    return { domain, approve: body.approve }
  },
}

function named<T extends object>(list: T[]): (T & { registry: 'openprovider' })[] {
  return list.map((one) => ({ registry: 'openprovider', ...one }))
}

function armed(sandbox: Controlled) {
  return [...sandbox.faults(), ...named(sandbox.openprovider.faults())]
}

function settingsOf(sandbox: Controlled) {
  return { ...sandbox.settings, openprovider: sandbox.openprovider.settings }
}

/** Starts the control plane; every call needs the bearer token. */
export async function startControl(
  sandbox: Controlled,
  at: { port: number; token: string },
): Promise<Server> {
  const expected = Buffer.from(`Bearer ${at.token}`)
  const server = createServer(async (request, response) => {
    const answer = await respond(sandbox, request, expected)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(answer.body)}\n`)
  })
  server.listen(at.port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export function controlUrl(server: Server): string {
  return `http://127.0.0.1:${portOf(server.address())}`
}

async function respond(
  sandbox: Controlled,
  request: IncomingMessage,
  expected: Buffer,
): Promise<{ status: number; body: unknown }> {
  const given = Buffer.from(request.headers.authorization ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { status: 401, body: { error: 'the bearer token is missing or wrong' } }
  }
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://control')
    const [, noun = '', name = ''] = pathname.split('/')
    const key = `${request.method} /${noun}${name === '' ? '' : '/'}`
    const route = ROUTES[key]
    if (route === undefined) {
      return { status: 404, body: { error: `no ${key}`, routes: Object.keys(ROUTES) } }
    }
    const body = route(sandbox, await readBody(request), decodeURIComponent(name))
    if (body === null) return { status: 404, body: { error: `no domain ${name}` } }
    return { status: 200, body }
  } catch (error) {
    if (error instanceof BadRequest || error instanceof RangeError || error instanceof URIError) {
      return { status: 400, body: { error: error.message } }
    }
    return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } }
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

function readText(body: Fields, name: string): string | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new BadRequest(`${name} is a string`)
  return value
}

function readNumber(body: Fields, name: string): number | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new BadRequest(`${name} is a number`)
  return value
}

function readRegistry(value: unknown): RegistryName | undefined {
  if (value === undefined || value === 'thin' || value === 'thick') return value
  throw new BadRequest('registry is thin or thick')
}

function readFault(body: Fields): Fault {
  const name = readText(body, 'name') ?? ''
  if (!isFaultName(name)) {
    throw new BadRequest(`name is one of ${Object.keys(FAULTS).join(', ')}`)
  }
  const fault: Fault = { name, ...readSelector(body) }
  const registry = readRegistry(body.registry)
  if (registry !== undefined) fault.registry = registry
  for (const field of ['registrar', 'reason'] as const) {
    const text = readText(body, field)
    if (text !== undefined) fault[field] = text
  }
  const code = readNumber(body, 'code')
  if (code !== undefined) fault.code = code
  return fault
}

function readOpenproviderFault(body: Fields): openprovider.Fault {
  const name = readText(body, 'name') ?? ''
  if (!openprovider.isFaultName(name)) {
    throw new BadRequest(`name is one of ${Object.keys(openprovider.FAULTS).join(', ')}`)
  }
  return { name, ...readSelector(body) }
}

type Selector = Pick<openprovider.Fault, 'command' | 'domain' | 'times' | 'delay_ms'>

function readSelector(body: Fields): Selector {
  const selector: Selector = {}
  for (const field of ['command', 'domain'] as const) {
    const text = readText(body, field)
    if (text !== undefined) selector[field] = text
  }
  const times = body.times === null ? null : readNumber(body, 'times')
  if (times !== undefined) selector.times = times
  const delay_ms = readNumber(body, 'delay_ms')
  if (delay_ms !== undefined) selector.delay_ms = delay_ms
  return selector
}

function readOpenproviderSettings(body: Fields): Partial<openprovider.Settings> {
  const settings: Partial<openprovider.Settings> = {}
  for (const field of ['create_takes_ms', 'transfer_takes_ms', 'restore_takes_ms'] as const) {
    const value = readNumber(body, field)
    if (value !== undefined) settings[field] = value
  }
  return settings
}

function readJump(sandbox: Controlled, body: Fields): number {
  const jump = readNumber(body, 'advance_ms')
  if (jump !== undefined) return jump
  const set = Date.parse(readText(body, 'set') ?? '')
  if (Number.isNaN(set)) throw new BadRequest('give advance_ms, or set as a date and time')
  return set - sandbox.now()
}

const switches = [
  'refuse_reused_cl_trid',
  'sixty_day_rule',
  'hides_auth_info',
  'login_security_required',
] as const

function readSettings(body: Fields): Partial<Settings> {
  const settings: Partial<Settings> = {}
  for (const field of ['idle_ms', 'sessions_per_registrar'] as const) {
    const value = readNumber(body, field)
    if (value !== undefined) settings[field] = value
  }
  for (const field of switches) {
    const value = body[field]
    if (value === undefined) continue
    if (typeof value !== 'boolean') throw new BadRequest(`${field} is true or false`)
    settings[field] = value
  }
  return settings
}

// Control plane of the sandbox, for operators and tests.
import * as openprovider from '../../openprovider/index.ts'
import {
  BadRequest,
  type ControlServer,
  type Fields,
  type Routes,
  readNumber,
  readText,
  startControlServer,
} from '../../support/control-server.ts'
import type { RegistryName, Settings } from '../model/profiles.ts'
import type { Controlled } from '../sandbox.ts'
import { FAULTS, type Fault, isFaultName } from './epp-faults.ts'

const ROUTES: Routes<Controlled> = {
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
): Promise<ControlServer> {
  const missing = (name: string) => `no domain ${name}`
  return startControlServer({ target: sandbox, routes: ROUTES, ...at, missing })
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
  'hides_transfer_date',
  'hides_expiry',
  'transfer_without_period',
  'login_security_required',
] as const

const numbers = [
  'idle_ms',
  'sessions_per_registrar',
  'several_years_percent',
  'transfer_years',
] as const

function readSettings(body: Fields): Partial<Settings> {
  const settings: Partial<Settings> = {}
  for (const field of numbers) {
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

// The simulated registries: two EPP servers over TLS with a store, a clock and fault injection.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Delegation, type Find, startNameServer } from '../dns/index.ts'
import { type Openprovider, startOpenprovider } from '../openprovider/index.ts'
import { lockRows } from '../support/folder-lock.ts'
import { formatCents, parseCents } from '../support/money.ts'
import { Clock } from '../support/sandbox-clock.ts'
import { viewDomain } from './commands/domain-view.ts'
import { startControl } from './faults/control.ts'
import { Faults } from './faults/epp-faults.ts'
import { settleDue } from './model/lifecycle.ts'
import {
  DEFAULT_SETTINGS,
  PROFILES,
  REGISTRARS,
  type RegistryName,
  type Settings,
} from './model/profiles.ts'
import { Registry } from './model/registry.ts'
import type { Controlled, Sandbox, SandboxOptions, SandboxRegistry } from './sandbox.ts'
import { openPki, type Pki } from './server/pki.ts'
import { RegistryState } from './server/registry-state.ts'
import { openTlsServer } from './server/tls-server.ts'

export {
  BYZANTINE_ANSWERS,
  type ByzantineAnswer,
  FALSE_CREATION_DATES,
  FALSE_EXPIRIES,
  FALSE_NAMES,
} from '../support/byzantine-answers.ts'
export type { FaultName } from './faults/epp-faults.ts'
export type { RegistryName } from './model/profiles.ts'
export type { Effect } from './model/records.ts'
export type { Sandbox } from './sandbox.ts'

/** Starts both registries and the control plane, and returns when they are ready. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const folder = options.data_dir ?? mkdtempSync(join(tmpdir(), 'sandbox-registry-'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = options.data_dir === null ? null : lockRows(folder)
  const { pki_dir = join(folder, 'pki') } = options
  const pki = await openPki(pki_dir, Object.keys(REGISTRARS))
  const clockFile = options.data_dir === null ? null : join(folder, 'clock.json')
  const clock = new Clock(options.now ?? Date.now, clockFile)
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const faults = new Faults()
  const report = options.report ?? (() => {})
  const open = (name: RegistryName): RegistryState => {
    const file = options.data_dir === null ? null : join(folder, `${name}.jsonl`)
    const registry = new Registry({ profile: PROFILES[name], settings, clock, file })
    return new RegistryState({ registry, faults, report })
  }
  const registrars = { thin: open('thin'), thick: open('thick') }
  const host = options.host ?? '127.0.0.1'
  const { ports = {} } = options
  const thin = await openTlsServer(registrars.thin, { pki, host, port: ports.thin ?? 0 })
  const thick = await openTlsServer(registrars.thick, { pki, host, port: ports.thick ?? 0 })
  const openprovider = await startOpenprovider({
    ...{ clock, host, report },
    file: options.data_dir === null ? null : join(folder, 'openprovider.jsonl'),
    port: ports.openprovider ?? 0,
  })
  const find: Find = (domain) =>
    delegationAt([registrars.thin, registrars.thick], domain) ?? openprovider.delegation(domain)
  const names = await startNameServer({ host, port: ports.dns ?? 0 }, find)
  const dns = { host, port: names.port }
  const registries = {
    thin: describe(registrars.thin, host, thin.port),
    thick: describe(registrars.thick, host, thick.port),
  }
  const shared = { registries, openprovider, dns, tls: tlsOf(pki), settings }
  const inner = { ...operate(registrars, { clock, faults, openprovider }), ...shared }
  const token = controlToken(join(folder, 'control-token'))
  const control = await startControl(inner, { port: ports.control ?? 0, token })
  const close = async (): Promise<void> => {
    await Promise.all([control, thin, thick, openprovider, names].map((one) => one.close()))
    lock?.release()
    if (options.data_dir === null) rmSync(folder, { recursive: true, force: true })
  }
  return { ...inner, control: { url: control.url, token }, close }
}

/** The name servers of a name at one of the registries, with the addresses that it has for them. */
function delegationAt(registrars: RegistryState[], domain: string): Delegation | null {
  for (const { registry } of registrars) {
    const found = registry.domains.get(domain)
    if (!found) continue
    return found.nameservers.map(({ name, addresses }) => {
      const known = registry.hosts.get(name)?.addresses ?? addresses
      return { name, addresses: known.map(({ address }) => address) }
    })
  }
  return null
}

function describe(state: RegistryState, host: string, port: number): SandboxRegistry {
  const { profile, store } = state.registry
  const clientId = 'registrar-a'
  return {
    name: profile.name,
    host,
    port,
    tlds: Object.keys(profile.prices),
    names_per_check: profile.names_per_check,
    contacts: profile.contacts,
    host_model: profile.host_model,
    clientId,
    get password() {
      return store.tables.account.get(clientId)?.password ?? ''
    },
  }
}

function tlsOf(pki: Pki): Sandbox['tls'] {
  const ours = pki.registrars['registrar-a']
  if (ours === undefined) throw new Error('registrar-a has no certificate')
  const { cert: ca, cert_file: ca_file } = pki.ca
  return { ...ours, ca, ca_file, registrars: pki.registrars }
}

function controlToken(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const token = randomBytes(24).toString('base64url')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  return token
}

type Shared = { clock: Clock; faults: Faults; openprovider: Openprovider }

function operate(
  registrars: Record<RegistryName, RegistryState>,
  { clock, faults, openprovider }: Shared,
): Omit<Controlled, 'registries' | 'openprovider' | 'dns' | 'tls' | 'settings'> {
  const each = [registrars.thin, registrars.thick]
  const accountOf = (of: { registry: RegistryName; registrar: string }) => {
    const account = registrars[of.registry].registry.store.tables.account.get(of.registrar)
    if (account === undefined) throw new RangeError(`no registrar ${of.registrar}`)
    return account
  }
  return {
    setFault: (fault) => faults.set(fault),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    releaseDelayed() {
      for (const { delays } of each) delays.release()
      openprovider.releaseDelayed()
    },
    counters: () => ({
      thin: registrars.thin.effectLog.counters(),
      thick: registrars.thick.effectLog.counters(),
    }),
    effects: () =>
      each.flatMap(({ registry }) =>
        [...registry.store.tables.effect.values()].map((effect) => {
          return { registry: registry.profile.name, ...effect }
        }),
      ),
    now: () => clock.now(),
    advanceClock(ms) {
      clock.advance(ms)
      for (const { registry } of each) settleDue(registry)
      openprovider.settleDue()
    },
    lookup(domain) {
      for (const { registry } of each) {
        settleDue(registry)
        const found = registry.domains.get(domain.toLowerCase())
        if (found !== undefined) return viewDomain(registry, found)
      }
      return null
    },
    setCredit(to) {
      const cents = parseCents(to.amount)
      if (cents === null) throw new RangeError('amount is a decimal like 12.34')
      const { store } = registrars[to.registry].registry
      store.tables.account.put(to.registrar, { ...accountOf(to), credit_cents: cents })
      store.commit()
    },
    credit: (of) => formatCents(accountOf(of).credit_cents),
  }
}

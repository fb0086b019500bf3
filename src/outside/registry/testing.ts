// For tests: an EPP registry of ours over a sandbox's, and attempts that remember their steps.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { type RegistryName, type Sandbox, startSandbox } from '../../../sandbox/registry/index.ts'
import { openEppRegistry } from './epp.ts'
import type { Attempt, AttemptStep, Registry, RegistryProfile } from './port.ts'

export const randomId = (): string => `t-${randomBytes(9).toString('hex')}`

export function profileOf(sandbox: Sandbox, name: RegistryName): RegistryProfile {
  const { host, port, tlds, names_per_check, contacts, host_model } = sandbox.registries[name]
  const { clientId: client_id, password } = sandbox.registries[name]
  const { ca_file, cert_file, key_file } = sandbox.tls
  return {
    name,
    adapter: 'epp',
    tlds,
    host,
    port,
    client_id,
    password,
    tls: { ca_file, cert_file, key_file, servername: null },
    names_per_check,
    sessions: 2,
    idle_s: 120,
    timeout_ms: 3_000,
    contacts,
    host_model,
    auth_info_on_create: 'random',
    fee: true,
    login_security: true,
    periods: { min: 1, max: 10 },
    max_term_years: 10,
    currency: 'USD',
  }
}

/** The same registry as the other registrar of the sandbox sees it. */
export function rivalOf(sandbox: Sandbox, name: RegistryName): RegistryProfile {
  const identity = sandbox.tls.registrars['registrar-b']
  if (!identity) throw new Error('The sandbox has no registrar-b')
  const { cert_file, key_file } = identity
  const profile = profileOf(sandbox, name)
  return {
    ...profile,
    client_id: 'registrar-b',
    password: 'sandbox-b-pw-01',
    tls: { ...profile.tls, cert_file, key_file },
  }
}

export function open(profile: RegistryProfile): Registry {
  return openEppRegistry(profile, { log: pino({ level: 'silent' }), randomId })
}

export function startEmptySandbox(): Promise<Sandbox> {
  return startSandbox({ data_dir: null })
}

export function attempt(own: Partial<Attempt> = {}): Attempt & { steps: AttemptStep[] } {
  const steps: AttemptStep[] = []
  const at = (step: AttemptStep) => {
    steps.push(step)
  }
  return { cl_trid: randomId(), priority: 'purchase', at, ...own, steps }
}

// Public interface of the simulated registries: options, addresses, settings, operations.
import type { Openprovider } from '../openprovider/index.ts'
import type { DomainView } from './commands/domain-view.ts'
import type { Fault } from './faults/epp-faults.ts'
import type { Counters } from './faults/session-log.ts'
import type { RegistryName, Settings } from './model/profiles.ts'
import type { Effect } from './model/records.ts'
import type { Identity } from './server/pki.ts'

export type SandboxOptions = {
  /** The folder of rows, certificates and clock, or null to keep the rows in memory only. */
  data_dir: string | null
  /** Another folder for the certificates. */
  pki_dir?: string | undefined
  host?: string
  /** The ports; 0 or undefined means any free one. */
  ports?: { thin?: number; thick?: number; openprovider?: number; dns?: number; control?: number }
  /** Real time in epoch milliseconds. */
  now?: () => number
  settings?: Partial<Settings>
  /** Called with internal errors of the sandbox, which a client sees as 2400. */
  report?: (error: unknown) => void
}

export type SandboxRegistry = {
  name: RegistryName
  host: string
  port: number
  tlds: string[]
  names_per_check: number
  contacts: 'prohibited' | 'required'
  host_model: 'hostAttr' | 'hostObj'
  clientId: string
  /** The current password of registrar-a; a login may change it. */
  readonly password: string
}

export type Sandbox = {
  registries: Record<RegistryName, SandboxRegistry>
  /** The reseller's API, which has the same clock, and its own rows and faults. */
  openprovider: Openprovider
  /** A resolver over UDP for the delegations of all names. */
  dns: { host: string; port: number }
  /** The CA, the client certificate of registrar-a, and those of all registrars. */
  tls: Identity & { ca_file: string; ca: string; registrars: Record<string, Identity> }
  /** The settings can be changed while it runs. */
  settings: Settings
  control: { url: string; token: string }
  setFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  /** Immediately runs everything that faults have delayed, also at the reseller. */
  releaseDelayed(): void
  counters(): Record<RegistryName, Counters>
  /** The log of paid effects of both registries, oldest first within each. */
  effects(): (Effect & { registry: RegistryName })[]
  now(): number
  /** Jumps forward and applies all due transitions. @throws RangeError for a jump back */
  advanceClock(ms: number): void
  lookup(domain: string): DomainView | null
  /** `amount` is in US dollars: '12.34'. @throws RangeError */
  setCredit(to: { registry: RegistryName; registrar: string; amount: string }): void
  credit(of: { registry: RegistryName; registrar: string }): string
  close(): Promise<void>
}

/** The operations of the control plane. */
export type Controlled = Omit<Sandbox, 'control' | 'close'>

// What the simulated registries show to those who start them: options, facts and switches.
import type { Openprovider } from '../openprovider/index.ts'
import type { DomainView } from './commands/domain-view.ts'
import type { Counters } from './faults/effect-log.ts'
import type { Fault } from './faults/faults.ts'
import type { RegistryName, Settings } from './model/profiles.ts'
import type { Effect } from './model/records.ts'
import type { Identity } from './server/pki.ts'

export type SandboxOptions = {
  /** Where rows, certificates and the clock are kept; null keeps rows in memory only. */
  data_dir: string | null
  /** Where the certificates are instead, or are to be. */
  pki_dir?: string | undefined
  host?: string
  /** 0 or left out: any free port. */
  ports?: { thin?: number; thick?: number; openprovider?: number; dns?: number; control?: number }
  /** Real time in epoch milliseconds. */
  now?: () => number
  settings?: Partial<Settings>
  /** Told of errors inside the sandbox itself, which a client sees as 2400. */
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
  /** The reseller's API beside them: on the same clock, with rows and faults of its own. */
  openprovider: Openprovider
  /** Tells over UDP which name servers the names at all of them have. */
  dns: { host: string; port: number }
  /** The CA, the client certificate of registrar-a, and those of all registrars. */
  tls: Identity & { ca_file: string; ca: string; registrars: Record<string, Identity> }
  /** Can be changed while it runs. */
  settings: Settings
  control: { url: string; token: string }
  setFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  counters(): Record<RegistryName, Counters>
  /** The ledger of paid effects of both registries, oldest first within each. */
  effects(): (Effect & { registry: RegistryName })[]
  now(): number
  /** Jumps forward; all that falls due is done, everywhere. @throws RangeError for a jump back */
  advanceClock(ms: number): void
  lookup(domain: string): DomainView | null
  /** `amount` is in US dollars: '12.34'. @throws RangeError */
  setCredit(to: { registry: RegistryName; registrar: string; amount: string }): void
  credit(of: { registry: RegistryName; registrar: string }): string
  close(): Promise<void>
}

/** What the control plane may do: the sandbox without its own door. */
export type Controlled = Omit<Sandbox, 'control' | 'close'>

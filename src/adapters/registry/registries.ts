// All registries of this service, opened by their profiles, and the look-up of the registry of a
// TLD and of its terms.
import type { Logger } from 'pino'
import type { AcquireLease } from '../../epp/pool/pooled-session.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Currency } from '../../kit/money.ts'
import type { IdnExceptions } from '../../kit/net/host.ts'
import type { Meter } from '../../kit/telemetry.ts'
import { openEppRegistry } from './epp/epp.ts'
import { openOpenproviderRegistry } from './openprovider/openprovider.ts'
import type { EppProfile, FeeVerb, OpenproviderProfile, Registry, RegistryProfile } from './port.ts'

/**
 * The margin on a registry's price per year: a share of it, and a fixed sum in the registry's
 * currency.
 */
export type Margin = { basis_points: bigint; fixed: bigint }

/**
 * How a TLD's price is made. Amounts are minor units of `currency`, in which the registry charges.
 */
export type TldTerms = {
  currency: Currency
  margin: Margin
  /** The price per year that replaces the registry's. */
  costs: Partial<Record<FeeVerb, bigint>>
  /**
   * The currencies in which the TLD is sold, with the value of one unit of `currency` in each, in
   * millionths.
   */
  rates: ReadonlyMap<Currency, bigint>
}

/** The address of a registry and our log-in there. */
type EppEndpoint = Pick<EppProfile, 'host' | 'port' | 'client_id' | 'password' | 'tls'>
type OpenproviderEndpoint = Pick<OpenproviderProfile, 'base_url' | 'client_id' | 'password'>
export type Endpoint = EppEndpoint | OpenproviderEndpoint

/** The facts of a registry that are in the file and not in its address. */
type RegistryRules =
  | Omit<EppProfile, keyof EppEndpoint>
  | Omit<OpenproviderProfile, keyof OpenproviderEndpoint>

/**
 * One entry of the file. `endpoint` is null for a sandbox registry, whose address is known only
 * once it runs.
 */
export type RegistryEntry = {
  rules: RegistryRules
  endpoint: Endpoint | null
  terms: ReadonlyMap<string, TldTerms>
}

/** The parsed registries file (registries-file.ts). */
export type RegistriesFile = { registries: RegistryEntry[] }

/** The registry of a TLD, and its terms. */
type TldRegistry = { registry: Registry; terms: TldTerms }

export type Registries = {
  /** The terms by each TLD that we sell, without its dot and in lower case. */
  byTld: ReadonlyMap<string, TldRegistry>
  /** The registries by the name of the profile. */
  byName: ReadonlyMap<string, Registry>
  all: readonly Registry[]
  /** For each TLD, the characters that IDNA 2008 forbids and the registry takes. */
  idn_exceptions: IdnExceptions
  /** Every TLD that we sell, in alphabetical order. */
  tlds: readonly string[]
  close: () => Promise<void>
}

type OpenParts = {
  /** The sandbox registries that run, by name; there are none in production. */
  endpoints: ReadonlyMap<string, Endpoint>
  log: Logger
  /** The service's resolver; this machine's by default. */
  clock?: Clock
  /**
   * The budget of sessions over several nodes; if left out, each profile's sessions belong to this
   * node alone.
   */
  leasesOf?: (profile: RegistryProfile) => AcquireLease
  meter?: Meter | undefined
}

/** They connect at the first command. */
function openRegistry(
  profile: RegistryProfile,
  { log, clock, leasesOf, meter }: OpenParts,
): Registry {
  const measured = meter && { meter }
  if (profile.adapter === 'openprovider')
    return openOpenproviderRegistry(profile, { log, ...measured, ...(clock && { clock }) })
  return openEppRegistry(profile, {
    log,
    ...measured,
    ...(leasesOf && { acquireLease: leasesOf(profile) }),
  })
}

/**
 * Opens every registry of the file. Throws if a sandbox entry has no sandbox registry of its name.
 */
export function openRegistries(file: RegistriesFile, parts: OpenParts): Registries {
  const profiles = file.registries.map((entry) => profileOf(entry, parts.endpoints))
  const all: Registry[] = []
  const byTld = new Map<string, TldRegistry>()
  for (const [index, { terms }] of file.registries.entries()) {
    const profile = profiles[index]
    if (!profile) continue
    const registry = openRegistry(profile, parts)
    all.push(registry)
    for (const [tld, tldTerms] of terms) byTld.set(tld, { registry, terms: tldTerms })
    const { name, adapter, tlds } = profile
    const at = 'base_url' in profile ? profile.base_url : `${profile.host}:${profile.port}`
    parts.log.info({ registry: name, adapter, at, tlds }, 'registry opened')
  }
  return {
    byTld,
    byName: new Map(all.map((registry) => [registry.profile.name, registry])),
    all,
    idn_exceptions: new Map(profiles.flatMap(({ idn }) => exceptionsOf(idn))),
    tlds: [...byTld.keys()].sort(),
    close: async () => {
      await Promise.all(all.map((registry) => registry.close()))
    },
  }
}

/** Each TLD with the characters that its names may contain besides those of IDNA 2008. */
function exceptionsOf(idn: RegistryProfile['idn']): [string, RegExp][] {
  return Object.entries(idn).map(([tld, { also }]) => {
    const ranges = also.map((range) => range.replaceAll(/[0-9A-F]+/g, '\\u{$&}'))
    return [tld, new RegExp(`^[${ranges.join('')}]$`, 'u')]
  })
}

function profileOf(entry: RegistryEntry, endpoints: OpenParts['endpoints']): RegistryProfile {
  const { rules } = entry
  const endpoint = entry.endpoint ?? endpoints.get(rules.name)
  if (!endpoint)
    throw new Error(
      `Registry "${rules.name}" is a sandbox one, and no sandbox registry of that name runs ` +
        'here: give it an address in the registries file (and take "sandbox: true" away)',
    )
  if (rules.adapter === 'openprovider' && 'base_url' in endpoint) return { ...rules, ...endpoint }
  if (rules.adapter === 'epp' && 'host' in endpoint) return { ...rules, ...endpoint }
  throw new Error(`Registry "${rules.name}" speaks ${rules.adapter}, but its endpoint does not`)
}

// Holdings of a benchmark: registered at the thin registry by a separate client, and written to the
// service's database.

import { loadRegistriesFile } from '../../src/adapters/registry/config/registries-file.ts'
import { openEppRegistry } from '../../src/adapters/registry/epp/epp.ts'
import type { Attempt, Outcome, Registry } from '../../src/adapters/registry/port.ts'
import { newId } from '../../src/kit/random.ts'
import type { Bench } from './bench.ts'
import type { BenchDatabase } from './database.ts'
import type { RegistriesProcess } from './programs.ts'

export const transferCode = 'Bench-2Move-4711'
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const sessions = 8
const inFlight = 64

/** A separate session pool at the thin registry, on request as the other registrar. */
export function openThin(
  bench: Bench,
  { environment }: Pick<RegistriesProcess, 'environment'>,
  { rival }: { rival: boolean },
): Registry {
  const variables: Record<string, string | undefined> = {
    ...environment,
    ...(rival && {
      REGISTRY_CLIENT_ID: environment.RIVAL_CLIENT_ID,
      REGISTRY_PASSWORD: environment.RIVAL_PASSWORD,
      REGISTRY_CERT: environment.RIVAL_CERT,
      REGISTRY_KEY: environment.RIVAL_KEY,
    }),
  }
  const path = `${import.meta.dirname}/registries.yaml`
  const file = loadRegistriesFile(path, (name) => variables[name])
  const entry = file.registries.find(({ rules }) => rules.name === 'thin')
  const { rules, endpoint } = entry ?? {}
  if (rules?.adapter !== 'epp' || !endpoint || !('host' in endpoint))
    throw new Error('registries.yaml has no EPP endpoint for "thin"')
  const registry = openEppRegistry(
    { ...rules, ...endpoint, sessions, auth_info_on_create: 'random' },
    { log: silent },
  )
  bench.atEnd(() => registry.close())
  return registry
}

export function attempt(): Attempt {
  return { cl_trid: newId('raw'), priority: 'normal', at: () => undefined }
}

/** Throws for an outcome that is neither `done` nor `accepted`. */
export async function must(outcome: Promise<Outcome<unknown>>): Promise<void> {
  const { kind, ...facts } = await outcome
  if (kind !== 'done' && kind !== 'accepted') throw new Error(JSON.stringify({ kind, ...facts }))
}

/** Runs all of them, some concurrently. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const left = items.values()
  const take = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: inFlight }, take))
}

type Wanted = { owner: string; prefix: string; count: number }

/** Registers `<prefix>-<n>.com`, and holds them for the owner; none is due to be read. */
export async function makeHoldings(
  db: BenchDatabase,
  registry: Registry,
  { owner, prefix, count }: Wanted,
): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}.com`)
  await each(names, (domain) =>
    must(
      registry.register(
        {
          domain,
          period_years: 1,
          nameservers: ['ns1.example.net', 'ns2.example.net'],
          registrant: null,
          contacts: [],
          auth_info: transferCode,
          fee: null,
        },
        attempt(),
      ),
    ),
  )
  await db.query(
    `insert into domains (name, customer_id, order_id, registry, expiry, registry_expiry,
        nameservers, period_years, epp_statuses, rgp_statuses, contacts, registered_at)
      select '${prefix}-' || n || '.com', '${owner}', 'bench', 'thin',
             now() + interval '1 year', now() + interval '1 year', '{}', 1, '{}', '{}', '{}', now()
        from generate_series(0, ${count - 1}) n`,
  )
  await db.query('update domain_schedules set sync_at = null')
  await db.query('vacuum analyze domains, domain_schedules')
  return names
}

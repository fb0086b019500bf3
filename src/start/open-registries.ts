// The registries of this service on the nodes' common budget of sessions.
import type { Logger } from 'pino'
import {
  type Endpoint,
  openRegistries,
  type Registries,
  type RegistriesFile,
} from '../adapters/registry/registries.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { openSessionLeases } from '../session-leases/index.ts'

/** The file, and where the sandbox's registries run. */
export type Places = { file: RegistriesFile; endpoints: ReadonlyMap<string, Endpoint> }

/** Opened, not connected. `close` ends the sessions in good order and frees them for others. */
export function openServiceRegistries(
  { file, endpoints }: Places,
  { db, log, clock }: { db: Database; log: Logger; clock: Clock },
): Registries {
  const slots = openSessionLeases({ db, log })
  const registries = openRegistries(file, {
    endpoints,
    log,
    clock,
    leasesOf: slots.of,
  })
  return {
    ...registries,
    async close() {
      await registries.close()
      await slots.close()
    },
  }
}

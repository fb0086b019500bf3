// The setup of a disaster: one database, the sandbox registries, a registrar that lives, and nodes
// that may die.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type Sandbox, startSandbox } from '../../../sandbox/registry/index.ts'
import { typeParsers } from '../../../src/db/postgres/column-types.ts'
import { newDatabase } from '../../support/database.ts'
import { startService, type TestService } from '../../support/service.ts'
import { audit } from '../auditor/auditor.ts'
import type { Audit, Query, Receipts, RegistryState } from '../auditor/auditor-input.ts'
import { type NodeOptions, type Place, type RunningNode, startNode } from './nodes.ts'

export type DisasterSetup = {
  sandbox: Sandbox
  /** A node in this process: it takes requests, but runs no jobs. */
  registrar: TestService
  query: Query
  place: Place
  node: (options?: NodeOptions) => Promise<RunningNode>
  /**
   * Ends the leases of dead nodes, and makes every order (or that of one domain) due. Only while no
   * node works on orders.
   */
  hurry: (domain?: string) => Promise<void>
  /** The order of this domain waits for `hurry`. */
  holdBack: (domain: string) => Promise<void>
  openOrders: () => Promise<{ domain: string; type: string; state: string }[]>
  audit: () => Promise<Audit>
}
type SetupOptions = {
  settings?: Record<string, string>
  sandbox?: Sandbox
  /** Used in place of one on the test run's PostgreSQL. */
  database_url?: string
  /** The receipts of the gateway and the processor at the time when the auditor asks. */
  receipts?: () => Receipts
}

export async function startSetup(options: SetupOptions = {}): Promise<DisasterSetup> {
  // Many nodes log in with one account; the session limit is a separate fault here.
  const settings = { sessions_per_registrar: 1_000, sixty_day_rule: false }
  const sandbox =
    options.sandbox ??
    (await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR, settings }))
  const database_url = options.database_url ?? (await newDatabase('template_of_tests'))
  const data_dir = mkdtempSync(join(tmpdir(), 'agent-registrar-disaster-'))
  const owner = new pg.Pool({
    connectionString: database_url,
    types: typeParsers,
    max: 4,
    application_name: 'auditor',
  })
  owner.on('error', () => undefined)
  const nodes: Promise<RunningNode>[] = []
  let over = false
  after(async () => {
    over = true
    // This includes nodes that are still starting after a failed test, for which the process would
    // wait forever.
    for (const started of await Promise.allSettled(nodes))
      if (started.status === 'fulfilled') await started.value.kill()
    await owner.end()
    if (!options.sandbox) await sandbox.close()
    rmSync(data_dir, { recursive: true, force: true })
  })
  const shared = {
    REGISTRIES_FILE: join(import.meta.dirname, 'registries.yaml'),
    // Any node may decrypt what another encrypted.
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...options.settings,
  }
  const place: Place = { database_url, data_dir, sandbox, settings: shared }
  const registrar = await startService({ sandbox, database_url, settings: shared, worker: false })
  const query: Query = async (text, params = []) => (await owner.query(text, params)).rows
  return {
    sandbox,
    registrar,
    query,
    place,
    async node(wanted) {
      if (over) throw new Error('The setup is over')
      const node = startNode(place, wanted)
      nodes.push(node)
      return node
    },
    ...turns(query),
    audit: () =>
      audit({
        ...{ query, registryState: registryStateOf(sandbox) },
        ...(options.receipts && { receipts: options.receipts() }),
      }),
  }
}

/** The registries' effects and state, for the auditor. */
function registryStateOf(sandbox: Sandbox): RegistryState {
  const { openprovider } = sandbox
  // The reseller's account is ours, and its requests contain no ids of ours.
  const of = { registry: 'openprovider', registrar: 'registrar-a', cl_trid: null }
  const resold = openprovider.effects().map((one) => ({ ...one, ...of }))
  return {
    effects: [...sandbox.effects(), ...resold],
    lookup(domain) {
      const there = sandbox.lookup(domain)
      if (there) return there
      const entry = openprovider.lookup(domain)
      if (!entry || !('status' in entry) || entry.expires_at === null) return null
      const sponsor = entry.status === 'FAI' ? 'no registrar' : 'registrar-a'
      return { sponsor, expires_at: new Date(entry.expires_at).toISOString() }
    },
    now: sandbox.now(),
  }
}

function turns(query: Query): Pick<DisasterSetup, 'hurry' | 'holdBack' | 'openOrders'> {
  return {
    async hurry(domain) {
      await query(
        `update orders set run_at = clock_timestamp(), lease_until = clock_timestamp()
          where closed_at is null and ($1::text is null or domain = $1)`,
        [domain ?? null],
      )
      if (domain !== undefined) return
      await query(
        `update schedules set lease_until = null, next_at = clock_timestamp()
          where name in ('settle_orders', 'poll_registries')`,
      )
    },
    async holdBack(domain) {
      await query(`update orders set run_at = 'infinity' where closed_at is null and domain = $1`, [
        domain,
      ])
    },
    async openOrders() {
      const rows = await query(
        `select domain, type, state from orders where closed_at is null and state <> 'parked'`,
      )
      return rows.map(({ domain, type, state }) => ({
        domain: String(domain),
        type: String(type),
        state: String(state),
      }))
    },
  }
}

/** Polls until the condition holds; throws after the time limit. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { within_ms, what }: { within_ms: number; what: string },
): Promise<void> {
  const end = Date.now() + within_ms
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${within_ms} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

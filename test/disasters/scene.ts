// The scene of a disaster: one database, the pretend registries, customers with money, and buyers
// who lose their node.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type FaultName, type Sandbox, startSandbox } from '../../sandbox/registry/index.ts'
import { typeParsers } from '../../src/db/column-types.ts'
import { newDatabase } from '../support/database.ts'
import { type Answer, startService, type TestService } from '../support/service.ts'
import { audit } from './auditor.ts'
import { inParallel, type RunningNode, startNode } from './nodes.ts'

export type Case = { point: string; fault: FaultName | 'none'; domain: string }
export type Seen = Case & { key: string; customer: string; answer: Answer | null }
export type Scene = {
  sandbox: Sandbox
  house: TestService
  query: (text: string, params?: unknown[]) => Promise<Record<string, unknown>[]>
  buy: (one: Case, without?: string) => Promise<Seen>
  /** Starts a worker that dies at a point, and waits until it did or nothing is left to do. */
  recover: (options: { crash_at?: string; without?: string; within_ms: number }) => Promise<void>
  openOrders: () => Promise<number>
  violations: () => Promise<string[]>
}

export async function setScene(): Promise<Scene> {
  // Many nodes log in with one account; the limit of sessions is a fault of its own here.
  const sandbox = await startSandbox({
    data_dir: null,
    settings: { sessions_per_registrar: 60 },
  })
  const database_url = await newDatabase('template_of_tests')
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-disaster-'))
  const owner = new pg.Pool({ connectionString: database_url, types: typeParsers, max: 2 })
  after(async () => {
    await owner.end()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const settings = { REGISTRIES_FILE: join(import.meta.dirname, 'registries.yaml') }
  const house = await startService({ sandbox, database_url, settings, worker: false })
  const query: Scene['query'] = async (text, params = []) => (await owner.query(text, params)).rows
  const node = (options: { crash_at?: string; without?: string; worker?: boolean }) =>
    startNode({ database_url, data_dir: folder, sandbox, ...options })
  const openOrders = async () => {
    const [row] = await query(
      `select count(*)::int as open from orders where closed_at is null and state <> 'parked'`,
    )
    return Number(row?.open)
  }
  return {
    sandbox,
    house,
    query,
    openOrders,
    buy: (one, without) => buy(house, { node, sandbox, without }, one),
    async recover({ within_ms, ...options }) {
      const worker = await node({ ...options, worker: true })
      if (!worker) return
      const until = Date.now() + within_ms
      const dead = worker.exited.then(() => true)
      while (Date.now() < until && (await openOrders()) > 0)
        if (await Promise.race([dead, pause(200)])) break
      await worker.kill()
    },
    violations: () =>
      audit(query, { effects: sandbox.effects(), lookup: (domain) => sandbox.lookup(domain) }),
  }
}

const pause = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms))

type Stage = {
  node: (options: { crash_at?: string; without?: string }) => Promise<RunningNode | undefined>
  sandbox: Sandbox
  without: string | undefined
}

/** One customer buys one domain at a node of its own, which dies at the case's point. */
async function buy(house: TestService, stage: Stage, one: Case): Promise<Seen> {
  const { sandbox, node, without } = stage
  const customer = await house.customer({ funds_cents: 10_000 })
  if (one.fault !== 'none')
    sandbox.setFault({
      name: one.fault,
      command: 'domain:create',
      domain: one.domain,
      delay_ms: 2_500,
    })
  const seen = { ...one, key: customer.key, customer: customer.id }
  // A node that is not to die, and lacks no protection, may be the one that is there.
  if (one.point === 'none' && !without)
    return { ...seen, answer: await order(house.url, seen).catch(() => null) }
  const running = await node({
    ...(one.point === 'none' ? {} : { crash_at: one.point }),
    ...(without ? { without } : {}),
  })
  if (!running) throw new Error(`No node for ${one.domain}`)
  const answer = await order(running.url, seen).catch(() => null)
  await running.kill()
  return { ...seen, answer }
}

/**
 * The request of a buyer, and of the same buyer again: the same body and the same Idempotency-Key.
 */
export async function order(url: string, { domain, key }: { domain: string; key: string }) {
  const response = await fetch(`${url}/v1/domains`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `buy-${domain}`,
    },
    body: JSON.stringify({ domain }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

export async function buyAll(scene: Scene, cases: Case[], without?: string): Promise<Seen[]> {
  const seen: Seen[] = []
  await inParallel(cases, 4, async (one) => {
    seen.push(await scene.buy(one, without))
  })
  return seen
}

// The matrix: all cases of a seed on one setup, recovery by two concurrent workers, jumps of the
// clock, and the auditor at the end.
import type { Audit } from '../auditor/auditor-input.ts'
import { type DisasterSetup, until } from '../support/disaster-setup.ts'
import { decide } from '../support/other-registrar-decides.ts'
import { mapParallel } from '../support/parallel.ts'
import { type Actors, openActors, prepare } from '../support/prepare.ts'
import { post, requestOf } from '../support/requests.ts'
import type { Case } from './cases.ts'
import { inTurn, resume, type Struck, strike } from './run-case.ts'

export type Report = Audit & {
  runs: number
  /** Nodes that died at their crash point. */
  kills: number
  /** Cases whose node did not reach its crash point. */
  missed: string[]
  parked: number
  /** Answers to buyers that are false or outdated. */
  wrong: string[]
  steps: string[]
}
type MatrixOptions = {
  /** Concurrent cases. */
  width: number
  progress?: (done: number, of: number) => void
}

export async function runCases(
  setup: DisasterSetup,
  cases: readonly Case[],
  { width, progress }: MatrixOptions,
): Promise<Report> {
  const actors = openActors(setup.sandbox)
  const steps: string[] = []
  let began = Date.now()
  const step = (words: string) => {
    steps.push(`${words} ${((Date.now() - began) / 1000).toFixed(1)} s`)
    began = Date.now()
  }
  try {
    const buyers = await prepare({ setup, actors, cases }, 'P1Y6D')
    step('prepared in')
    const stage = { setup, actors, alone: inTurn() }
    let finished = 0
    const struck = await mapParallel(cases, width, async (one) => {
      const buyer = buyers.get(one.number)
      if (!buyer) throw new Error(`No customer buys ${one.domain}`)
      const result = await strike(stage, one, buyer)
      finished += 1
      progress?.(finished, cases.length)
      return result
    })
    step('struck in')
    await takeOver(setup, actors, cases)
    step('taken over in')
    const wrong = await askAll(setup, struck)
    step('asked again in')
    const found = await setup.audit()
    const [row] = await setup.query(`select count(*)::int as n from orders where state = 'parked'`)
    return {
      ...found,
      runs: cases.length,
      kills: struck.reduce((sum, { kills }) => sum + kills, 0),
      missed: struck.flatMap(({ one, missed }) =>
        missed.map((point) => `${one.command} ${point} x ${one.fault} (${one.domain})`),
      ),
      parked: Number(row?.n),
      wrong,
      steps,
    }
  } finally {
    await actors.close()
  }
}

const look_again_ms = 20_000

/**
 * Two concurrent workers finish the open orders; the other registrar decides, or does not answer
 * for five days, which pass meanwhile.
 */
async function takeOver(
  setup: DisasterSetup,
  actors: Actors,
  cases: readonly Case[],
): Promise<void> {
  await setup.hurry()
  const workers = [await setup.node({ worker: true }), await setup.node({ worker: true })]
  const isPending = ({ type, state }: { type: string; state: string }) =>
    type === 'transfer' && state === 'accepted'
  const settled = async () => (await setup.openOrders()).every(isPending)
  await until(settled, { within_ms: 90_000, what: 'all orders but pending transfers are closed' })
  const pending = new Set((await setup.openOrders()).map(({ domain }) => domain))
  for (const one of cases)
    if (pending.has(one.domain) && one.decision !== 'wait') await decide(setup, actors, one)
  await setup.registrar.advance('P5DT1H')
  let looked_ms = Number.NEGATIVE_INFINITY
  const closed = async () => {
    // The older an order is, the longer it waits between two looks.
    if (performance.now() - looked_ms > look_again_ms) {
      looked_ms = performance.now()
      await setup.query(`update orders set run_at = clock_timestamp() where closed_at is null`)
    }
    return (await setup.openOrders()).length === 0
  }
  // Releases wait for attempts without an answer (decision 34): ten time-outs of the registry.
  await until(closed, { within_ms: 180_000, what: 'all orders are closed' }).catch(
    async (error) => {
      const open = await setup.query(
        `select domain, type, state, attempts, run_at, clock_timestamp() as now, error_code
           from orders where closed_at is null and state <> 'parked' limit 20`,
      )
      throw new Error(`${error.message}\n${JSON.stringify(open, null, 1)}`)
    },
  )
  await Promise.all(workers.map((worker) => worker.kill()))
}

/** Compares every buyer's reading and replayed answer with the registry. */
async function askAll(setup: DisasterSetup, struck: readonly Struck[]): Promise<string[]> {
  setup.sandbox.clearFaults()
  const suspended = struck.filter(({ one }) => one.suspended)
  await mapParallel(suspended, 6, ({ buyer }) => resume(setup, buyer))
  const wrong = await mapParallel(struck, 6, async (one) => [
    ...(await readBack(setup, one)),
    ...(await askAgain(setup, one)),
  ])
  return wrong.flat()
}

const well: Record<Case['command'], string[]> = {
  register: ['active'],
  renew: ['active', 'expired'],
  transfer: ['active'],
  restore: ['active', 'expired', 'redemption'],
}

async function readBack(
  { registrar, sandbox }: DisasterSetup,
  { one, buyer }: Struck,
): Promise<string[]> {
  const { domain, command } = one
  const read = await registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })
  const there = sandbox.lookup(domain)
  const ours = there?.sponsor === 'registrar-a'
  const facts = `${domain} reads ${read.text}, the registry shows ${JSON.stringify(there)}`
  if (read.status !== 200) return [facts]
  const { status, registry_expiry, rgp_statuses } = read.body
  if (!ours) return status === 'failed' ? [] : [facts]
  const same =
    Date.parse(registry_expiry) === Date.parse(there.expires_at) &&
    `${rgp_statuses}` === `${there.rgp_statuses}` &&
    well[command].includes(status)
  return same ? [] : [facts]
}

async function askAgain(setup: DisasterSetup, { one, buyer, answer }: Struck): Promise<string[]> {
  const { registrar, query } = setup
  const now = await post(registrar.url, requestOf(one, buyer))
  const [order] = await query(
    `select state, error_code from orders where domain = $1 and type = $2`,
    [one.domain, one.command],
  )
  const words = `${one.domain} (${order?.state}): first ${answer?.text}, now ${now.text}`
  const good = order?.state === 'succeeded' ? [200] : [409]
  // The first answer is replayed: it may have been "pending" or a refusal.
  const kept = answer !== null && answer.status === now.status
  const replayed = now.headers.get('idempotent-replayed') === 'true'
  const wrong: string[] = []
  if (!good.includes(now.status) && !(kept && replayed)) wrong.push(`Asked again, ${words}`)
  if (answer && answer.status >= 400 && answer.status < 500 && order?.state === 'succeeded')
    wrong.push(`A definite no, and yet it was done: ${words}`)
  if (answer?.body.operation?.state === 'succeeded' && order?.state !== 'succeeded')
    wrong.push(`A definite yes, and yet it was not done: ${words}`)
  return wrong
}

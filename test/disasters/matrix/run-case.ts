// One case: the purchase, the death of its node, and the deaths of the nodes that take it over.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, TestCustomer } from '../../support/service.ts'
import type { DisasterSetup } from '../support/disaster-setup.ts'
import { decide } from '../support/other-registrar-decides.ts'
import type { Actors } from '../support/prepare.ts'
import { commandOf, must, post, type Request, requestOf } from '../support/requests.ts'
import { type Case, isFalseDate, isReachedAtOnce, type RecoveryPoint } from './cases.ts'

/** Longer than the time limit of these tests' registries (registries.yaml). */
const late_ms = 2_500

export type Struck = {
  one: Case
  buyer: TestCustomer
  /** The status, or null if the node died before it answered. */
  answer: Answer | null
  /** Kills that hit at their point. */
  kills: number
  /** Crash points that were not reached. */
  missed: string[]
}
type Stage = {
  setup: DisasterSetup
  actors: Actors
  /** Serialized, so that only this case's order is due. */
  alone: <T>(run: () => Promise<T>) => Promise<T>
}

/** A transfer is read when it is approved: that reading has its dates. */
function arm({ sandbox }: DisasterSetup, { fault: name, times, domain, command }: Case): void {
  if (name === 'none') return
  const read = isFalseDate(name) && command === 'transfer'
  const at = read ? 'domain:info' : commandOf[command]
  sandbox.setFault({ name, command: at, domain, delay_ms: late_ms, times })
}

/** Runs functions one after the other. */
export function inTurn(): Stage['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const mine = last.then(run)
    last = mine.catch(() => undefined)
    return mine
  }
}

export async function strike(stage: Stage, one: Case, buyer: TestCustomer): Promise<Struck> {
  const { setup } = stage
  const { point, domain } = one
  const struck: Struck = { one, buyer, answer: null, kills: 0, missed: [] }
  arm(setup, one)
  const request = requestOf(one, buyer)
  const atOnce = point !== 'none' && isReachedAtOnce(one)
  if (atOnce) {
    const node = await setup.node({ crash_at: point })
    struck.answer = await post(node.url, request).catch(() => null)
    if (struck.answer === null) await node.dies()
    const { status, text } = struck.answer ?? { status: 'no answer', text: '' }
    count(struck, `${point} (${status} ${text})`, await node.kill())
  }
  if (one.suspended && atOnce) await suspend(setup, buyer)
  // Before the hold no order exists: the buyer sends the request again, and meets the fault then.
  if (one.suspended && point === 'before_hold') await refused(setup, one, buyer)
  if (one.suspended && !atOnce) struck.answer = await suspendedMeanwhile(setup, one, buyer)
  else if (!atOnce || point === 'before_hold') struck.answer = await ask(setup, one, request)
  await setup.holdBack(domain)
  if (isArmed(setup, domain, 'session_limit')) await meetLimit(stage, domain)
  const deaths: RecoveryPoint[] = [...one.deaths]
  if (isRecovery(point) && !atOnce) deaths.unshift(point)
  for (const death of deaths) await strikeAgain(stage, struck, death)
  const { length } = struck.missed
  for (const death of one.more_deaths) await strikeAgain(stage, struck, death)
  struck.missed.splice(length)
  return struck
}

/** Its order continues, because the money is held (decision 63). */
async function suspend({ registrar }: DisasterSetup, { id }: TestCustomer): Promise<void> {
  const path = `/v1/internal/customers/${id}/suspend`
  const options = { token: registrar.operatorKey, body: { reason: 'A disaster.' } }
  must(await registrar.request('POST', path, options), 200)
}

export async function resume({ registrar }: DisasterSetup, { id }: TestCustomer): Promise<void> {
  const path = `/v1/internal/customers/${id}/resume`
  must(await registrar.request('POST', path, { token: registrar.operatorKey, body: {} }), 200)
}

/** Nothing is held for a suspended account, which is then resumed. */
async function refused(setup: DisasterSetup, one: Case, buyer: TestCustomer): Promise<void> {
  const answer = must(await post(setup.registrar.url, requestOf(one, buyer)), 403)
  const made = await setup.query(
    'select id from orders where domain = $1 and type = $2 and customer_id = $3',
    [one.domain, one.command, buyer.id],
  )
  if (answer.body.code !== 'account_suspended' || made.length > 0)
    throw new Error(`${one.domain} of a suspended account: ${answer.text}, ${made.length} orders`)
  await resume(setup, buyer)
}

/** The registry has the command, and holds its answer. */
async function suspendedMeanwhile(setup: DisasterSetup, one: Case, buyer: TestCustomer) {
  const answer = ask(setup, one, requestOf(one, buyer))
  const ended = answer.then(() => true)
  while (isArmed(setup, one.domain, one.fault) && !(await Promise.race([ended, sleep(10, false)])));
  await suspend(setup, buyer)
  return answer
}

/**
 * This runs at the registrar, which stays alive, or at a separate node if the registry refuses
 * sessions (2502), because a client that gets that opens none for half a minute.
 */
async function ask(
  setup: DisasterSetup,
  { fault }: Case,
  request: Request,
): Promise<Answer | null> {
  if (fault !== 'session_limit') return post(setup.registrar.url, request).catch(() => null)
  const node = await setup.node()
  const answer = await post(node.url, request).catch(() => null)
  await node.kill()
  return answer
}

function isArmed({ sandbox }: DisasterSetup, domain: string, name: string): boolean {
  return sandbox.faults().some((fault) => fault.domain === domain && fault.name === name)
}

/**
 * The node died before it sent the command, so another node meets the limit, to keep it from all
 * later cases.
 */
async function meetLimit({ setup, alone }: Stage, domain: string): Promise<void> {
  const node = await setup.node()
  await alone(async () => {
    await setup.hurry(domain)
    await node.settle()
    await setup.holdBack(domain)
  })
  await node.kill()
}

function isRecovery(point: Case['point']): point is Extract<Case['point'], RecoveryPoint> {
  return point !== 'none' && point !== 'before_hold' && point !== 'after_hold'
}

function count(struck: Struck, point: string, died: boolean): void {
  if (died) struck.kills += 1
  else struck.missed.push(point)
}

/**
 * A node takes over the order, and dies at the point. A transfer ends only after the other
 * registrar's decision.
 */
async function strikeAgain(stage: Stage, struck: Struck, point: RecoveryPoint): Promise<void> {
  const { setup, actors, alone } = stage
  const { domain } = struck.one
  const open = await setup.openOrders()
  if (!open.some((order) => order.domain === domain)) return
  const node = await setup.node({ crash_at: point })
  for (let round = 0; round < 5; round += 1) {
    const alive = await alone(async () => {
      await setup.hurry(domain)
      const settled = await node.settle()
      await setup.holdBack(domain)
      return settled
    })
    if (!alive) break
    if (struck.one.command === 'transfer') await decide(setup, actors, struck.one)
    await passDeferral(setup, struck.one)
  }
  count(struck, `${point} again`, await node.kill())
}

/**
 * A deferred release waits until no earlier attempt can be applied any more. All late effects of
 * these tests have been applied by then.
 */
async function passDeferral(setup: DisasterSetup, { domain, fault }: Case): Promise<void> {
  const deferred = `domain = $1 and closed_at is null and error_code = 'release_deferred'`
  const [order] = await setup.query(`select id from orders where ${deferred}`, [domain])
  if (!order) return
  if (fault === 'apply_later') await new Promise((resolve) => setTimeout(resolve, late_ms))
  await setup.query(
    `update orders set unanswered_at = unanswered_at - interval '1 hour' where ${deferred}`,
    [domain],
  )
}

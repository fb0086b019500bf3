// Payments, reorganizations, hints and kills in random order, on a chain whose two nodes answer
// unlike each other: no cent differs from the chain's own balances. bin/payments-storm runs it with
// larger numbers.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { skipAnvil } from '../support/chain/anvil.ts'
import type { Fault } from '../support/chain/rpc-proxy.ts'
import { noLogs, noReceipts, numberedByTransaction } from '../support/chain/unlike-nodes.ts'
import { type Opened, startChainSetup } from './support/chain-setup.ts'
import { until } from './support/disaster-setup.ts'
import { chanceOf } from './support/seeded-random.ts'

const numberOf = (name: string, preset: number) => Number(process.env[name] ?? preset)
const runs = numberOf('STORM_RUNS', 6)
const seed = numberOf('STORM_SEED', 1)
const moves = 20 * runs
const timeout = 120_000 + runs * 20_000
const steps = ['payments_observed', 'before_checkout_commit', 'checkout_settled'] as const

/** The second node always numbers logs by the transaction. */
const faultsOf = (at: 0 | 1): Fault[] => {
  const own: Fault = at === 0 ? { kind: 'none' } : { kind: 'unlike', answer: numberedByTransaction }
  return [
    own,
    own,
    own,
    { kind: 'unlike', answer: noLogs },
    { kind: 'unlike', answer: noReceipts },
    { kind: 'error' },
  ]
}

it(`${moves} moves at two nodes: no cent differs`, { skip: skipAnvil, timeout }, async () => {
  const setup = await startChainSetup()
  const { chain, registrar } = setup
  const chance = chanceOf(seed)
  const all: Opened[] = []
  for (let at = 0; at < Math.min(40, 2 * runs); at += 1) all.push(await setup.open())
  const worker = await setup.node({ worker: true })
  const transactions: { opened: Opened; transaction: string }[] = []
  const pay = async () => {
    const opened = chance.pick(all)
    const transaction = await setup.pay(opened, BigInt(100 + chance.below(5_000)))
    transactions.push({ opened, transaction })
  }
  const hint = async () => {
    const url = chance.pick([registrar.url, worker.url])
    const [reported] = transactions.length > 0 ? [chance.pick(transactions)] : []
    const { status } =
      reported && chance.next() < 0.3
        ? await setup.report(url, reported.opened, reported.transaction)
        : await setup.check(url, chance.pick(all))
    // Both nodes of the chain may be down.
    assert.ok([200, 503].includes(status), String(status))
  }
  await pay()
  for (let move = 0; move < moves; move += 1) {
    const at = chance.next()
    if (at < 0.3) await pay()
    else if (at < 0.45) await chain.mine(1 + chance.below(3))
    else if (at < 0.52) await chain.reorganise(1 + chance.below(4))
    else if (at < 0.75) {
      const one = chance.pick([0, 1] as const)
      setup.set(chance.pick(faultsOf(one)), one)
    } else await hint()
    if (move % 20 === 19) {
      const node = await setup.node({ crash_at: chance.pick(steps) })
      await setup.check(node.url, chance.pick(all))
      await node.kill()
    }
  }
  for (const at of [0, 1] as const) setup.set(faultsOf(at)[0] ?? { kind: 'none' }, at)
  await chain.mine(3)
  let failure: unknown
  const isExact = async () => {
    await Promise.all(all.map((opened) => setup.check(registrar.url, opened)))
    failure = await setup.assertExact().catch((error: unknown) => error)
    return failure === undefined
  }
  await until(isExact, { within_ms: 60_000, what: 'the credits are the balances' }).catch(() => {
    throw failure
  })
  await worker.kill()
})

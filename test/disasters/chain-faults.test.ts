// Payments on a chain whose nodes answer unlike each other, with a node of ours that dies at each
// step of the credit or the reversal: each payment is credited once, and taken back only where the
// chain has dropped it.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sampleOf } from '../shards/sampling.ts'
import { skipAnvil } from '../support/chain/anvil.ts'
import {
  forkedAt,
  noLogs,
  noReceipts,
  numberedByTransaction,
} from '../support/chain/unlike-nodes.ts'
import { type Opened, startChainSetup } from './support/chain-setup.ts'
import { until } from './support/disaster-setup.ts'

type Setup = Awaited<ReturnType<typeof startChainSetup>>
type Paid = { opened: Opened; transaction: string; block: bigint }
type Case = {
  /** These steps are before the payment. */
  arm?: (setup: Setup) => void
  is_reported?: boolean
  /** These steps are after its credit. */
  afterwards?: (setup: Setup, paid: Paid) => unknown
}

const unlike = (answer: typeof noLogs) => ({ kind: 'unlike', answer }) as const
const cases: Record<string, Case> = {
  'nodes that number logs differently': {
    arm(setup) {
      setup.set(unlike(numberedByTransaction), 1)
      setup.set({ kind: 'error' }, 0)
    },
    afterwards(setup) {
      setup.set({ kind: 'none' }, 0)
      setup.set({ kind: 'error' }, 1)
    },
  },
  'logs that both nodes leave out, and a report': {
    arm: (setup) => setup.set(unlike(noLogs)),
    is_reported: true,
  },
  'logs that one node leaves out': { arm: (setup) => setup.set(unlike(noLogs), 0) },
  'receipts that are null after the credit': {
    afterwards: (setup) => setup.set(unlike(noReceipts)),
  },
  'a fork that one node shows': {
    afterwards: (setup, { block }) => setup.set(unlike(forkedAt(block)), 0),
  },
  'a fork that both nodes show once': {
    async afterwards(setup, { block, opened }) {
      setup.set(unlike(forkedAt(block)))
      await setup.check(setup.registrar.url, opened)
      setup.set({ kind: 'none' })
    },
  },
}
const steps = ['payments_observed', 'before_checkout_commit', 'checkout_settled']
const rows = Object.keys(cases).flatMap((name) => steps.map((step) => ({ name, step })))

const setup = skipAnvil ? undefined : await startChainSetup()

async function credits(opened: Opened, amount: string): Promise<void> {
  assert.ok(setup)
  const isSo = async () => {
    await setup.check(setup.registrar.url, opened)
    return (await setup.credited(opened)) === amount
  }
  await until(isSo, { within_ms: 30_000, what: `${amount} is credited` })
}

describe('a payment on a chain', { skip: skipAnvil }, () => {
  after(() => setup?.assertExact())

  for (const { name, step } of sampleOf(rows, 3))
    it(`is credited once: ${name}, and a kill at ${step}`, async () => {
      assert.ok(setup)
      const { arm, afterwards, is_reported } = cases[name] ?? {}
      const { chain, registrar } = setup
      setup.set({ kind: 'none' })
      const opened = await setup.open()
      const node = await setup.node({ crash_at: step })
      arm?.(setup)
      const transaction = await setup.pay(opened, 2_500n)
      const block = await chain.client.getBlockNumber({ cacheTime: 0 })
      await chain.mine(1)
      const sent = is_reported
        ? setup.report(node.url, opened, transaction)
        : setup.check(node.url, opened)
      assert.equal((await sent).status, 0)
      assert.ok(await node.dies())
      if (is_reported) await setup.report(registrar.url, opened, transaction)
      await credits(opened, '25.00')
      await afterwards?.(setup, { opened, transaction, block })
      for (let reading = 0; reading < 4; reading += 1) {
        await setup.check(registrar.url, opened)
        assert.equal(await setup.credited(opened), '25.00')
      }
      setup.set({ kind: 'none' })
      await credits(opened, '25.00')
    })

  for (const step of sampleOf(steps, 3))
    it(`that a reorganisation dropped is taken back once, with a kill at ${step}`, async () => {
      assert.ok(setup)
      const { chain, registrar } = setup
      setup.set({ kind: 'none' })
      const opened = await setup.open()
      await setup.pay(opened, 2_500n)
      await chain.mine(1)
      await credits(opened, '25.00')
      await chain.reorganise(2)
      const node = await setup.node({ crash_at: step })
      for (let reading = 0; reading < 10; reading += 1)
        if ((await setup.check(node.url, opened)).status === 0) break
      assert.ok(await node.dies())
      await credits(opened, '0.00')
      await setup.pay(opened, 2_500n)
      await chain.mine(1)
      await credits(opened, '25.00')
      assert.equal((await setup.check(registrar.url, opened)).status, 200)
    })
})

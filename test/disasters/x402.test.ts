// A node that is killed at each step of a payment by x402: another one settles it, and the balance
// is credited once, whatever was sent already.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { skipAnvil } from '../support/chain/anvil.ts'
import { paymentFor } from '../support/chain/x402-client.ts'
import { startX402Place, x402Path } from '../support/chain/x402-service.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { until } from './support/disaster-setup.ts'
import { type RunningNode, startNode } from './support/nodes.ts'

/**
 * After each row another node takes over, except after the first step of the first row, which
 * leaves nothing to take over: a node that took over would settle the next payment as well, which
 * would then miss its step.
 */
const rounds = [['x402_settled', 'x402_stored'], ['x402_submitted'], ['x402_sent']] as const
const steps = rounds.flat()
const amount_cents = 2_500

async function startPlace() {
  const data_dir = mkdtempSync(join(tmpdir(), 'agent-registrar-x402-kill-'))
  after(() => rmSync(data_dir, { recursive: true, force: true }))
  const chain = await startX402Place()
  const registrar = await startService({ settings: chain.settings })
  const { database_url, encryption_key, operator_key } = registrar.service.settings
  const settings = {
    ...chain.settings,
    ENCRYPTION_KEY: encryption_key ?? '',
    OPERATOR_KEY: operator_key ?? '',
  }
  const place = { database_url: database_url ?? '', data_dir, sandbox: registrar.sandbox, settings }
  return { chain, registrar, place }
}

type Started = Awaited<ReturnType<typeof startPlace>>

type Killed = { node: RunningNode; step: string }

/** The customer of a payment whose node was killed at this step. */
async function killedAt({ chain, registrar }: Started, { node, step }: Killed) {
  const owner = await registrar.customer({
    funds_cents: 0,
    scopes: ['billing:read', 'billing:write'],
  })
  const path = x402Path(owner.id)
  const body = { amount_cents }
  const asked = await registrar.request('POST', path, { token: owner.key, body })
  const payment = await paymentFor(asked.headers.get('payment-required') ?? '', chain.payer)
  const headers = {
    authorization: `Bearer ${owner.key}`,
    'content-type': 'application/json',
    'payment-signature': payment,
  }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = fetch(`${node.url}${path}`, sent).then(
    ({ status }) => status,
    () => 'no answer',
  )
  assert.equal(await node.dies(), true, `${step} is reached`)
  assert.equal(await answer, 'no answer')
  return { owner, payment, step }
}

describe('a payment by x402', { skip: skipAnvil }, () => {
  it('is credited once after a kill at each of its steps', async () => {
    const started = await startPlace()
    const { chain, registrar } = started
    const nodes = await Promise.all(
      steps.map(async (step) => ({
        node: await startNode(started.place, { crash_at: step }),
        step,
      })),
    )
    after(() => Promise.all(nodes.map(({ node }) => node.kill())))
    const sending = 'select id from x402_authorizations where transaction_id is null'
    const isSent = async () => (await rowsIn(registrar)(sending)).length === 0
    const killed: Awaited<ReturnType<typeof killedAt>>[] = []
    for (const round of rounds) {
      for (const step of round) {
        const node = nodes.find((one) => one.step === step)
        assert.ok(node)
        killed.push(await killedAt(started, node))
      }
      await until(isSent, { within_ms: 20_000, what: `another node takes over ${round}` })
    }
    const balances = () =>
      Promise.all(
        killed.map(async ({ owner }) => {
          const path = `/v1/customers/${owner.id}/billing/balance`
          return (await registrar.request('GET', path, { token: owner.key })).body.available
        }),
      )
    const isPaid = async () => {
      await chain.chain.mine(1)
      return (await balances()).every((available) => available !== '0.00')
    }
    await until(isPaid, { within_ms: 40_000, what: 'all are credited' })
    for (const { owner, payment, step } of killed) {
      const headers = { 'payment-signature': payment }
      const sent = { token: owner.key, body: { amount_cents }, headers }
      const again = await registrar.request('POST', x402Path(owner.id), sent)
      assert.deepEqual([again.status, again.body.top_up?.status], [200, 'paid'], step)
    }
    assert.deepEqual(
      await balances(),
      steps.map(() => '25.00'),
    )
    assert.equal(await chain.spent(), BigInt(steps.length) * 25_000_000n)
    const { client, wallet } = chain
    assert.equal(await client.getTransactionCount({ address: wallet }), steps.length)
    const open = "select id from x402_authorizations where state in ('stored', 'submitted')"
    const isOver = async () => (await rowsIn(registrar)(open)).length === 0
    await until(isOver, { within_ms: 20_000, what: 'all are settled' })
  })
})

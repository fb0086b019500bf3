// A node that dies between an approval and the end of its purchase: another one takes the task, or
// the order, and the purchase is made exactly once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf } from '../shards/sampling.ts'
import { recentSessionOf } from '../support/sign-in.ts'
import { points } from './matrix/cases.ts'
import { startSetup, until } from './support/disaster-setup.ts'

const setup = await startSetup()
const { registrar, query } = setup
const steps = sampleOf(
  points.filter((point) => point !== 'none'),
  5,
)

const owner = await registrar.customer({ funds_cents: 100_000 })
const session = await recentSessionOf(registrar, owner)
const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
  token: registrar.operatorKey,
  body: {
    scopes: ['account:read', 'domains:purchase', 'domains:read'],
    approval_above: { amount: '5.00' },
    spend_limit: { amount: '500.00', currency: 'USD', window: 'total' },
  },
})
const token = String(made.body.api_key)

const nameOf = (step: string) => `approved-${step.replaceAll('_', '-')}.test`

/** Requests and approves the purchase, and returns its id. */
async function approved(domain: string): Promise<string> {
  const asked = await registrar.request('POST', '/v1/domains', { token, body: { domain } })
  assert.equal(asked.body.code, 'approval_required', asked.text)
  const { id } = asked.body.approval
  const path = `/v1/approvals/${id}/approve`
  const { status, text } = await registrar.request('POST', path, { token: session, body: {} })
  assert.equal(status, 200, text)
  return String(id)
}

/** The tasks of dead nodes wait for the last one. */
const holdBack = () => query(`update tasks set run_at = 'infinity' where kind = 'run_approval'`)
const release = () =>
  query(`update tasks set run_at = clock_timestamp(), lease_until = lease_until - interval '1 hour'
          where kind = 'run_approval'`)

test(`an approved purchase is made once, after a death at ${steps.join(', ')}`, async () => {
  const ids: string[] = []
  for (const step of steps) {
    const node = await setup.node({ worker: true, crash_at: step })
    ids.push(await approved(nameOf(step)))
    assert.ok(await node.dies(), `it dies at ${step}`)
    await holdBack()
    await setup.holdBack(nameOf(step))
  }
  await release()
  await setup.hurry()
  const node = await setup.node({ worker: true })
  const read = () =>
    Promise.all(ids.map((id) => registrar.request('GET', `/v1/approvals/${id}`, { token })))
  const isDone = async () =>
    (await read()).every(({ body }) => body.state === 'executed') &&
    (await setup.openOrders()).length === 0
  await until(isDone, { within_ms: 30_000, what: 'every approval is executed' })
  await node.kill()
  const orders = await query('select domain, state from orders order by domain')
  assert.deepEqual(
    orders,
    steps
      .map((step) => ({ domain: nameOf(step), state: 'succeeded' }))
      .sort((a, b) => (a.domain < b.domain ? -1 : 1)),
  )
  const found = await setup.audit()
  assert.deepEqual(found.violations, [])
  assert.deepEqual([found.lost_cents, found.double_effects], [0, 0])
})

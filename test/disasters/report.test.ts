// A restore is a request, which is billed, and a report, without which the registry reverts it: the
// report is lost in each way.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { plainCase } from './matrix/cases.ts'
import { startSetup } from './support/disaster-setup.ts'
import { openActors, prepare } from './support/prepare.ts'
import { post, requestOf } from './support/requests.ts'
import { assertBought, finish } from './support/run-to-completion.ts'

const setup = await startSetup()
const actors = openActors(setup.sandbox)
after(() => actors.close())

const losses = ['drop_before', 'drop_after', 'apply_later', 'garbage', 'fail_2400'] as const

test('a restore whose report is lost is reported again, and paid once', async () => {
  const cases = losses.map((fault, number) =>
    plainCase({ number, command: 'restore', domain: `back-${number}.com`, fault }),
  )
  const buyers = await prepare({ setup, actors, cases })
  const command = 'domain:update'
  for (const one of cases) {
    const buyer = buyers.get(one.number)
    assert.ok(buyer && one.fault !== 'none')
    const { domain, fault: name } = one
    setup.sandbox.setFault({ name: 'drop_after', command, domain })
    const { status, text } = await post(setup.registrar.url, requestOf(one, buyer))
    assert.equal(status, 200, text)
    assert.deepEqual(setup.sandbox.lookup(domain)?.rgp_statuses, ['pendingRestore'])
    // The repeated request, which is refused, and then the report.
    setup.sandbox.setFault({ name, command, domain, times: 2, delay_ms: 1_000 })
  }
  const node = await setup.node()
  await finish(setup, { actors, node, cases })
  await node.kill()
  assert.deepEqual(setup.sandbox.faults(), [])
  await assertBought(setup, cases)
  for (const { domain } of cases)
    assert.ok(!setup.sandbox.lookup(domain)?.epp_statuses.includes('pendingDelete'), domain)
})

test('a registrar that is away for longer than a registry waits for the report pays no second restore', async () => {
  const one = plainCase({ number: 0, command: 'restore', domain: 'away.com', fault: 'drop_after' })
  const { domain } = one
  const buyers = await prepare({ setup, actors, cases: [one] })
  const buyer = buyers.get(0)
  assert.ok(buyer)
  setup.sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain })
  await post(setup.registrar.url, requestOf(one, buyer))
  await setup.registrar.advance('P8D')
  assert.deepEqual(setup.sandbox.lookup(domain)?.rgp_statuses, ['redemptionPeriod'])
  const node = await setup.node()
  await setup.hurry()
  await node.settle()
  // The order is backdated by a quarter of an hour, since reads show no effect.
  await setup.query(
    `update orders set created_at = created_at - interval '16 minutes' where closed_at is null`,
  )
  await setup.hurry()
  await node.settle()
  await node.kill()
  const restores = setup.sandbox
    .effects()
    .filter((effect) => effect.domain === domain && effect.kind === 'restore')
  assert.equal(restores.length, 1)
  const [order] = await setup.query(
    `select state, alarm from orders where domain = $1 and type = 'restore'`,
    [domain],
  )
  assert.equal(order?.state, 'parked')
  assert.ok(order?.alarm)
  assert.deepEqual((await setup.audit()).violations, [])
})

// Races: two workers on the same orders, and twenty customers that order one name.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commands, plainCase } from './matrix/cases.ts'
import { startSetup } from './support/disaster-setup.ts'
import { inParallel, mapParallel } from './support/parallel.ts'
import { openActors, prepare } from './support/prepare.ts'
import { commandOf, post, requestOf } from './support/requests.ts'
import { assertBought, finish } from './support/run-to-completion.ts'

const setup = await startSetup()
const actors = openActors(setup.sandbox)
after(() => actors.close())

test('two workers on the same orders buy each once, even when a lease ends too early', async () => {
  const lost = ['drop_before', 'drop_after', 'apply_later'] as const
  const cases = commands.flatMap((command, i) =>
    lost.map((fault, j) => {
      const number = i * lost.length + j
      return plainCase({ number, command, fault, domain: `two-${number}-${command}.test` })
    }),
  )
  const buyers = await prepare({ setup, actors, cases })
  await inParallel(cases, 4, async (one) => {
    const { command, domain, fault } = one
    const buyer = buyers.get(one.number)
    assert.ok(buyer && fault !== 'none')
    setup.sandbox.setFault({ name: fault, command: commandOf[command], domain, delay_ms: 1_500 })
    await post(setup.registrar.url, requestOf(one, buyer))
  })
  const [a, b] = [await setup.node(), await setup.node()]
  await setup.hurry()
  // The second starts while the first has the leases.
  const first = a.settle()
  await setup.hurry()
  await Promise.all([first, b.settle()])
  await Promise.all([finish(setup, { actors, node: a, cases }), b.settle()])
  await assertBought(setup, cases)
  await Promise.all([a.kill(), b.kill()])
})

// Two hundred concurrent requests may take longer than the time limit of the disasters.
const settings = { REGISTRIES_FILE: join(import.meta.dirname, '../../registries.yaml') }
/** This is for both names. */
const two = Promise.all([setup.node({ settings }), setup.node({ settings })])

for (const domain of ['wanted.com', 'wanted.example'])
  test(`200 registrations of ${domain} by 20 customers at two nodes: one is captured`, async () => {
    const nodes = await two
    const customers = await mapParallel(
      Array.from({ length: 20 }, (_, i) => i),
      4,
      () => setup.registrar.customer({ funds_cents: 5_000 }),
    )
    const requests = Array.from({ length: 200 }, (_, i) => i)
    const answers = await Promise.all(
      requests.map(async (i) => {
        const { key = '', id = '' } = customers[i % customers.length] ?? {}
        const url = nodes[Math.floor(i / customers.length) % nodes.length]?.url ?? ''
        return { id, ...(await post(url, { path: '/v1/domains', body: { domain }, key })) }
      }),
    )
    for (const { status, text } of answers) assert.ok([200, 409].includes(status), text)
    // Another customer's order may have been open for a moment, before the registry refused it.
    const bought = answers.filter(({ body }) => body.operation?.state === 'succeeded')
    const winners = new Set(bought.map(({ id }) => id))
    assert.equal(winners.size, 1, [...winners].join())
    const captured = await setup.query(
      `select customer_id from orders where domain = $1 and state = 'succeeded'`,
      [domain],
    )
    assert.deepEqual(captured, [{ customer_id: [...winners][0] }])
    assert.deepEqual(await setup.openOrders(), [])
    const creates = setup.sandbox.effects().filter((effect) => effect.domain === domain)
    assert.equal(creates.length, 1)
    const [row] = await setup.query(
      `select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`,
    )
    assert.equal(row?.deadlocks, 0)
    assert.deepEqual((await setup.audit()).violations, [])
  })

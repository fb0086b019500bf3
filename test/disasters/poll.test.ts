// A node that dies between storing a registry's message and acknowledging it: the message is
// delivered again, its effect is not repeated.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { plainCase } from './matrix/cases.ts'
import { startSetup, until } from './support/disaster-setup.ts'
import { decide } from './support/other-registrar-decides.ts'
import { openActors, prepare } from './support/prepare.ts'
import { post, requestOf } from './support/requests.ts'
import { assertBought } from './support/run-to-completion.ts'

const setup = await startSetup()
const actors = openActors(setup.sandbox)
after(() => actors.close())

test('a message that was stored and not acknowledged is delivered again, and counts once', async () => {
  const cases = ['com', 'test'].map((tld, number) =>
    plainCase({ number, command: 'transfer', domain: `polled.${tld}` }),
  )
  const buyers = await prepare({ setup, actors, cases })
  for (const one of cases) {
    const buyer = buyers.get(one.number)
    assert.ok(buyer)
    const { status, text } = await post(setup.registrar.url, requestOf(one, buyer))
    assert.equal(status, 200, text)
    await decide(setup, actors, one)
  }
  const messages = async () =>
    setup.query(
      `select domain, acked_at from registry_messages where domain like 'polled.%' order by domain`,
    )
  for (let death = 0; death < 2; death += 1) {
    const node = await setup.node({ worker: true, crash_at: 'message_stored' })
    assert.ok(await node.died, 'it dies at the message')
    assert.ok((await messages()).some(({ acked_at }) => acked_at === null))
    await setup.hurry()
  }
  const node = await setup.node({ worker: true })
  const isDone = async () =>
    (await messages()).length === 2 &&
    (await messages()).every(({ acked_at }) => acked_at !== null) &&
    (await setup.openOrders()).length === 0
  await until(isDone, { within_ms: 20_000, what: 'both messages are taken off' })
  await node.kill()
  assert.deepEqual(
    (await messages()).map(({ domain }) => domain),
    ['polled.com', 'polled.test'],
  )
  await assertBought(setup, cases)
})

// A node that dies between storing a registry's message and taking it off the queue: the message
// comes again, its effect does not.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { plainCase } from './matrix/cases.ts'
import { setScene, until } from './support/disaster-scene.ts'
import { decide } from './support/other-registrar-decides.ts'
import { openActors, prepare } from './support/prepare.ts'
import { post, requestOf } from './support/requests.ts'
import { assertBought } from './support/run-to-completion.ts'

const scene = await setScene()
const actors = openActors(scene.sandbox)
after(() => actors.close())

test('a message that was stored and not taken off comes again, and counts once', async () => {
  const cases = ['com', 'test'].map((tld, number) =>
    plainCase({ number, command: 'transfer', domain: `told.${tld}` }),
  )
  const buyers = await prepare({ scene, actors, cases })
  for (const one of cases) {
    const buyer = buyers.get(one.number)
    assert.ok(buyer)
    const { status, text } = await post(scene.registrar.url, requestOf(one, buyer))
    assert.equal(status, 200, text)
    await decide(scene, actors, one)
  }
  const told = async () =>
    scene.query(
      `select domain, acked_at from registry_messages where domain like 'told.%' order by domain`,
    )
  for (let death = 0; death < 2; death += 1) {
    const node = await scene.node({ worker: true, crash_at: 'message_stored' })
    assert.ok(await node.died, 'it dies at the message')
    assert.ok((await told()).some(({ acked_at }) => acked_at === null))
    await scene.hurry()
  }
  const node = await scene.node({ worker: true })
  const isDone = async () =>
    (await told()).length === 2 &&
    (await told()).every(({ acked_at }) => acked_at !== null) &&
    (await scene.openOrders()).length === 0
  await until(isDone, { within_ms: 20_000, what: 'both messages are taken off' })
  await node.kill()
  assert.deepEqual(
    (await told()).map(({ domain }) => domain),
    ['told.com', 'told.test'],
  )
  await assertBought(scene, cases)
})

// A zone is served before the registry names our name servers: its answer may take seconds, in
// which resolvers already follow the new delegation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must, until } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { held, registrar } from './records.fixture.ts'

const { sandbox, service } = registrar
const theirs = ['ns1.elsewhere.example', 'ns2.elsewhere.example']
const ours = ['ns1.agent-registrar.net', 'ns2.agent-registrar.net']
const codeOf = async (name: string) => (await service.app.dns.askSet(name, 1))?.rcode

async function heldElsewhere() {
  const one = await held({ nameservers: theirs })
  await must(one.patch({ sets: [{ host: 'www', type: 'A', values: ['192.0.2.1'] }] }))
  assert.equal(await codeOf(`www.${one.domain}`), 5)
  return { ...one, delegate: (body: object) => one.call('PATCH', '', { body }) }
}

test('a zone is served while the registry has not answered yet', async () => {
  const { domain, delegate } = await heldElsewhere()
  sandbox.setFault({ name: 'slow', command: 'domain:update', domain, delay_ms: 3_000 })
  let isAnswered = false
  const changed = delegate({ nameservers: ours }).finally(() => {
    isAnswered = true
  })
  await until(async () => (await codeOf(`www.${domain}`)) === 0)
  assert.equal(isAnswered, false)
  sandbox.releaseDelayed()
  await must(changed)
  assert.equal(await codeOf(`www.${domain}`), 0)
})

test('a zone is not served where the registry refuses to name our servers', async () => {
  const { domain, delegate } = await heldElsewhere()
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  assertProblem(await delegate({ nameservers: ours }), '409 change_refused')
  assert.equal(await codeOf(`www.${domain}`), 5)
  await must(delegate({ nameservers: ours }))
  assert.equal(await codeOf(`www.${domain}`), 0)
})

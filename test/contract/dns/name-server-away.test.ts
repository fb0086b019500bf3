// Changes of records while the name servers are away, or answer nonsense: stored once, served
// later, and never reported as served before.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Pushed } from '../../../src/adapters/dns/port.ts'
import { openZones } from '../../../src/capabilities/domains/index.ts'
import { must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { held, registrar } from './records.fixture.ts'

const { app } = registrar.service
const { dns } = app
const { provider, askSet } = dns

let state: Pushed = { kind: 'done' }
const pushed: string[] = []
const put = async ({ name, serial }: { name: string; serial: number }) => {
  if (state.kind === 'done') pushed.push(`${name} ${serial}`)
  return state
}

async function pushTo(other: typeof provider): Promise<void> {
  dns.provider = other
  await openZones(app)
}
afterEach(async () => {
  dns.askSet = askSet
  await pushTo(provider)
})

const given = { add: [{ host: 'a', type: 'TXT', value: 'x' }] }

test('a change is stored, reported as not served until it is, and pushed once', async () => {
  await pushTo({ id: 'away', put, drop: async () => state })
  const one = await held()
  state = { kind: 'failed', reason: 'unreachable', message: 'it is down' }
  const first = await one.patch(given)
  assertProblem(first, '503 dns_unreachable')
  assert.match(first.body.change_id, /^dch_/)
  assert.deepEqual(await one.sets(), ['a TXT 3600 "x"'])
  // The same again changes nothing, and the name servers still do not have it.
  const second = await one.patch(given)
  assertProblem(second, '503 dns_unreachable')
  assert.deepEqual([second.body.change_id, second.body.serial], [null, first.body.serial])
  state = { kind: 'done' }
  const third = await must(one.patch(given))
  assert.deepEqual([third.body.diff, third.body.change_id], [[], null])
  await must(one.patch(given))
  const own = pushed.filter((line) => line === `${one.domain} ${first.body.serial}`)
  assert.equal(own.length, 1)
})

test('an answer that does not come, or is no data of its type, is no failure of the change', async () => {
  const one = await held()
  const set = (address: string) => ({
    sets: [{ host: 'a', type: 'A', values: [address] }],
  })
  dns.askSet = async () => null
  const unanswered = await must(one.patch(set('192.0.2.1')))
  assert.equal(unanswered.body.served, null)
  dns.askSet = async () => ({ rcode: 0, ttl: 60, rdata: [Buffer.of(0xab, 0xcd)] })
  const odd = await must(one.patch(set('192.0.2.2')))
  assert.deepEqual(odd.body.served[0].values, ['\\# 2 abcd'])
  dns.askSet = askSet
  const gone = await must(one.patch({ sets: [{ host: 'a', type: 'A', values: [] }] }))
  assert.deepEqual(gone.body.served, [{ host: 'a', type: 'A', ttl: null, values: [] }])
})

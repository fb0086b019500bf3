// Release of parked orders without giving a domain away: the decisions that need no force, by
// registry state and kind of order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  deleteBehind,
  restoreBehind,
  sellElsewhere,
  soldCode,
} from '../../../../test/support/other-registrar.ts'
import { startService } from '../../../../test/support/service.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { query, sandbox } = registrar
const token = registrar.operatorKey
const owner = await registrar.customer({ funds_cents: 10_000_000 })
const held = async () => (await registrar.balance(owner)).split(' ')[1]

const decide = (id: string, what: 'settle' | 'release', force = false) =>
  registrar.request('POST', `/v1/internal/parked-orders/${id}/${what}`, {
    token,
    body: what === 'settle' ? { force } : { force, reason: 'It is late.' },
  })

async function refuses(id: string, what: 'settle' | 'release', code: string) {
  const { status, body, text } = await decide(id, what)
  assert.deepEqual([status, body.code], [409, code], text)
  return body.registry_shows
}

async function ask(path: string, body: object): Promise<void> {
  const { status, text } = await registrar.request('POST', path, { token: owner.key, body })
  assert.equal(status, 200, text)
}

/**
 * Parks the open order of a domain. `later_ms`: as a node with a wrong clock would have sent it.
 */
async function park(domain: string, later_ms = 0): Promise<string> {
  const [row] = await query(
    `update orders set state = 'parked', alarm = 'parked: test', lease_until = now(),
            first_sent_at = first_sent_at + $2 * interval '1 millisecond'
      where domain = $1 and closed_at is null returning id`,
    [domain, later_ms],
  )
  assert.ok(row, domain)
  return String(row.id)
}

const nameservers = ['ns1.example.net', 'ns2.example.net']
const day_ms = 86_400_000

async function movesIn(domain: string): Promise<void> {
  const isSeeded = !domain.endsWith('.com')
  if (!isSeeded) await sellElsewhere(registrar, domain)
  const auth_code = isSeeded ? 'Seeded-2Move' : soldCode
  await ask('/v1/domains/transfer', { domain, auth_code, nameservers })
}

for (const [domain, later_ms] of [
  ['released-moved.com', 0],
  ['released-moved-late.com', 1.1 * day_ms],
  ['old-harbour.test', 1.1 * day_ms],
  ['paper-lantern.shop', 0],
  ['old-harbour.shop', 1.1 * day_ms],
] as const)
  test(`a transfer of ${domain} that was approved is not released, and may be settled`, async () => {
    await movesIn(domain)
    const id = await park(domain, later_ms)
    if (domain.endsWith('.shop')) sandbox.openprovider.answerTransfer(domain, true)
    else await answerTransfer(registrar, domain, 'approve')
    const before = await held()
    const shows = await refuses(id, 'release', 'order_as_bought')
    assert.deepEqual([shows.state, shows.as_bought, shows.billed], ['ours', true, true])
    assert.match(shows.transfer?.status, /^(client|server)Approved$/)
    assert.equal(await held(), before)
    const settled = await decide(id, 'settle')
    assert.equal(settled.status, 200, settled.text)
    assert.equal((await registrar.read(owner, domain)).body.status, 'active')
  })

test('a transfer that was rejected is released, and not settled', async () => {
  for (const domain of ['released-kept.com', 'quiet-river.shop']) {
    await movesIn(domain)
    const id = await park(domain)
    if (domain.endsWith('.shop')) sandbox.openprovider.answerTransfer(domain, false)
    else await answerTransfer(registrar, domain, 'reject')
    const shows = await refuses(id, 'settle', 'order_not_ours')
    assert.equal(shows.billed, false)
    assert.equal((await decide(id, 'release')).status, 200)
  }
})

test('a transfer under way that cannot be called back is released by force alone', async () => {
  const domain = 'paper-lantern.online'
  await movesIn(domain)
  const id = await park(domain)
  const shows = await refuses(id, 'release', 'order_as_bought')
  assert.equal(shows.transfer.status, 'pending')
  assert.equal((await decide(id, 'release', true)).status, 200)
})

test('a registration that is ours and no customer holds is not released, however old it looks', async () => {
  for (const domain of ['released-made.com', 'released-made.test', 'released-made.shop']) {
    sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain, times: null })
    const body = { domain, nameservers }
    if (domain.endsWith('.shop')) {
      sandbox.openprovider.setFault({ name: 'drop_after', command: 'domain:create', times: 1 })
    }
    await ask('/v1/domains', body)
    const id = await park(domain, 1.1 * day_ms)
    const shows = await refuses(id, 'release', 'order_as_bought')
    assert.deepEqual([shows.state, shows.as_bought, shows.billed], ['ours', false, true])
    await refuses(id, 'settle', 'order_not_as_bought')
    assert.equal((await decide(id, 'settle', true)).status, 200)
  }
  sandbox.clearFaults()
})

test('a restore that is paid and not reported is neither released nor settled', async () => {
  const domain = await registrar.buys(owner, 'released-restored.com')
  await registrar.days(10)
  await deleteBehind(registrar, domain)
  sandbox.setFault({ name: 'drop_before', command: 'domain:update', domain, times: null })
  await ask(`/v1/domains/${domain}/restore`, {})
  const id = await park(domain)
  sandbox.clearFaults()
  assert.equal((await refuses(id, 'settle', 'order_not_as_bought')).billed, false)
  await restoreBehind(registrar, domain)
  const shows = await refuses(id, 'release', 'order_as_bought')
  assert.deepEqual([shows.as_bought, shows.billed], [false, true])
  await refuses(id, 'settle', 'order_not_as_bought')
  assert.equal((await decide(id, 'release', true)).status, 200)
})

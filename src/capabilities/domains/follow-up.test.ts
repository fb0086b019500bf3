// What a transfer brings after it: its name servers, and the word to its owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTransfer, sellElsewhere, soldCode } from '../../../test/support/other-registrar.ts'
import type { TestCustomer } from '../../../test/support/service.ts'
import { followUpTransfers } from './follow-up.job.ts'
import { lifeHouse } from './life.fixture.ts'
import { pollRegistries } from './poll.job.ts'
import { settleOrders } from './settle-orders.job.ts'
import { tellEnds } from './tell-ends.job.ts'

const house = await lifeHouse()
const wanted = ['ns1.elsewhere.net', 'ns2.elsewhere.net']

/** Bought elsewhere and asked for, with name servers of its own. */
async function asked(buyer: TestCustomer, domain: string, body: object = {}): Promise<string> {
  await sellElsewhere(house, domain)
  const moving = await house.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { domain, auth_code: soldCode, nameservers: wanted, ...body },
  })
  assert.equal(moving.body.status, 'transfer_pending', moving.text)
  return domain
}

async function answered(domain: string, answer: 'approve' | 'reject'): Promise<void> {
  await answerTransfer(house, domain, answer)
  await house.run(pollRegistries)
  await house.run(settleOrders)
}

const row = async (domain: string) =>
  Object((await house.query('select * from domains where name = $1', [domain]))[0])
const due = (domain: string) =>
  house.query('update domains set follow_up_at = now() where name = $1', [domain])
const there = (domain: string) => house.sandbox.lookup(domain)?.nameservers.toSorted()
const kinds = async (buyer: TestCustomer) => (await house.letters(buyer)).map(({ kind }) => kind)

test('once it is here, its name servers are set, and its owner is told', async () => {
  const buyer = await house.customer()
  const domain = await asked(buyer, 'follows.com')
  await answered(domain, 'approve')
  assert.notDeepEqual(there(domain), wanted)
  await Promise.all([house.run(followUpTransfers), house.run(followUpTransfers)])
  assert.deepEqual(there(domain), wanted)
  assert.equal((await row(domain)).wanted_nameservers, null)
  assert.deepEqual((await house.read(buyer, domain)).body.nameservers.toSorted(), wanted)
  await house.run(tellEnds)
  await house.run(tellEnds)
  assert.deepEqual(await kinds(buyer), ['transfer_completed'])
})

test('a registry that is silent or says no for a moment only makes it wait', async () => {
  const buyer = await house.customer()
  const domain = await asked(buyer, 'follows-late.com')
  await answered(domain, 'approve')
  house.sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  await house.run(followUpTransfers)
  assert.deepEqual((await row(domain)).wanted_nameservers, wanted)
  await house.run(followUpTransfers)
  assert.notDeepEqual(there(domain), wanted, 'not before its time')
  await due(domain)
  await house.run(followUpTransfers)
  assert.deepEqual(there(domain), wanted)
})

test('a no that lasts is told, and the owner chooses others', async () => {
  const buyer = await house.customer()
  const domain = await asked(buyer, 'follows-never.com')
  await answered(domain, 'approve')
  house.sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain, times: null })
  for (let i = 0; i < 6; i += 1) {
    await due(domain)
    await house.run(followUpTransfers)
  }
  house.sandbox.clearFaults()
  assert.equal((await row(domain)).wanted_nameservers, null)
  assert.deepEqual(await kinds(buyer), ['nameservers_not_set'])
})

test('what the owner has set meanwhile stays', async () => {
  const buyer = await house.customer()
  const domain = await asked(buyer, 'follows-own.com')
  await answered(domain, 'approve')
  const chosen = ['ns8.example.org', 'ns9.example.org']
  const set = await house.request('PATCH', `/v1/domains/${domain}`, {
    token: buyer.key,
    body: { nameservers: chosen },
  })
  assert.equal(set.status, 200, set.text)
  await house.run(followUpTransfers)
  assert.deepEqual(there(domain), chosen)
})

test('a transfer that was turned down is told, with the money that is free again', async () => {
  const buyer = await house.customer()
  const domain = await asked(buyer, 'follows-not.com')
  await answered(domain, 'reject')
  await house.run(tellEnds)
  const letters = await house.letters(buyer)
  assert.deepEqual(
    letters.map(({ kind }) => kind),
    ['transfer_failed'],
  )
  assert.match(letters[0]?.body.replaceAll('\n', ' ') ?? '', /10\.85 USD .* available again/)
})

test('a refusal that the request itself answered is not told once more', async () => {
  const buyer = await house.customer()
  await sellElsewhere(house, 'follows-wrong.com')
  const wrong = await house.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { domain: 'follows-wrong.com', auth_code: 'Not-the-code-1' },
  })
  assert.equal(wrong.body.code, 'auth_code_wrong', wrong.text)
  await house.run(tellEnds)
  assert.deepEqual(await kinds(buyer), [])
  const [order] = await house.query(`select told_at from orders where domain = 'follows-wrong.com'`)
  assert.ok(order?.told_at)
})

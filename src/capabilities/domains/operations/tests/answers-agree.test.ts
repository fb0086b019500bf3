// The response to a purchase and the reads that follow it agree in every field, and so do the list
// and the operation.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { answerTransfer, deleteBehind } from '../../../../../test/support/other-registrar.ts'
import type { Answer, TestCustomer } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'

const registrar = await lifecycleService()

/** All fields but the price, which only a purchase answers; a list names the expiry otherwise. */
const shown = ({ body }: Answer) => {
  const { price: _price, expires_at, expiry = expires_at, ...others } = body
  return { ...others, expiry }
}

async function inList(buyer: TestCustomer, domain: string): Promise<Answer> {
  const list = await registrar.request('GET', '/v1/domains', { token: buyer.key })
  const entries: { domain: string }[] = list.body.domains
  return { ...list, body: Object(entries.find((one) => one.domain === domain)) }
}

async function agree(buyer: TestCustomer, domain: string, answer: Answer): Promise<void> {
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.body.operation.created_at <= answer.body.operation.updated_at)
  assert.deepEqual(shown(await registrar.read(buyer, domain)), shown(answer))
  assert.deepEqual(shown(await inList(buyer, domain)), shown(answer))
  const { operation } = answer.body
  const path = `/v1/operations/${operation.id}`
  const read = await registrar.request('GET', path, { token: buyer.key })
  const { id, type, state, error, created_at, updated_at } = read.body
  assert.deepEqual({ id, type, state, error, created_at, updated_at }, operation)
}

for (const tld of ['com', 'io', 'shop'])
  test(`a registration and a renewal of .${tld}`, async () => {
    const buyer = await registrar.customer()
    const domain = `agreed.${tld}`
    const post = (path: string, body: object, key: string) =>
      registrar.request('POST', path, {
        token: buyer.key,
        body,
        headers: { 'Idempotency-Key': key },
      })
    const bought = await post('/v1/domains', { domain }, `buy-${tld}`)
    await agree(buyer, domain, bought)
    assert.deepEqual((await post('/v1/domains', { domain }, `buy-${tld}`)).body, bought.body)
    const renewed = await post(`/v1/domains/${domain}/renew`, {}, `renew-${tld}`)
    await agree(buyer, domain, renewed)
    const again = await post(`/v1/domains/${domain}/renew`, {}, `renew-${tld}`)
    assert.deepEqual(again.body, renewed.body)
  })

test('an order that ends while its domain is read is shown with the holding that it produced', async () => {
  const buyer = await registrar.customer()
  const domain = await registrar.buys(buyer, 'agreed-meanwhile.com')
  // From the registry, so that the next read does not ask it.
  await registrar.read(buyer, domain)
  const client = new pg.Client(registrar.service.settings.database_url ?? '')
  await client.connect()
  after(() => client.end())
  await client.query('begin; lock table orders in access exclusive mode')
  const reading = registrar.read(buyer, domain)
  const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
    where not l.granted and l.relation = 'orders'::regclass and d.datname = current_database()`
  while ((await registrar.query(waiting)).length === 0) await sleep(10)
  await client.query('update domains set auto_renew = true where name = $1', [domain])
  await client.query('commit')
  assert.equal((await reading).body.auto_renew, true)
})

test('a restore, and a registration that the registry has not answered', async () => {
  const buyer = await registrar.customer()
  const token = buyer.key
  const domain = await registrar.buys(buyer, 'agreed-lost.com')
  await registrar.days(10)
  await deleteBehind(registrar, domain)
  const restored = await registrar.request('POST', `/v1/domains/${domain}/restore`, {
    token,
    body: {},
  })
  await agree(buyer, domain, restored)
  const silent = 'agreed-silent.com'
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain: silent })
  const body = { domain: silent }
  await agree(buyer, silent, await registrar.request('POST', '/v1/domains', { token, body }))
})

test('a transfer in, while it is asked for and once it is here', async () => {
  const buyer = await registrar.customer()
  const domain = 'old-harbour.org'
  registrar.sandbox.settings.sixty_day_rule = false
  const body = { domain, auth_code: 'Seeded-2Move' }
  const token = buyer.key
  const asked = await registrar.request('POST', '/v1/domains/transfer', { token, body })
  await agree(buyer, domain, asked)
  await answerTransfer(registrar, domain, 'approve')
  await registrar.query('update orders set run_at = now() where domain = $1', [domain])
  await registrar.run(settleOrders)
  const here = await registrar.read(buyer, domain)
  assert.equal(here.body.status, 'active')
  await agree(buyer, domain, here)
})

test('expected_expiry compares seconds', async () => {
  const buyer = await registrar.customer()
  const domain = await registrar.buys(buyer, 'agreed-second.com')
  const { body } = await registrar.read(buyer, domain)
  const second = `${body.expiry.slice(0, 19)}Z`
  const at = `/v1/domains/${domain}/renew`
  const renew = (expected_expiry: string) =>
    registrar.request('POST', at, { token: buyer.key, body: { expected_expiry, dry_run: true } })
  const offset = second.replace('Z', '+00:00')
  for (const same of [body.expiry, second, offset, second.replace('Z', '.999999Z')])
    assert.equal((await renew(same)).status, 200, same)
  const later = new Date(Date.parse(second) + 1000).toISOString()
  const before = new Date(Date.parse(second) - 1).toISOString()
  for (const other of [later, before])
    assert.equal((await renew(other)).body.code, 'expiry_changed', other)
})

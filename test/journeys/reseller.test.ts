// A name of a reseller's TLD through the whole service: the registries file selects the adapter,
// and an unknown renewal is read back, never sent again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const { openprovider } = registrar.sandbox

async function until(true_: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 800; turn += 1) {
    if (await true_()) return
    await wait(50)
  }
  assert.fail('It did not come true in 40 seconds')
}

const received = (command: string) => openprovider.counters().commands[command]?.received ?? 0
const kinds = (name: string) =>
  openprovider
    .effects()
    .filter(({ domain }) => domain === name)
    .map(({ kind }) => kind)

test('a .shop name is checked, bought and read at Openprovider', async () => {
  const { key: token } = await registrar.customer()
  const domain = 'agent-corner.shop'
  const bought = await registrar.request('POST', '/v1/domains', { token, body: { domain } })
  assert.equal(bought.status, 200, bought.text)
  assert.equal(bought.body.status, 'active', bought.text)
  assert.deepEqual(kinds(domain), ['create'])
  const shown = await registrar.request('GET', `/v1/domains/${domain}`, { token })
  assert.deepEqual([shown.status, shown.body.status], [200, 'active'], shown.text)
})

test('an order whose answer was lost is settled by reading Openprovider', async () => {
  const { key: token } = await registrar.customer()
  const domain = 'lost-corner.shop'
  openprovider.setFault({ name: 'drop_after', command: 'domain:create', domain })
  const asked = await registrar.request('POST', '/v1/domains', { token, body: { domain } })
  assert.deepEqual([asked.status, asked.body.status], [200, 'pending'], asked.text)
  await until(async () => {
    const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token })
    return body.status === 'active'
  })
  assert.deepEqual(kinds(domain), ['create'])
})

test('a renewal whose answer was lost is read back; one that never arrived is not sent again', async () => {
  const { key: token } = await registrar.customer()
  const domain = 'renewed-corner.shop'
  await registrar.request('POST', '/v1/domains', { token, body: { domain } })
  openprovider.setFault({ name: 'drop_after', command: 'domain:renew', domain })
  const path = `/v1/domains/${domain}/renew`
  const asked = await registrar.request('POST', path, { token, body: { period_years: 1 } })
  assert.equal(asked.status, 200, asked.text)
  await until(async () => {
    const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token })
    return body.operation?.state === 'succeeded' && body.operation.type === 'renew'
  })
  assert.deepEqual(kinds(domain), ['create', 'renew'])
  openprovider.setFault({ name: 'drop_before', command: 'domain:renew', domain })
  const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token })
  const again = { period_years: 1, expected_expiry: body.expiry }
  const lost = await registrar.request('POST', path, { token, body: again })
  assert.equal(lost.status, 200, lost.text)
  const sent = received('domain:renew')
  const looks = received('domain:info')
  await until(async () => received('domain:info') >= looks + 3)
  assert.equal(received('domain:renew'), sent)
  assert.deepEqual(kinds(domain), ['create', 'renew'])
  const open = await registrar.request('GET', `/v1/domains/${domain}`, { token })
  assert.equal(open.body.operation.state, 'unknown', open.text)
})

test('a transfer in sends contacts and name servers, and ends when the other side approves', async () => {
  const { key: token } = await registrar.customer()
  const domain = 'old-harbour.online'
  const nameservers = ['ns1.hosting.net', 'ns2.hosting.net']
  const body = { domain, auth_code: 'Seeded-2Move', nameservers }
  const asked = await registrar.request('POST', '/v1/domains/transfer', { token, body })
  assert.equal(asked.status, 200, asked.text)
  assert.equal(asked.body.operation?.state, 'pending', asked.text)
  openprovider.answerTransfer(domain, true)
  await until(async () => {
    const { body } = await registrar.request('GET', `/v1/domains/${domain}`, { token })
    return body.status === 'active'
  })
  assert.deepEqual(kinds(domain), ['transfer'])
})

// A registry whose info shows no trDate, which RFC 5731 section 3.1.2 leaves optional: its own
// record of the transfer, and the domain as ours, prove a transfer in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerTransfer,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { pollRegistries } from '../../poll/poll-messages.job.ts'
import { updateService } from '../../updates/updates.fixture.ts'
import { settleOrders } from '../settle-orders.job.ts'

const registrar = await updateService()
const { call, sandbox, owner } = registrar
sandbox.settings.hides_transfer_date = true

async function asked(domain: string, days = 0): Promise<string> {
  await sellElsewhere(registrar, domain)
  if (days > 0) await registrar.days(days)
  await call('200', 'POST /v1/domains/transfer', { domain, auth_code: soldCode })
  return domain
}

async function settle(domain: string) {
  await registrar.run(pollRegistries)
  await registrar.query('update orders set run_at = clock_timestamp() where domain = $1', [domain])
  await registrar.run(settleOrders)
  const [order] = await registrar.query('select state from orders where domain = $1', [domain])
  return order?.state
}

test('is paid once the registry shows its record of the transfer and the domain as ours', async () => {
  const domain = await asked('undated.com')
  await answerTransfer(registrar, domain, 'approve')
  assert.equal(await settle(domain), 'succeeded')
  assert.equal((await call('200', `GET /v1/domains/${domain}`)).status, 'active')
  assert.deepEqual(registrar.effects(domain), ['create', 'transfer'])
})

test('is not paid while it is pending, nor once it is rejected', async () => {
  const before = await registrar.balance(owner)
  const domain = await asked('undated-rejected.com')
  assert.equal(await settle(domain), 'accepted')
  await answerTransfer(registrar, domain, 'reject')
  assert.equal(await settle(domain), 'failed')
  assert.equal(await registrar.balance(owner), before)
})

test('the code of the former registrar is replaced, and the prohibition of transfers counts', async () => {
  const domain = await asked('undated-coded.com', 70)
  await answerTransfer(registrar, domain, 'approve')
  assert.equal(await settle(domain), 'succeeded')
  const at = `/v1/domains/${domain}/transfer-auth-code`
  const read = await call('200', `GET ${at}`)
  assert.notEqual(read.auth_code, soldCode)
  assert.equal(read.made_because, 'none')
  const until = Date.parse(read.transfer_prohibited_until ?? '')
  const moved = Date.parse(sandbox.lookup(domain)?.transferred_at ?? '')
  assert.ok(Math.abs(until - moved - 60 * 86_400_000) < 60_000, read.transfer_prohibited_until)
  const lock = await call('200', `POST /v1/domains/${domain}/lock`)
  assert.equal(lock.transfer_prohibited_until, read.transfer_prohibited_until)
})

// A payment in another asset than the one agreed, on a real chain (anvil): parked for an operator.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseEther } from 'viem'
import { systemCall } from '../../src/capabilities/audit/index.ts'
import { settleCheckouts } from '../../src/capabilities/top-ups/gateway/watching/settle-checkouts.job.ts'
import { skipAnvil } from '../support/chain/anvil.ts'
import { rowsIn } from '../support/owner-sql.ts'
import {
  brief,
  check,
  documents,
  money,
  type Opened,
  open,
  pay,
  startPayer,
} from './evm-checkouts.fixture.ts'

describe('a payment in another asset', { skip: skipAnvil }, () => {
  async function assertParked(opened: Opened): Promise<void> {
    const { service } = opened
    const found = await check(opened)
    assert.match(brief(found), / 0\.00 wrong_asset$/)
    const [{ id }] = found.transactions
    const isAlarm = (line: string) => line.includes('"alarm":"payment_parked"') && line.includes(id)
    assert.equal(service.logs.filter(isAlarm).length, 1)
    const at = `/v1/internal/billing/parked-payments/${encodeURIComponent(id)}/credit`
    const decision = { amount_cents: 2_400, reason: 'Agreed with the payer' }
    const sent = { token: service.operatorKey, body: decision }
    const one = await service.request('POST', at, sent)
    const two = await service.request('POST', at, sent)
    assert.deepEqual([one.status, one.body.credited_amount], [200, '24.00'], one.text)
    assert.deepEqual(two.body, one.body)
    assert.match(brief(await check(opened)), / 24\.00 /)
  }

  it('is parked with an alarm, and credited once by an operator', async () => {
    const started = await startPayer()
    const { chain } = started.place
    const [inCoin, inToken] = [await open(started, 'ETH'), await open(started)]
    await pay(inCoin)
    await chain.send(inToken.address, parseEther('0.01'))
    await chain.mine(2)
    await assertParked(inCoin)
    await assertParked(inToken)
    assert.deepEqual(await money(started), ['48.00', '0.00'])
    assert.deepEqual(await documents(started), ['invoice', 'invoice'])
  })

  it('is found without a report when the time to pay ends', async () => {
    const started = await startPayer()
    const { place, service } = started
    const [paid, unpaid] = [await open(started), await open(started)]
    await place.chain.send(paid.address, parseEther('0.01'))
    await place.chain.mine(2)
    const ended = `expires_at = created_at + interval '1 ms', settle_at = created_at`
    await rowsIn(service)(`update checkouts set ${ended} where id = any ($1)`, [
      [paid.id, unpaid.id],
    ])
    const { app } = service.service
    await settleCheckouts.run(app, systemCall(app, 'settle_checkouts'))
    const read = async ({ id }: Opened) => {
      const path = `/v1/customers/${started.owner.id}/billing/gateway/checkouts/${id}`
      return (await service.request('GET', path, { token: started.owner.key })).body
    }
    assert.equal(brief(await read(paid)), 'failed 0.00 wrong_asset')
    assert.equal(brief(await read(unpaid)), 'expired 0.00')
  })
})

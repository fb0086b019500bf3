// A renewal that its registry answers more than a day later: the same request again is not a second
// renewal.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startService } from '../../../../../test/support/service.ts'
import { purgeExpiredRows } from '../../../../tasks/index.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))

/** A day and an hour, by the registries' clock and in the rows. */
async function aDayLater(domain: string): Promise<void> {
  await registrar.advance('PT25H')
  const back = "interval '25 h'"
  const order = `(select id from orders where domain = $1 and type = 'renew')`
  await registrar.query(
    `update idempotency_keys set created_at = created_at - ${back} where order_id = ${order}`,
    [domain],
  )
  await registrar.query(
    `update orders set created_at = created_at - ${back}, run_at = now(), lease_until = now()
      where id = ${order}`,
    [domain],
  )
}

for (const key of [undefined, 'renew-once'])
  describe(`a renewal ${key ? 'with' : 'without'} a key that took over a day`, () => {
    test('is answered, and paid once', async () => {
      const owner = await registrar.customer({ funds_cents: 10_000 })
      const domain = await registrar.buys(owner, `late-${key ?? 'keyless'}.com`)
      const renew = () =>
        registrar.request('POST', `/v1/domains/${domain}/renew`, {
          token: owner.key,
          body: {},
          ...(key && { headers: { 'idempotency-key': key } }),
        })
      const fault = { name: 'drop_before', command: 'domain:renew', domain, times: null } as const
      registrar.sandbox.setFault(fault)
      const first = await renew()
      assert.equal(first.body.operation.state, 'unknown', first.text)
      await aDayLater(domain)
      await registrar.run(purgeExpiredRows)
      const open = await renew()
      assert.equal(open.body.operation?.id, first.body.operation.id, open.text)
      registrar.sandbox.clearFaults()
      await registrar.run(settleOrders)
      assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
      await registrar.run(purgeExpiredRows)
      const again = await renew()
      if (key) assert.equal(again.body.operation.id, first.body.operation.id, again.text)
      else assert.equal(again.body.code, 'recently_renewed', again.text)
      assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
      assert.equal(await registrar.balance(owner), '78.30 0.00')
    })
  })

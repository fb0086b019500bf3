// Finishes what a crash or a silent registry left open: sends the same fenced command again, or
// reads what became of it.
import { randomUUID } from 'node:crypto'
import { type App, type Call, job } from '../../app.ts'
import { newAttempt, type Order, registerOrderOf } from './order.ts'
import { leaseMs, sendBy, work } from './purchase.ts'
import { addFingerprint, claimDueOrders } from './store.ts'

const atOnce = 16

export const settleOrders = job({
  name: 'settle_orders',
  does: 'Finishes paid orders whose outcome is not known yet.',
  every_ms: 500,
  async run(app, call) {
    const token = randomUUID()
    const leases = app.registries.all().map((registry) => leaseMs({ registry }))
    const claimed_ms = performance.now()
    const due = await app.db.run(claimDueOrders, [BigInt(atOnce), Math.max(...leases), token])
    await Promise.all(
      due.map((order) =>
        takeUp(app, call, { order, token, claimed_ms }).catch((error) => {
          // It stays open and leased: whoever claims it next begins where the rows stand.
          app.log.error({ err: error, order: order.id, domain: order.domain }, 'order not settled')
        }),
      ),
    )
    return { more: due.length === atOnce }
  },
})

type Claimed = { order: Order; token: string; claimed_ms: number }

async function takeUp(app: App, call: Call, { order, token, claimed_ms }: Claimed): Promise<void> {
  const registry = app.registries.all().find(({ profile }) => profile.name === order.registry)
  if (!registry) throw new Error(`Registry ${order.registry} is not in the registries file`)
  const attempt = order.state === 'accepted' ? null : newAttempt(order.id, order.attempts)
  if (attempt) {
    const mine = await app.db.maybe(addFingerprint, [order.id, token, attempt.fingerprint])
    if (!mine) return
  }
  app.reached('recovering')
  const fingerprints = attempt ? [...order.fingerprints, attempt.fingerprint] : order.fingerprints
  await work(app, {
    order: {
      ...order,
      command: registerOrderOf(order),
      fingerprints: [...fingerprints],
      lease_token: token,
      send_by_ms: sendBy({ registry }, claimed_ms),
    },
    attempt,
    registrar: { registry },
    call,
    // The first answer to an Idempotency-Key is made of the rows when it is asked for again.
    answerOf: () => null,
  })
}

// Tells owners how their longer orders ended: transfers in, restores, automatic renewals. The
// orders themselves end in batches where money is locked; no mail is written there.
import { type App, job } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { customerMail } from '../../mail/index.ts'
import { orderEnded } from '../emails.ts'
import { endsToTell, markTold, tellLater } from './order-results.sql.ts'

const atOnce = 100
/** One that cannot be told keeps no others waiting. */
const again_ms = 10 * 60_000

export const tellEnds = job({
  name: 'tell_order_ends',
  does: 'Tells owners by mail how transfers in, restores and automatic renewals ended.',
  every_ms: 2_000,
  async run(app) {
    const ends = await app.db.run(endsToTell, [BigInt(atOnce)])
    await Promise.all(
      ends.map((end) =>
        tell(app, end).catch(async (error) => {
          app.log.error({ err: error, order: end.id }, 'end of an order not told')
          await app.db.count(tellLater, [end.id, again_ms])
        }),
      ),
    )
    return { more: ends.length === atOnce }
  },
})

/**
 * Once. A refusal of the first attempt was the answer to the request; only an automatic renewal had
 * nobody who heard it, and auto_renew tells of those.
 */
async function tell(app: App, end: Row<'orders_to_tell'>): Promise<void> {
  const { id, customer_id, told_before } = end
  const letter = orderEnded({ ...end, succeeded: end.state === 'succeeded' }, app.settings.base_url)
  await app.db.transaction(async (sql) => {
    const mine = await sql.maybe(markTold, [id])
    if (mine && !told_before) await customerMail(sql, customer_id, letter)
  })
}

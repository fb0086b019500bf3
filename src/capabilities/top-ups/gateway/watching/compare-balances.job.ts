// Periodic comparison of deposit addresses' balances with the payments that were seen there: at the
// end of the time to pay, and daily as long as a checkout is watched.
import { job } from '../../../../app.ts'
import { compareAll } from './compare-balances.ts'
import { claimCompared, compareAgain } from './watched.sql.ts'

const at_once = 200

export const compareBalances = job({
  name: 'compare_balances',
  does: 'Compares the balances of deposit addresses with the payments that were seen there.',
  every_ms: 60_000,
  async run(app) {
    const { gateway } = app
    const { holdings } = gateway ?? {}
    if (!gateway || !holdings) return { more: false }
    const claim = { gateway: gateway.name, now: app.clock.now(), limit: BigInt(at_once) }
    const rows = await app.db.run(claimCompared, claim)
    if (rows.length === 0) return { more: false }
    const { unread: ids } = await compareAll(app, rows, { gateway, holdings, isThorough: true })
    if (ids.length > 0) await app.db.run(compareAgain, { ids })
    return { more: rows.length === at_once && ids.length === 0 }
  },
})

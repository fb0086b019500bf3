// Scrubbing: verifies the chain with all its rows, a range in each run and then from the start
// again, and raises an alarm at an inconsistency. The sealer checks the end of the chain alone.
import { type App, job } from '../../../app.ts'
import { noPosition, type Position, verifiedLinks } from '../chain/chain.ts'
import { trustedKeys } from '../chain/signer.ts'
import { Unsound } from '../chain/unsound.ts'
import { alarmAbout } from './alarms.ts'

const blocks_at_once = 100
const rows_at_once = 20_000

/** The position of the check, where it continues. */
type ChainCheck = { reached: Position }

declare module '../../../app.ts' {
  interface App {
    chainCheck: ChainCheck
  }
}

export function newChainCheck(): ChainCheck {
  return { reached: noPosition }
}

/** Checks the next stretch; true when it came to the end of the chain. */
async function checkStretch(app: App): Promise<boolean> {
  const { db, settings, chainCheck } = app
  const from = chainCheck.reached
  let [blocks, rows] = [0, 0]
  try {
    for await (const link of verifiedLinks(db, { trusted: trustedKeys({ settings }), from })) {
      chainCheck.reached = link.after
      blocks += 1
      rows += link.block?.row_count ?? 0
      if (blocks >= blocks_at_once || rows >= rows_at_once) return false
    }
  } catch (error) {
    if (!(error instanceof Unsound)) throw error
    // The next run begins there again, so that the alarm stays active until the fault is repaired.
    const { what, id, problem } = error.finding
    const detail = `The audit log is inconsistent: ${what} ${id} ${problem}.`
    await alarmAbout(app, {
      subject: `${what} ${id}`,
      detail,
      stops_sealing: false,
      alarm: 'audit_log_unsound',
    })
    return false
  }
  chainCheck.reached = noPosition
  return true
}

export const checkAuditLog = job({
  name: 'check_audit_log',
  does:
    'Verifies the audit log continuously, a section at a time, and raises an alarm where it is ' +
    'inconsistent.',
  every_ms: 10_000,
  async run(app) {
    await checkStretch(app)
    return { more: false }
  },
})

// Settles stored payments by x402, including those that a crash or a slow chain left.
import { job } from '../../../app.ts'
import { settleTask } from './authorizations.ts'
import { settleDue } from './settle.ts'

const at_once = 20

export const settleX402Payments = job({
  name: 'settle_x402_payments',
  does: 'Settles payments by x402, and reads back their results.',
  every_ms: 1_000,
  per_node: true,
  task_kind: settleTask.kind,
  run: async (app) => ({
    more: app.x402 !== null && (await settleDue(app, at_once)) === at_once,
  }),
})

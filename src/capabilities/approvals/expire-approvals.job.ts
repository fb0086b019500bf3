// Ends requests that were not answered, or not done, in time.
import { job } from '../../app.ts'
import { expireApprovals } from './approvals.sql.ts'

const limit = 500

export const expireApprovalsJob = job({
  name: 'expire_approvals',
  does: "Ends requests for the owner's approval whose time is over.",
  every_ms: 300_000,
  run: async ({ db }) => ({
    more: (await db.count(expireApprovals, { limit })) === limit,
  }),
})

// Reports holdings whose terms are in doubt: until when they are paid is not what their orders come
// to (migration 0024). None of these is deleted by the service.
import { job } from '../../../app.ts'
import { termMismatches } from './expiry-plausibility.sql.ts'

const at_most = 200n

export const reportTermMismatches = job({
  name: 'report_term_mismatches',
  does: 'Names the domains whose paid-until date is not what their orders come to, daily.',
  every_ms: 86_400_000,
  async run(app) {
    for (const { name: domain, ...facts } of await app.db.run(termMismatches, { limit: at_most }))
      app.log.error(
        { domain, ...facts, alarm: 'paid_until_in_doubt' },
        'until when a domain is paid is not what its orders come to',
      )
    return { more: false }
  },
})

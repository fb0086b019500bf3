// What the worker does as time passes over domains.
import type { Job } from '../../app.ts'
import { autoRenew } from './expiry/auto-renew.job.ts'
import { deleteUnpaid } from './expiry/delete-expired.job.ts'
import { sendNotices } from './expiry/expiry-notices.job.ts'
import { purgeRecords } from './expiry/purge-expiry-records.job.ts'
import { reportTermMisfits } from './holdings/report-term-mismatches.job.ts'
import { sweepHoldings } from './holdings/sync-domains.job.ts'
import { tellEnds } from './orders/notify-order-results.job.ts'
import { pollRegistries } from './poll/poll-messages.job.ts'
import { purgeMessages } from './poll/purge-registry-messages.job.ts'
import { followUpTransfers } from './updates/transfer-nameservers.job.ts'

export const lifeJobs: Job[] = [
  pollRegistries,
  sweepHoldings,
  sendNotices,
  autoRenew,
  deleteUnpaid,
  followUpTransfers,
  tellEnds,
  purgeMessages,
  purgeRecords,
  reportTermMisfits,
]

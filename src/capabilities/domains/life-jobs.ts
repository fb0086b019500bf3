// What the worker does as time passes over domains.
import type { Job } from '../../app.ts'
import { autoRenew } from './auto-renew.job.ts'
import { followUpTransfers } from './follow-up.job.ts'
import { forgetMessages } from './forget-messages.job.ts'
import { forgetRecords } from './forget-records.job.ts'
import { sendNotices } from './notices.job.ts'
import { pollRegistries } from './poll.job.ts'
import { sweepHoldings } from './sweep.job.ts'
import { tellEnds } from './tell-ends.job.ts'
import { reportTermMisfits } from './term-misfits.job.ts'
import { deleteUnpaid } from './unpaid.job.ts'

export const lifeJobs: Job[] = [
  pollRegistries,
  sweepHoldings,
  sendNotices,
  autoRenew,
  deleteUnpaid,
  followUpTransfers,
  tellEnds,
  forgetMessages,
  forgetRecords,
  reportTermMisfits,
]

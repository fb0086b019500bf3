// What the worker does as time passes over domains.
import type { Job } from '../../app.ts'
import { sendNotices } from './notices.job.ts'
import { pollRegistries } from './poll.job.ts'
import { sweepHoldings } from './sweep.job.ts'

export const lifeJobs: Job[] = [pollRegistries, sweepHoldings, sendNotices]

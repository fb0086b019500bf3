// The task queue, the worker that runs it and the jobs, and its health.
export { inBulkheads } from './bulkheads.ts'
export { type RenewedLease, renewing } from './lease.ts'
export { managePartitions } from './partitions.job.ts'
export { purgeExpiredRows } from './purge.job.ts'
export { done, enqueue, type TaskEnd, taskKind, workTask, workTasks } from './queue.ts'
export { startWorker, type Workable, type Worker, type WorkerParts } from './worker.ts'
export { workerHealth } from './worker-health.ts'

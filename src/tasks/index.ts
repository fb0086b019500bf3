// The task queue, the worker that runs it and the jobs, its wake-ups and its health.
export { inBulkheads } from './bulkheads.ts'
export { purgeExpiredRows } from './purge.job.ts'
export { done, enqueue, type TaskEnd, taskKind, workTasks } from './queue.ts'
export { wake } from './wake-ups.ts'
export { startWorker, type Workable, type Worker, type WorkerParts } from './worker.ts'
export { workerHealth } from './worker-health.ts'

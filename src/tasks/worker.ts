// The worker of a node: every job's loop, its wake-ups, and the heartbeat that health goes by.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { json } from '../db/statement.ts'
import { AutoResetEvent } from '../kit/concurrency/auto-reset-event.ts'
import { type Runner, type RunnerState, startRunner } from './runner.ts'
import {
  deleteHeartbeat,
  dueKinds,
  purgeSchedules,
  putSchedules,
  sendHeartbeat,
} from './tasks.sql.ts'

export const heartbeat_ms = 5_000
const lease_ms = 15_000
const stop_ms = 20_000
const look_ms = 1_000
/** A job that is started when it has work runs only this often without any. */
const on_demand_ms = 60_000
/** A batch at a slow registry takes minutes. */
const longest_round_ms = 600_000

/** A job, whatever the App and the Call are: this layer knows neither. */
export type Workable<A, C> = {
  name: string
  every_ms: number
  /** Channels whose notification starts a run at once. */
  wakes_on?: string | readonly string[]
  /** Runs in every node's process; otherwise at most once at a time over all nodes. */
  per_node?: boolean
  /**
   * The kind of tasks that are all its work. The job runs when one is due, and seldom otherwise.
   */
  task_kind?: string
  run: (app: A, call: C) => Promise<{ more: boolean }>
}
export type WorkerParts<A, C> = {
  /** The call context of a run of the named job. */
  callOf: (app: A, name: string) => C
  node_id?: string
  /** How long a claim outlives a worker that died; 15000 if not given. */
  lease_ms?: number
  /** How long `stop` waits for runs in progress; 20000 if not given. */
  stop_ms?: number
  /**
   * A round of a per-node job is overdue after this time and three intervals; 600000 if not given.
   */
  longest_round_ms?: number
  /** The time between two heartbeats; 5000 if not given. */
  heartbeat_ms?: number
}
export type Worker = {
  state: () => { node_id: string; jobs: RunnerState[] }
  /**
   * Starts nothing more and waits, within bounds, for runs in progress; a claim that is left ends
   * at its time.
   */
  stop: () => Promise<void>
}

/** Starts all jobs of this node. Rejects when the database cannot be reached. */
export async function startWorker<A extends { db: Database; log: Logger }, C>(
  app: A,
  jobs: readonly Workable<A, C>[],
  parts: WorkerParts<A, C>,
): Promise<Worker> {
  const { db, log } = app
  const run = (job: Workable<A, C>) => () => job.run(app, parts.callOf(app, job.name))
  const start = (job: Omit<Workable<A, C>, 'run'>, round: () => Promise<{ more: boolean }>) => ({
    job,
    channels: [job.wakes_on ?? []].flat(),
    runner: startRunner(
      {
        name: job.name,
        every_ms: job.every_ms,
        per_node: job.per_node ?? false,
        pause_ms: job.task_kind === undefined ? job.every_ms : on_demand_ms,
        run: round,
      },
      { sql: db, log, lease_ms: parts.lease_ms ?? lease_ms },
    ),
  })
  const node_id = parts.node_id ?? randomUUID()
  const shared = jobs.filter((job) => !job.per_node)
  const overdueAfter = (every_ms: number) =>
    3 * every_ms + (parts.longest_round_ms ?? longest_round_ms)
  const names = shared.map(({ name }) => name)
  await db.run(putSchedules, { names, every_ms: shared.map(({ every_ms }) => every_ms) })
  const runners = jobs.map((job) => start(job, run(job)))
  const waiting = new Map(
    runners.flatMap(({ job: { task_kind }, runner }) =>
      task_kind === undefined ? [] : [[task_kind, runner] as const],
    ),
  )
  if (waiting.size > 0) {
    const look = { name: 'look_for_due_tasks', every_ms: look_ms, per_node: true }
    runners.push(start(look, () => wakeForDueTasks(db, waiting)))
  }
  const problems = () =>
    runners
      .filter(({ job }) => job.per_node)
      .map(({ job, runner }) => problemOf(runner.state(), overdueAfter(job.every_ms)))
      .filter(({ failures, overdue }) => failures > 0 || overdue)
  const every_ms = parts.heartbeat_ms ?? heartbeat_ms
  // A job that is now per_node may have left a schedule that no node advances any longer.
  const stopHeartbeat = await startHeartbeat(app, { node_id, jobs: names, every_ms, problems })
  const detachAll = await Promise.all(runners.map((one) => listen(db, one)))
  return {
    state: () => ({ node_id, jobs: runners.map(({ runner }) => runner.state()) }),
    async stop() {
      const ended = Promise.all(runners.map(({ runner }) => runner.stop()))
      await Promise.all(detachAll.map((end) => end()))
      if (!(await within(parts.stop_ms ?? stop_ms, ended)))
        log.warn(
          { jobs: runningNames(runners) },
          'jobs still running after the time limit of the stop',
        )
      await stopHeartbeat()
    },
  }
}

/** Makes one statement for all kinds, in place of a poll by each of their jobs. */
async function wakeForDueTasks(
  db: Database,
  runners: ReadonlyMap<string, Runner>,
): Promise<{ more: boolean }> {
  const due = await db.run(dueKinds, { kinds: [...runners.keys()] })
  for (const { kind } of due) runners.get(kind)?.due()
  return { more: false }
}

function runningNames(runners: readonly { runner: Runner }[]): string[] {
  return runners
    .map(({ runner }) => runner.state())
    .filter(({ running }) => running)
    .map(({ name }) => name)
}

async function listen(
  db: Database,
  { channels, runner }: { channels: readonly string[]; runner: Runner },
): Promise<() => Promise<void>> {
  // A gap wakes it too, since notifications meanwhile are lost.
  const listener = { notified: runner.wake, reconnected: runner.wake }
  const ends = await Promise.all(channels.map((channel) => db.listen(channel, listener)))
  return async () => {
    await Promise.all(ends.map((end) => end()))
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AutoResetEvent()
  const timer = setTimeout(() => late.signal(), ms)
  const inTime = await Promise.race([
    work.then(() => true),
    late.wait(2 ** 31 - 1).then(() => false),
  ])
  clearTimeout(timer)
  late.signal()
  return inTime
}

type JobProblem = { name: string; failures: number; overdue: boolean }

/** The problem of a per-node job, which has no schedule that shows it. */
function problemOf(
  { name, failures_in_a_row: failures, round_ms }: RunnerState,
  longest_ms: number,
): JobProblem {
  return { name, failures, overdue: round_ms !== null && round_ms > longest_ms }
}

type Heartbeat = {
  node_id: string
  jobs: readonly string[]
  every_ms: number
  problems: () => JobProblem[]
}

/**
 * Writes a heartbeat now and every few seconds; the returned function ends them and removes the
 * node's row. Each also removes the schedules of jobs that only another version had.
 */
async function startHeartbeat(
  { db, log }: { db: Database; log: Logger },
  { node_id, jobs, every_ms, problems }: Heartbeat,
): Promise<() => Promise<void>> {
  const wakeUp = new AutoResetEvent()
  let stopping = false
  const once = async () => {
    await db.run(sendHeartbeat, { node_id, job_problems: json(problems()) })
    await db.count(purgeSchedules, { names: jobs })
  }
  await once()
  const running = (async () => {
    while (!stopping) {
      await wakeUp.wait(every_ms)
      if (!stopping)
        await once().catch((error) => log.warn({ err: error }, 'heartbeat not written'))
    }
  })()
  return async () => {
    stopping = true
    wakeUp.signal()
    await running
    // If it fails, the node only looks alive for some seconds more.
    await db
      .run(deleteHeartbeat, { node_id })
      .catch((error) => log.warn({ err: error }, 'heartbeat not removed'))
  }
}

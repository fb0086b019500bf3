// Durable task queue: transactional enqueue, claims under a lease, one backoff, dead letters.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import type { Database, Sql } from '../db/database.ts'
import { type Json, json } from '../db/statement.ts'
import { type Chance, monotonicMs } from '../kit/clock.ts'
import { type BackoffRange, backoffMs, withJitter } from '../kit/concurrency/backoff.ts'
import { compile } from '../kit/schema.ts'
import { activeSpan, type Tracer, tracedAsRoot, type Work } from '../kit/telemetry.ts'
import { renewing } from './lease.ts'
import {
  type ClaimedTask,
  claimTask,
  claimTasks,
  completeTask,
  enqueueTask,
  failTask,
  renewTasks,
  usual_lease_ms,
} from './tasks.sql.ts'

/** The definition of the tasks of one kind, for a worker. */
type Definition<P extends TSchema> = {
  kind: string
  payload: P
  backoff: BackoffRange
  /**
   * The number of failed attempts after which a task is dead, or null if it is retried until it
   * succeeds.
   */
  most_attempts: number | null
}

type TaskKind<P extends TSchema> = Definition<P> & {
  isPayload: (value: unknown) => value is Static<P>
}

/** Declares a kind of tasks. */
export function taskKind<P extends TSchema>(definition: Definition<P>): TaskKind<P> {
  return { ...definition, isPayload: compile(definition.payload).check }
}

type NewTask<P extends TSchema> = {
  /** The key, which is unique for each kind. */
  key: string
  payload: Static<P> & Json
  bulkhead?: string
  /** The time at which it is due; now if not given. */
  run_at?: Date
  /**
   * The treatment of an existing task with the key: left unchanged unless it is dead (keep), which
   * is the usual, or to be run at the new time (replace).
   */
  existing?: 'keep' | 'replace'
}

/** Enqueues a task inside the caller's transaction, if `sql` is one. */
export async function enqueue<P extends TSchema>(
  sql: Sql,
  { kind }: TaskKind<P>,
  { key, payload, bulkhead = '', run_at, existing = 'keep' }: NewTask<P>,
): Promise<void> {
  await sql.run(enqueueTask, {
    kind,
    key,
    bulkhead,
    payload: json(payload),
    run_at: run_at ?? null,
    existing,
    traceparent: activeSpan()?.traceparent ?? '',
  })
}

type Task<P extends TSchema> = {
  key: string
  payload: Static<P>
  /** The number of failed attempts before this one. */
  attempts: number
  /** Whether the task is dead if this attempt fails. */
  is_last: boolean
}

/**
 * How an attempt ended. `effects` are written in the transaction that ends the attempt: once, or
 * not at all if the lease was lost meanwhile.
 */
export type TaskEnd =
  | { end: 'done'; effects?: (sql: Sql) => Promise<void> }
  | {
      end: 'retry'
      reason: string
      /** The pause in place of the backoff. */
      in_ms?: number
      /** True if it does not count as a failed attempt, since the task is not the cause. */
      uncounted?: true
      /** `wait_ms` is the time until the next attempt. */
      effects?: (sql: Sql, wait_ms: number) => Promise<void>
    }
  | { end: 'dead'; reason: string; effects?: (sql: Sql) => Promise<void> }

export const done: TaskEnd = { end: 'done' }

/** The parts of the app that the queue needs. */
type QueueApp = { db: Database; log: Logger; chance: Chance; tracer?: Tracer | null }

type Round<P extends TSchema> = {
  bulkhead?: string
  /** The clock that `run_at` goes by; the database's if not given. */
  now?: Date | null
  /** How long a claim outlives a worker that died; 5000 if not given. */
  lease_ms?: number
  handle: (task: Task<P>) => Promise<TaskEnd>
}

/** A task whose workers died in this many attempts in a row is dead, since it may be the cause. */
const most_lost_leases = 5

/** Claims due tasks of a kind and runs them, all at the same time. Returns their number. */
export async function workTasks<P extends TSchema>(
  app: QueueApp,
  kind: TaskKind<P>,
  { limit, ...round }: Round<P> & { limit: number },
): Promise<number> {
  const { bulkhead = '', now = null, lease_ms = usual_lease_ms } = round
  const lease = { token: randomUUID(), lease_ms, asked_at: monotonicMs() }
  const claim = { lease_token: lease.token, lease_ms, kind: kind.kind, bulkhead, now, limit }
  const tasks = await app.db.run(claimTasks, claim)
  return (await runClaimed(app, kind, { ...round, tasks, lease })).length
}

/**
 * Claims the task with a key now, whenever it is due, runs it, and returns how it ended. Undefined
 * if there is none, or if another worker has it, or had it a moment ago and died.
 */
export async function workTask<P extends TSchema>(
  app: QueueApp,
  kind: TaskKind<P>,
  { key, ...round }: Round<P> & { key: string },
): Promise<TaskEnd | undefined> {
  const { bulkhead = '', lease_ms = usual_lease_ms } = round
  const lease = { token: randomUUID(), lease_ms, asked_at: monotonicMs() }
  const claim = { lease_token: lease.token, lease_ms, kind: kind.kind, bulkhead, key }
  const tasks = await app.db.run(claimTask, claim)
  const [end] = await runClaimed(app, kind, { ...round, tasks, lease })
  return end
}

type Claimed<P extends TSchema> = Round<P> & {
  tasks: readonly ClaimedTask[]
  lease: { token: string; lease_ms: number; asked_at: number }
}

async function runClaimed<P extends TSchema>(
  app: QueueApp,
  kind: TaskKind<P>,
  { tasks, lease, ...round }: Claimed<P>,
): Promise<TaskEnd[]> {
  if (tasks.length === 0) return []
  const { token, lease_ms, asked_at } = lease
  const open = new Set(tasks.map(({ id }) => id))
  const renew = async () => {
    await app.db.run(renewTasks, { ids: [...open], lease_token: token, lease_ms })
    return true
  }
  const renewed = renewing({ lease_ms, asked_at, renew })
  const attempts = tasks.map(async (task) => {
    const work = () => traceOf(kind.kind, task)
    const end = await tracedAsRoot(app.tracer ?? null, work, () =>
      attempt(app, kind, { ...round, task, token }),
    )
    open.delete(task.id)
    return end
  })
  const ends = await Promise.all(attempts)
  await renewed.stop()
  return ends
}

/** Runs in a trace of its own, with a link to the one that enqueued the task. */
function traceOf(kind: string, { attempts, traceparent }: ClaimedTask): Work {
  const attributes = { 'agent_registrar.task': kind, 'agent_registrar.attempt': attempts + 1 }
  const links = traceparent === null ? [] : [traceparent]
  return { name: `task ${kind}`, kind: 'consumer', attributes, links }
}

type Attempt<P extends TSchema> = Round<P> & { task: ClaimedTask; token: string }

async function attempt<P extends TSchema>(
  app: QueueApp,
  kind: TaskKind<P>,
  at: Attempt<P>,
): Promise<TaskEnd> {
  const { key, payload, attempts, lost_leases } = at.task
  const facts = { task: kind.kind, key }
  const is_last = kind.most_attempts !== null && attempts + 1 >= kind.most_attempts
  const giveUp = (reason: string): TaskEnd => {
    app.log.error({ ...facts, reason, alarm: 'task_dead' }, 'task failed permanently')
    return { end: 'dead', reason }
  }
  const run = async (): Promise<TaskEnd> => {
    if (lost_leases >= most_lost_leases)
      return giveUp(`Its worker died in ${lost_leases} attempts in a row`)
    if (!kind.isPayload(payload)) return giveUp('Its payload is malformed')
    return at.handle({ key, payload, attempts, is_last })
  }
  const failed = (error: unknown): TaskEnd => {
    app.log.error({ err: error, ...facts }, 'task failed')
    return { end: 'retry', reason: error instanceof Error ? error.message : String(error) }
  }
  const write = async (end: TaskEnd): Promise<TaskEnd> => {
    await finish(app, kind, { ...at, end, is_last })
    return end
  }
  return (
    write(await run().catch(failed))
      // Its effects failed, and nothing was written.
      .catch((error) => write(failed(error)))
      .catch((error) => {
        // Its lease expires, and another attempt follows.
        app.log.error({ err: error, ...facts }, 'result of a task not stored')
        return { end: 'retry', reason: 'Its result was not stored' }
      })
  )
}

/** The pause is up to a tenth shorter, so that a test and an operator can still foresee a retry. */
function pause(ms: number, chance: Chance): number {
  return withJitter(ms, { share: 0.1, chance })
}

type Ended<P extends TSchema> = Attempt<P> & { end: TaskEnd; is_last: boolean }

async function finish<P extends TSchema>(
  app: QueueApp,
  kind: TaskKind<P>,
  { task, token, end, is_last, now = null }: Ended<P>,
): Promise<void> {
  const { id, key, version, attempts, lost_leases } = task
  const facts = { task: kind.kind, key }
  const ran = lost_leases < most_lost_leases
  const counted = ran && (end.end !== 'retry' || !end.uncounted)
  const dead = end.end === 'dead' || (end.end === 'retry' && counted && is_last)
  const usual_ms = Math.round(pause(backoffMs(attempts + 1, kind.backoff), app.chance))
  const wait_ms = (end.end === 'retry' && end.in_ms) || usual_ms
  const write = async (sql: Sql): Promise<void> => {
    // Its own rows are locked before the task's, in the order of an enqueuing transaction.
    await end.effects?.(sql, wait_ms)
    const ended =
      end.end === 'done'
        ? await sql.maybe(completeTask, { id, lease_token: token, version })
        : await sql.maybe(failTask, {
            id,
            lease_token: token,
            version,
            in_ms: wait_ms,
            now,
            attempts: counted ? 1 : 0,
            last_error: end.reason,
            dead,
          })
    if (!ended) throw new LeaseLost()
  }
  try {
    await (end.effects ? app.db.transaction(write) : write(app.db))
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    app.log.warn(facts, 'lease of a task was lost; another attempt follows')
    return
  }
  // A handler that ends a task permanently raises an alarm of its own, if one is due.
  if (dead && end.end === 'retry')
    app.log.error(
      { ...facts, alarm: 'task_dead' },
      'task failed permanently after its last attempt',
    )
}

class LeaseLost extends Error {}

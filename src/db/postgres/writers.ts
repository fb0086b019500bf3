// Writing connections to PostgreSQL: a small pool, transactions that are run again after a clash,
// commits whose answer may be lost.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type BackoffRange, backoffMs, withJitter } from '../../kit/concurrency/backoff.ts'
import { prepareSession, servingConfig, type Target, translateError } from './connection.ts'
import { connectTimeoutMs } from './connection-config.ts'
import {
  CommitUnknown,
  DatabaseUnavailable,
  isRefusedCommit,
  kindOfError,
  messageOf,
} from './errors.ts'

type Isolation = 'read committed' | 'repeatable read' | 'serializable'
export type TransactionOptions = {
  /** READ COMMITTED if not given. */
  isolation?: Isolation
  /** How often the work is run again after 40001, 40P01 or 55P03; 5 if not given. */
  retries?: number
}

const usual_retries = 5
const clash: BackoffRange = { first_ms: 7.5, longest_ms: 1_000 }

/**
 * A connection out of the pool, returned at the end of its scope; a doubtful one is discarded.
 */
class Lease implements Disposable {
  readonly client: pg.PoolClient
  doubtful = false

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  async query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    return await this.client.query<R>(config)
  }

  [Symbol.dispose](): void {
    // Otherwise a pipelined client would first wait for the answer that does not come.
    if (this.doubtful) this.client.connection.stream.destroy()
    this.client.release(this.doubtful)
  }
}

export class Writers {
  #pool: pg.Pool
  #target: Target
  #commit_timeout_ms: number

  constructor(target: Target, limits: { pool_size: number; commit_timeout_ms: number }) {
    this.#target = target
    this.#commit_timeout_ms = limits.commit_timeout_ms
    this.#pool = new pg.Pool({
      // The client is pipelined, so statements that are started together travel together.
      ...servingConfig(target, { pipeline: true }),
      max: limits.pool_size,
      connectionTimeoutMillis: connectTimeoutMs(target.url),
      idleTimeoutMillis: 60_000,
      onConnect: (client) => prepareSession(client, target, { read_only: false }),
    })
    // A connection that breaks while idle is replaced at its next use; one in use rejects its
    // statement.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  async #lease(): Promise<Lease> {
    return new Lease(await this.#pool.connect())
  }

  /** One statement in a transaction of its own. */
  async query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    return await this.#again(usual_retries, async () => {
      using lease = await this.#lease()
      return await this.#committing(lease, () => lease.query<R>(config))
    })
  }

  /**
   * Runs the work in a transaction, and runs it again after a clash, so it must have no effect
   * outside the transaction.
   */
  async transaction<T>(
    work: (lease: { client: pg.ClientBase }) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    return await this.#again(options.retries ?? usual_retries, async () => {
      using lease = await this.#lease()
      try {
        // It is awaited: if it were lost among pipelined statements, they would commit one by one.
        await lease.client.query(`begin isolation level ${options.isolation ?? 'read committed'}`)
        const value = await work(lease)
        const { command } = await this.#committing(lease, () => lease.client.query('commit'))
        // The server answers ROLLBACK to a COMMIT when a statement failed and the work went on
        // regardless.
        if (command === 'COMMIT') return value
        throw new Error('The transaction was rolled back: a failed statement in it was ignored')
      } catch (error) {
        await this.#undo(lease, error)
        throw error
      }
    })
  }

  /**
   * Rolls back if the connection can still be trusted; otherwise the server does when it is closed.
   */
  async #undo(lease: Lease, error: unknown): Promise<void> {
    const kind = kindOfError(error)
    lease.doubtful ||= kind !== 'statement' && kind !== 'retry'
    if (lease.doubtful) return
    try {
      await lease.client.query('rollback')
    } catch {
      lease.doubtful = true
    }
  }

  /**
   * Sends what commits. The answer may be lost, late, or no promise at all: a cancelled wait for
   * the synchronous standby is answered as success with a WARNING only (routine SyncRepWaitForLSN;
   * its words may be in any language). Each of these is CommitUnknown.
   */
  async #committing<T>(lease: Lease, send: () => Promise<T>): Promise<T> {
    let warning: string | undefined
    const onNotice = (notice: { routine?: string | undefined; message?: string | undefined }) => {
      if (notice.routine === 'SyncRepWaitForLSN') warning = notice.message ?? 'no words'
    }
    lease.client.on('notice', onNotice)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(this.#tooLate()), this.#commit_timeout_ms)
    try {
      const answer = await Promise.race([send(), late.promise])
      if (warning === undefined) return answer
      throw new CommitUnknown(`Committed here, perhaps not on the standby: ${warning}`)
    } catch (error) {
      if (isRefusedCommit(error)) throw error
      lease.doubtful = true
      if (error instanceof CommitUnknown) throw error
      throw new CommitUnknown(`The answer to a commit was lost: ${messageOf(error)}`, error)
    } finally {
      clearTimeout(timer)
      lease.client.off('notice', onNotice)
    }
  }

  #tooLate(): CommitUnknown {
    return new CommitUnknown(`A commit was not answered within ${this.#commit_timeout_ms} ms`)
  }

  /** Runs again after a clash, with growing pauses of random length, so that two rivals part. */
  async #again<T>(retries: number, attempt: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt()
      } catch (error) {
        const kind = kindOfError(error)
        if (kind !== 'retry' && kind !== 'stale') throw translateError(error, this.#target.url)
        if (tries >= retries)
          throw new DatabaseUnavailable(
            `The database is too busy: ${tries + 1} tries ended in ${messageOf(error)}`,
            error,
          )
        await sleep(withJitter(backoffMs(tries + 1, clash)))
      }
    }
  }

  load() {
    const { totalCount: open, idleCount: idle, waitingCount: waiting, options } = this.#pool
    return { most: options.max, open, idle, waiting }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

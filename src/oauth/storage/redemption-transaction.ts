// Redeems a code or a refresh token in one transaction: its consumption and the tokens issued for
// it are committed together, or not at all. The transaction begins with the consumption and is
// committed before the response is sent (docs/decisions/0020).
import { AsyncLocalStorage } from 'node:async_hooks'
import { CommitUnknown, type Database, DatabaseUnavailable, type Sql } from '../../db/database.ts'
import { consumeModel, lockConsumedAt, lockGrantOfModel } from './models.sql.ts'

export type Queries = Pick<Sql, 'run' | 'maybe' | 'count'>

/** A code or a token. */
type Redeemable = { model: string; hash: Buffer }

export type RedemptionTransactions = {
  /** Statements run in the transaction of their request, once it has begun. */
  sql: Queries
  /**
   * Consumes a code or a token, once: false if it was consumed before, or has expired. A concurrent
   * use waits for the end of the first. Within `run` it begins the transaction; elsewhere it is
   * committed at once.
   */
  consume: (redeemable: Redeemable) => Promise<boolean>
  /**
   * Does a request's work, then commits what it redeemed if `shouldCommit`, or else rolls back.
   * Rejects with DatabaseUnavailable where the commit failed (nothing was changed), or with
   * CommitUnknown.
   */
  run: (work: () => Promise<unknown>, shouldCommit: () => boolean) => Promise<void>
}

type OpenTransaction = {
  sql: Queries
  commit: () => Promise<void>
  rollback: () => Promise<void>
}
type Request = { open: OpenTransaction | null }

export function openRedemptionTransactions(
  db: Queries & Pick<Database, 'transaction'>,
): RedemptionTransactions {
  const requests = new AsyncLocalStorage<Request>()
  const current = () => requests.getStore()?.open?.sql ?? db
  return {
    sql: {
      run: (statement, ...params) => current().run(statement, ...params),
      maybe: (statement, ...params) => current().maybe(statement, ...params),
      count: (statement, ...params) => current().count(statement, ...params),
    },
    async consume(redeemable) {
      const open = await begin(db, redeemable)
      if (!open) return false
      const request = requests.getStore()
      if (request) request.open = open
      else await open.commit()
      return true
    },
    async run(work, shouldCommit) {
      const request: Request = { open: null }
      try {
        await requests.run(request, work)
      } catch (error) {
        await request.open?.rollback()
        throw error
      }
      await (shouldCommit() ? request.open?.commit() : request.open?.rollback())
    },
  }
}

/** The open transaction in which this is consumed; undefined, and none, where it cannot be. */
async function begin(
  db: Queries & Pick<Database, 'transaction'>,
  redeemable: Redeemable,
): Promise<OpenTransaction | undefined> {
  const started = Promise.withResolvers<{ sql: Sql; at: string } | undefined>()
  const decision = Promise.withResolvers<void>()
  let consumed = false
  const ended = db.transaction(async (sql) => {
    // A retry: the library has continued, so its later statements cannot be run again.
    if (consumed) throw new DatabaseUnavailable('A redemption clashed with another transaction')
    const at = await consumeLocked(sql, redeemable)
    consumed = at !== undefined
    started.resolve(at === undefined ? undefined : { sql, at })
    if (consumed) await decision.promise
  })
  // `commit` and the statements reject with the same error.
  ended.catch(started.reject)
  const own = await started.promise
  if (own) return opened({ db, redeemable, at: own.at, sql: own.sql, ended, decision })
  await ended
  return undefined
}

/**
 * Locks the grant first, as its revocation does: otherwise tokens issued here could outlive it, or
 * the two could deadlock.
 */
async function consumeLocked(sql: Sql, { model, hash }: Redeemable): Promise<string | undefined> {
  await sql.run(lockGrantOfModel, { model, id_hash: hash })
  return (await sql.maybe(consumeModel, { model, id_hash: hash }))?.at
}

type Opening = {
  db: Queries
  redeemable: Redeemable
  /** When it was consumed. */
  at: string
  sql: Sql
  ended: Promise<void>
  decision: PromiseWithResolvers<void>
}

function opened({ db, redeemable, at, sql, ended, decision }: Opening): OpenTransaction {
  /** A failed statement rolls everything back, and rejects with the transaction's error. */
  const all = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result
    } catch (error) {
      decision.reject(error)
      await ended
      throw error
    }
  }
  return {
    sql: {
      run: (statement, ...params) => all(sql.run(statement, ...params)),
      maybe: (statement, ...params) => all(sql.maybe(statement, ...params)),
      count: (statement, ...params) => all(sql.count(statement, ...params)),
    },
    async commit() {
      decision.resolve()
      try {
        await ended
      } catch (error) {
        if (!(error instanceof CommitUnknown) || !(await isCommitted(db, redeemable, at)))
          throw error
      }
    },
    async rollback() {
      decision.reject(new Error('rolled back'))
      // The statement that failed has reported its error; nothing is committed either way.
      await ended.catch(() => undefined)
    },
  }
}

/**
 * Whether a commit without an answer took effect: the row is locked until its transaction ends, so
 * this waits. A rival that came after its rollback has consumed the row at another time.
 */
async function isCommitted(db: Queries, { model, hash }: Redeemable, at: string): Promise<boolean> {
  const row = await db.maybe(lockConsumedAt, { model, id_hash: hash })
  return row?.at === at
}

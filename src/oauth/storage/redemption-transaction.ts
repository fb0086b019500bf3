// Redeems a code or a refresh token in one transaction: its consumption and the tokens issued for
// it are committed together, or not at all. The transaction begins with the consumption and is
// committed before the response is sent (docs/decisions/0020). A refresh token is used again for
// a moment, by the sessions of one program (docs/decisions/0096).
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Database, DatabaseUnavailable, type Sql } from '../../db/database.ts'
import { classify } from '../../errors/classify.ts'
import type { EndReason } from './end-reasons.ts'
import { consumeModel, lockConsumedAt, lockGrantOfModel } from './models.sql.ts'
import { findRefreshAnswer, refreshToken } from './refresh-answers.sql.ts'

export type Queries = Pick<Sql, 'run' | 'maybe' | 'count'>

/** A code or a token. */
type Redeemable = { model: string; hash: Buffer }

/** The redemption of a request. */
type Redemption = Redeemable & {
  /** The sealed answer to the first use of the same refresh token, or null if this is the first. */
  answered: string | null
  /** Whether nothing of the request is stored, although it is answered with success. */
  discarded: boolean
}

export type RedemptionTransactions = {
  /** Statements run in the transaction of their request, once it has begun. */
  sql: Queries
  /**
   * Consumes a code or a token once. It is false if that was consumed before or has expired. A
   * concurrent use waits for the end of the first. Within `run` it begins the transaction;
   * elsewhere it is committed at once. It is true also for a refresh token whose successor was made
   * just now and is unused: `current` then has the answer of the first use.
   */
  consume: (redeemable: Redeemable) => Promise<boolean>
  /** The redemption of the current request, or null if there is none so far. */
  current: () => Redemption | null
  /** The reason for a consent that the request ends, or null outside requests. */
  endReason: () => EndReason | null
  /**
   * Does a request's work, then commits what it redeemed if `shouldCommit` and it was not
   * discarded, or else rolls back.
   * Rejects with DatabaseUnavailable where the commit failed (nothing was changed), or with
   * CommitUnknown.
   */
  run: (work: () => Promise<unknown>, rules: Rules) => Promise<void>
}

type Rules = { shouldCommit: () => boolean; endReason: () => EndReason }

type OpenTransaction = {
  sql: Queries
  commit: () => Promise<void>
  rollback: () => Promise<void>
}
type Request = Pick<Rules, 'endReason'> & {
  open: OpenTransaction | null
  redemption: Redemption | null
}

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
      const begun = await begin(db, redeemable)
      if (!begun) return false
      const { open, answered } = begun
      const request = requests.getStore()
      if (!request) await open.commit()
      else {
        request.open = open
        request.redemption = { ...redeemable, answered, discarded: false }
      }
      return true
    },
    current: () => requests.getStore()?.redemption ?? null,
    endReason: () => requests.getStore()?.endReason() ?? null,
    async run(work, { shouldCommit, endReason }) {
      const request: Request = { open: null, redemption: null, endReason }
      try {
        await requests.run(request, work)
      } catch (error) {
        await request.open?.rollback()
        throw error
      }
      const isKept = shouldCommit() && request.redemption?.discarded !== true
      await (isKept ? request.open?.commit() : request.open?.rollback())
    },
  }
}

type Begun = { open: OpenTransaction; answered: string | null }

/**
 * Opens the transaction in which this is consumed, or returns undefined without one where it cannot
 * be.
 */
async function begin(
  db: Queries & Pick<Database, 'transaction'>,
  redeemable: Redeemable,
): Promise<Begun | undefined> {
  const started = Promise.withResolvers<(Use & { sql: Sql }) | undefined>()
  const decision = Promise.withResolvers<void>()
  let consumed = false
  const ended = db.transaction(async (sql) => {
    // This is a retry. The library has continued, so its later statements cannot be run again.
    if (consumed) throw new DatabaseUnavailable('A redemption clashed with another transaction')
    const use = await consumeLocked(sql, redeemable)
    consumed = use !== undefined
    started.resolve(use && { ...use, sql })
    if (consumed) await decision.promise
  })
  // `commit` and the statements reject with the same error.
  ended.catch(started.reject)
  const own = await started.promise
  if (!own) {
    await ended
    return undefined
  }
  const { sql, at, answered } = own
  return { open: opened({ db, redeemable, at, sql, ended, decision }), answered }
}

/**
 * `at` is when this use consumed it, or null if an earlier one did, which got the answer
 * `answered`.
 */
type Use = { at: string; answered: null } | { at: null; answered: string }

/**
 * Locks the grant first, as its revocation does: otherwise tokens issued here could outlive it, or
 * the two could deadlock.
 */
async function consumeLocked(sql: Sql, { model, hash }: Redeemable): Promise<Use | undefined> {
  await sql.run(lockGrantOfModel, { model, id_hash: hash })
  const consumed = await sql.maybe(consumeModel, { model, id_hash: hash })
  if (consumed) return { at: consumed.at, answered: null }
  if (model !== refreshToken) return undefined
  const earlier = await sql.maybe(findRefreshAnswer, { id_hash: hash })
  return earlier && { at: null, answered: earlier.sealed }
}

type Opening = {
  db: Queries
  redeemable: Redeemable
  /** When this transaction consumed it. */
  at: string | null
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
        if (classify(error).kind !== 'commit_unknown' || !(await isCommitted(db, redeemable, at)))
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
async function isCommitted(
  db: Queries,
  { model, hash }: Redeemable,
  at: string | null,
): Promise<boolean> {
  if (at === null) return false
  const row = await db.maybe(lockConsumedAt, { model, id_hash: hash })
  return row?.at === at
}

// A code or a refresh token is redeemed in one transaction: that it is used up and what it was
// given for are written together, or not at all. It begins where something is used up, and is
// committed before the answer is sent (docs/decisions/0020).
import { AsyncLocalStorage } from 'node:async_hooks'
import { CommitUnknown, type Database, DatabaseUnavailable, type Sql } from '../../db/database.ts'
import { consumeModel, lockConsumedAt, lockGrantOfModel } from './models.sql.ts'

export type Queries = Pick<Sql, 'run' | 'maybe' | 'count'>

/** Which code or token. */
export type Redeemable = { model: string; hash: Buffer }

export type RedemptionTransactions = {
  /** Statements run in the transaction of their request, once it has begun. */
  sql: Queries
  /**
   * Uses up what many may show but one may use: false where it was used already, or is over. Who
   * comes at the same time waits for the first one's end. Within `during` it begins the
   * transaction; elsewhere it stands at once.
   */
  consume: (used: Redeemable) => Promise<boolean>
  /**
   * Does a request's work. What it redeemed stands where `keeps` says so afterwards. Rejects with
   * DatabaseUnavailable where that failed: nothing was changed; or with CommitUnknown.
   */
  run: (work: () => Promise<unknown>, shouldCommit: () => boolean) => Promise<void>
}

type Open = { sql: Queries; commit: () => Promise<void>; rollback: () => Promise<void> }
type Request = { open: Open | null }

export function openRedemptionTransactions(
  db: Queries & Pick<Database, 'transaction'>,
): RedemptionTransactions {
  const requests = new AsyncLocalStorage<Request>()
  const current = () => requests.getStore()?.open?.sql ?? db
  return {
    sql: {
      run: (statement, params) => current().run(statement, params),
      maybe: (statement, params) => current().maybe(statement, params),
      count: (statement, params) => current().count(statement, params),
    },
    async consume(used) {
      const open = await begin(db, used)
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

/** The transaction in which this is used up, open; undefined, and none, where it cannot be. */
async function begin(
  db: Queries & Pick<Database, 'transaction'>,
  used: Redeemable,
): Promise<Open | undefined> {
  const started = Promise.withResolvers<{ sql: Sql; at: string } | undefined>()
  const decision = Promise.withResolvers<void>()
  let went = false
  const ended = db.transaction(async (sql) => {
    // The library has gone on, so what came later cannot be run again.
    if (went) throw new DatabaseUnavailable('A redemption clashed with another transaction')
    const at = await consumeLocked(sql, used)
    went = at !== undefined
    started.resolve(at === undefined ? undefined : { sql, at })
    if (went) await decision.promise
  })
  // Also what is told to whoever asks for the end.
  ended.catch(started.reject)
  const mine = await started.promise
  if (mine) return opened({ db, used, at: mine.at, sql: mine.sql, ended, decision })
  await ended
  return undefined
}

/**
 * Holds the consent first, as whoever ends one does: else what is written here could outlive it, or
 * both could wait for each other.
 */
async function consumeLocked(sql: Sql, { model, hash }: Redeemable): Promise<string | undefined> {
  await sql.run(lockGrantOfModel, [model, hash])
  return (await sql.maybe(consumeModel, [model, hash]))?.at
}

type Opening = {
  db: Queries
  used: Redeemable
  /** When it was used up. */
  at: string
  sql: Sql
  ended: Promise<void>
  decision: PromiseWithResolvers<void>
}

function opened({ db, used, at, sql, ended, decision }: Opening): Open {
  /** A statement that fails ends all, and is told in the words of the transaction's end. */
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
      run: (statement, params) => all(sql.run(statement, params)),
      maybe: (statement, params) => all(sql.maybe(statement, params)),
      count: (statement, params) => all(sql.count(statement, params)),
    },
    async commit() {
      decision.resolve()
      try {
        await ended
      } catch (error) {
        if (!(error instanceof CommitUnknown) || !(await isCommitted(db, used, at))) throw error
      }
    },
    async rollback() {
      decision.reject(new Error('not kept'))
      // A failure was told to the statement that met it; now nothing stands either way.
      await ended.catch(() => undefined)
    },
  }
}

/**
 * Whether a commit whose answer was lost stands: it is waited for, as the row is locked until its
 * end is known. A rival that came after its rollback has used it up at another moment.
 */
async function isCommitted(db: Queries, { model, hash }: Redeemable, at: string): Promise<boolean> {
  const row = await db.maybe(lockConsumedAt, [model, hash])
  return row?.at === at
}

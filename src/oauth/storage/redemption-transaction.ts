// A code or a refresh token is redeemed in one transaction: that it is used up and what it was
// given for are written together, or not at all. It begins where something is used up, and is
// committed before the answer is sent (docs/decisions/0020).
import { AsyncLocalStorage } from 'node:async_hooks'
import { CommitUnknown, type Database, DatabaseUnavailable, type Sql } from '../../db/database.ts'
import { consumedAt, consumeModel, holdGrantOfModel } from './models.sql.ts'

export type Door = Pick<Sql, 'run' | 'maybe' | 'count'>

/** Which code or token. */
export type Used = { model: string; hash: Buffer }

export type Redemptions = {
  /** Statements run in the transaction of their request, once it has begun. */
  door: Door
  /**
   * Uses up what many may show but one may use: false where it was used already, or is over. Who
   * comes at the same time waits for the first one's end. Within `during` it begins the
   * transaction; elsewhere it stands at once.
   */
  consume: (used: Used) => Promise<boolean>
  /**
   * Does a request's work. What it redeemed stands where `keeps` says so afterwards. Rejects with
   * DatabaseUnavailable where that failed: nothing was changed; or with CommitUnknown.
   */
  during: (work: () => Promise<unknown>, keeps: () => boolean) => Promise<void>
}

type Open = { door: Door; keep: () => Promise<void>; drop: () => Promise<void> }
type Request = { open: Open | null }

export function openRedemptions(db: Door & Pick<Database, 'transaction'>): Redemptions {
  const requests = new AsyncLocalStorage<Request>()
  const here = () => requests.getStore()?.open?.door ?? db
  return {
    door: {
      run: (statement, params) => here().run(statement, params),
      maybe: (statement, params) => here().maybe(statement, params),
      count: (statement, params) => here().count(statement, params),
    },
    async consume(used) {
      const open = await begin(db, used)
      if (!open) return false
      const request = requests.getStore()
      if (request) request.open = open
      else await open.keep()
      return true
    },
    async during(work, keeps) {
      const request: Request = { open: null }
      try {
        await requests.run(request, work)
      } catch (error) {
        await request.open?.drop()
        throw error
      }
      await (keeps() ? request.open?.keep() : request.open?.drop())
    },
  }
}

/** The transaction in which this is used up, open; undefined, and none, where it cannot be. */
async function begin(
  db: Door & Pick<Database, 'transaction'>,
  used: Used,
): Promise<Open | undefined> {
  const begun = Promise.withResolvers<{ sql: Sql; at: string } | undefined>()
  const decided = Promise.withResolvers<void>()
  let went = false
  const ended = db.transaction(async (sql) => {
    // The library has gone on, so what came later cannot be run again.
    if (went) throw new DatabaseUnavailable('A redemption clashed with another transaction')
    const at = await useUp(sql, used)
    went = at !== undefined
    begun.resolve(at === undefined ? undefined : { sql, at })
    if (went) await decided.promise
  })
  // Also what is told to whoever asks for the end.
  ended.catch(begun.reject)
  const mine = await begun.promise
  if (mine) return opened({ db, used, at: mine.at, sql: mine.sql, ended, decided })
  await ended
  return undefined
}

/**
 * Holds the consent first, as whoever ends one does: else what is written here could outlive it, or
 * both could wait for each other.
 */
async function useUp(sql: Sql, { model, hash }: Used): Promise<string | undefined> {
  await sql.run(holdGrantOfModel, [model, hash])
  return (await sql.maybe(consumeModel, [model, hash]))?.at
}

type Opening = {
  db: Door
  used: Used
  /** When it was used up. */
  at: string
  sql: Sql
  ended: Promise<void>
  decided: PromiseWithResolvers<void>
}

function opened({ db, used, at, sql, ended, decided }: Opening): Open {
  /** A statement that fails ends all, and is told in the words of the transaction's end. */
  const all = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result
    } catch (error) {
      decided.reject(error)
      await ended
      throw error
    }
  }
  return {
    door: {
      run: (statement, params) => all(sql.run(statement, params)),
      maybe: (statement, params) => all(sql.maybe(statement, params)),
      count: (statement, params) => all(sql.count(statement, params)),
    },
    async keep() {
      decided.resolve()
      try {
        await ended
      } catch (error) {
        if (!(error instanceof CommitUnknown) || !(await stands(db, used, at))) throw error
      }
    },
    async drop() {
      decided.reject(new Error('not kept'))
      // A failure was told to the statement that met it; now nothing stands either way.
      await ended.catch(() => undefined)
    },
  }
}

/**
 * Whether a commit whose answer was lost stands: it is waited for, as the row is locked until its
 * end is known. A rival that came after its rollback has used it up at another moment.
 */
async function stands(db: Door, { model, hash }: Used, at: string): Promise<boolean> {
  const row = await db.maybe(consumedAt, [model, hash])
  return row?.at === at
}

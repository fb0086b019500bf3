// Sessions: lifetimes, creation and revocation.
import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { type CustomerId, newSecret } from '../../../kit/random.ts'
import { notifyAccessRevoked } from '../../api-keys/index.ts'
import {
  endOldest,
  endSessionOfId,
  endSessionsBut,
  insertSession,
  insertSessionWithoutPassword,
} from './sessions.sql.ts'

export const sessionPrefix = 'ses_'
const day_ms = 86_400_000
/** Absolute lifetime. */
const longest_ms = 7 * day_ms
/** Idle time-out. */
export const idle_ms = day_ms
/** The number of sessions that an account may have. */
const most = 100

type Session = { session_id: bigint; access_token: string; expires_at: Date }
type SignedIn = {
  customer_id: CustomerId
  /** The time of the checked password, or null if the owner logged in without one. */
  password_changed_at: Date | null
  agent: string
  address: string
  /** Absolute expiry. In seven days, if it is left out. */
  until?: Date
  /** Now, if it is left out. */
  signed_in_at?: Date
  /** The session that this one ends with. */
  begun_in?: bigint | null
}

/**
 * Creates a session with a token of its own, returned only here; ends the oldest where the account
 * has too many. Undefined when the password was changed since it was checked.
 */
export async function beginSession(
  app: Pick<App, 'clock' | 'authentications'>,
  sql: Sql,
  signedIn: SignedIn,
): Promise<Session | undefined> {
  const now = app.clock.now()
  const secret = newSecret(sessionPrefix)
  const expires_at = signedIn.until ?? new Date(now.getTime() + longest_ms)
  const { customer_id, agent, address, password_changed_at } = signedIn
  const row = await insert(sql, {
    customer_id,
    token_hash: secret.hash,
    now,
    signed_in_at: signedIn.signed_in_at ?? now,
    expires_at,
    agent,
    address,
    password_changed_at,
    begun_in: signedIn.begun_in ?? null,
  })
  if (!row) return undefined
  const since = new Date(now.getTime() - idle_ms)
  if ((await sql.count(endOldest, { customer_id, now, used_since: since, keep: most })) > 0) {
    app.authentications.invalidate()
    await notifyAccessRevoked(sql, customer_id)
  }
  return { session_id: row.id, access_token: secret.value, expires_at }
}

type NewSession = Omit<SignedIn, 'until' | 'signed_in_at' | 'begun_in'> & {
  begun_in: bigint | null
  token_hash: Buffer
  now: Date
  signed_in_at: Date
  expires_at: Date
}

function insert(sql: Sql, { password_changed_at, ...session }: NewSession) {
  return password_changed_at === null
    ? sql.maybe(insertSessionWithoutPassword, session)
    : sql.maybe(insertSession, { ...session, password_changed_at })
}

/** When a session expires if it is not used again. */
export function endOf({ expires_at, last_used_at }: { expires_at: Date; last_used_at: Date }) {
  return new Date(Math.min(expires_at.getTime(), last_used_at.getTime() + idle_ms))
}

/** Ends one session of a customer, on every node. */
export async function stopSession(
  app: Pick<App, 'clock' | 'authentications'>,
  sql: Sql,
  { customer_id, session_id }: { customer_id: CustomerId; session_id: bigint },
): Promise<void> {
  await sql.count(endSessionOfId, { customer_id, id: session_id, ended_at: app.clock.now() })
  app.authentications.invalidate()
  await notifyAccessRevoked(sql, customer_id)
}

type Ending = { customer_id: CustomerId; but: bigint | null }

/** Ends all sessions of a customer but one, on every node. Returns their number. */
export async function endSessions(
  app: Pick<App, 'clock' | 'authentications'>,
  sql: Sql,
  { customer_id, but }: Ending,
): Promise<number> {
  const ended = await sql.count(endSessionsBut, {
    customer_id,
    except_id: but,
    ended_at: app.clock.now(),
  })
  app.authentications.invalidate()
  await notifyAccessRevoked(sql, customer_id)
  return ended
}

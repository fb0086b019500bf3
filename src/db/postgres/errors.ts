// Classification of database errors, by the guarantees that the caller has afterwards.
import pg from 'pg'

/**
 * The database did not answer, or is too busy, and the statement changed nothing. It is answered as
 * 503.
 */
export class DatabaseUnavailable extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * A change was sent and its answer was lost, so it may or may not be committed. Only a read-back
 * shows which.
 */
export class CommitUnknown extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, { cause })
    this.name = 'CommitUnknown'
  }
}

/**
 * The database can be reached but not used as it is set up; one clear line that names no secret.
 */
export class DatabaseSettingError extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, { cause })
    this.name = 'DatabaseSettingError'
  }
}

/** A migration cannot or may not be run. The message is one clear line. */
export class MigrationError extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, { cause })
    this.name = 'MigrationError'
  }
}

/** The embedded PostgreSQL does not start; `hint` is the next step. */
export class EmbeddedDatabaseError extends Error {
  readonly hint: string

  constructor(problem: string, hint: string, cause?: unknown) {
    super(`${problem} ${hint}`, { cause })
    this.name = 'EmbeddedDatabaseError'
    this.hint = hint
  }
}

/** The constraint that a statement would have violated, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/**
 * Classifies an error of `pg`: `unavailable` (no answer, or none in time), `retry` (a clash that
 * the same transaction survives when run again), `stale` (the connection holds plans from before a
 * migration; a new one will do), `setting` (reached, but refused), `statement` (the database's
 * answer to this statement).
 */
type DatabaseErrorKind = 'unavailable' | 'retry' | 'stale' | 'setting' | 'statement'

const socketErrors = new Set([
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EAI_FAIL',
  'EHOSTDOWN',
  'EMFILE',
  'ENETRESET',
  'ENFILE',
  'ENOBUFS',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])
// pg gives these no code. They are matched as its version 8.23 words them; the tests provoke most.
const lostConnection = new RegExp(
  '^Connection terminated|^timeout expired$|^timeout exceeded when trying|^Query read ' +
    'timeout$|is not queryable$|^Cannot use a pool after',
)
const noUse = /does not support SSL|SSL connection|self[- ]signed|certificate|SASL|Password must/i

function ofServer(error: pg.DatabaseError): DatabaseErrorKind {
  const code = error.code ?? ''
  if (code === '40001' || code === '40P01' || code === '55P03') return 'retry'
  if (code === '0A000' && error.routine === 'RevalidateCachedQuery') return 'stale'
  // A prepared statement that its first sender could not prepare: the others behind it in the
  // pipeline miss it.
  if (code === '26000') return 'stale'
  // 08 connection, 53 resources (too many connections, disk full), 57P0x shutdown, 57014 our own
  // timeout, 25006 a standby or a read-only node.
  if (/^(08|53|57P0)/.test(code) || code === '57014' || code === '25006') return 'unavailable'
  // 28 refused, 3D000 no such database, 42501/22023 at connect: SET ROLE.
  if (/^28/.test(code) || code === '3D000') return 'setting'
  return isOfServerItself(error) ? 'unavailable' : 'statement'
}

/**
 * The server fails regardless of the statement: 58 system error (a file that cannot be read or
 * written), XX001 and XX002 corrupted data, and all that ends the session. XX000 as an ERROR is of
 * the statement.
 */
function isOfServerItself({ code = '', severity = '' }: pg.DatabaseError): boolean {
  return /^58|^XX00[12]$/.test(code) || severity === 'FATAL' || severity === 'PANIC'
}

/** Whether the server states that a COMMIT changed nothing. A failing server is not believed. */
export function isRefusedCommit(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') return false
  return !isOfServerItself(error)
}

function isOurs(error: Error): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    error instanceof CommitUnknown ||
    error instanceof DatabaseSettingError
  )
}

/** Sorts an error thrown by `pg` or by the socket below it. */
export function kindOfError(error: unknown): DatabaseErrorKind {
  if (error instanceof pg.DatabaseError) return ofServer(error)
  if (!(error instanceof Error) || isOurs(error)) return 'statement'
  if ('code' in error && typeof error.code === 'string' && socketErrors.has(error.code))
    return 'unavailable'
  if (lostConnection.test(error.message)) return 'unavailable'
  return noUse.test(error.message) ? 'setting' : 'statement'
}

/**
 * The error's own words, even if Node hides them in an AggregateError (a host with several
 * addresses).
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

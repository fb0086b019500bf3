// Error classifier: maps a thrown value to a problem of the client. The renderers beside it
// turn the result into problem+json, OAuth JSON or a page.
import { CommitUnknown, DatabaseUnavailable } from '../db/database.ts'
import { Fault } from '../kit/fault.ts'
import {
  bodyTooLarge,
  databaseUnavailable,
  internalError,
  routeNotFound,
  unsupportedMedia,
  uriTooLong,
} from './faults.ts'

/** With `database_unavailable` nothing was changed; with `commit_unknown` something perhaps was. */
type ErrorKind =
  | 'fault'
  | 'database_unavailable'
  | 'commit_unknown'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'bad_path'
  | 'long_path'
  | 'bug'

export type Classified = {
  kind: ErrorKind
  status: number
  /** The public error code. */
  code: string
  /** The value of Retry-After, or null without one. */
  retry_after_s: number | null
  /** The thrown fault, or the one that stands for the error. Its `cause` is for the log only. */
  fault: Fault
}

/** `retry_after_s`: the value of Retry-After while the database cannot be reached. */
export function classify(error: unknown, { retry_after_s = 1 } = {}): Classified {
  if (error instanceof Fault) return classified('fault', error)
  if (isDatabaseOutage(error)) {
    const kind = error instanceof CommitUnknown ? 'commit_unknown' : 'database_unavailable'
    return classified(kind, databaseUnavailable({ retry_after_s, cause: error }))
  }
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return classified('body_too_large', bodyTooLarge())
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return classified('unsupported_media_type', unsupportedMedia())
    case 'FST_ERR_BAD_URL':
      return classified('bad_path', routeNotFound())
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return classified('long_path', uriTooLong())
    default:
      return classified('bug', internalError({ cause: error }))
  }
}

/** Whether the database could not be reached, or did not answer a commit. */
export function isDatabaseOutage(error: unknown): error is DatabaseUnavailable | CommitUnknown {
  return error instanceof DatabaseUnavailable || error instanceof CommitUnknown
}

function classified(kind: ErrorKind, fault: Fault): Classified {
  const { 'Retry-After': wait } = fault.headers
  const retry_after_s = wait === undefined ? null : Number(wait)
  return { kind, status: fault.status, code: fault.type.code, retry_after_s, fault }
}

/** The code of an error of Fastify. */
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

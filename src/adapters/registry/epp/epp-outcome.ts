// From EPP's result codes (RFC 5730 section 3) and failures to the four outcomes of the port
// (decision 26).
import type { EppError, EppFailure } from '../../../epp/errors.ts'
import type { Reply } from '../../../epp/replies/reply.ts'
import { classOf, type ResultClass, result } from '../../../epp/replies/result-codes.ts'
import { ns } from '../../../epp/xml/xml.ts'
import type { Outcome, Refusal, Unknown } from '../port.ts'

/** Facts of the command that change what a code means. */
export type Meaning = {
  /** The command carries a fee that was agreed to, so a refusal may be about that. */
  priced: boolean
  /** A transfer in: 2201 cannot mean "not ours", it is the registry's rule (60 days). */
  foreign: boolean
}

const refusals: Partial<Record<ResultClass, Refusal>> = {
  bad_command: 'bad_request',
  unsupported: 'unsupported',
  state: 'status',
  pending_transfer: 'pending_transfer',
  authorization: 'not_ours',
  auth_info: 'bad_auth_code',
  exists: 'exists',
  absent: 'absent',
  policy: 'policy',
}
const unknowns: Partial<Record<ResultClass, Unknown>> = {
  credit: 'registry_credit',
  authentication: 'authentication',
  server_failed: 'server_failed',
  session_limit: 'session_limit',
}

const aboutFees = /\b(fees?|prices?|pricing|costs?|amounts?|currency|premium)\b/i
/** Other parameters of a command that costs, in the words with which servers name them. */
const aboutOthers =
  /\b(period|years?|exp\w*|cur\w*date|dates?|contacts?|registrant|hosts?|name ?servers?|auth\w*)\b/i

/** The cause named by the server: an element of the command, or its text. Null: none. */
function blamesFee({ blamed, message }: Reply): boolean | null {
  if (blamed.some(({ uri }) => uri === ns.fee) || aboutFees.test(message)) return true
  return blamed.length > 0 || aboutOthers.test(message) ? false : null
}

/** RFC 5731 section 3.2.3: the fence of a renewal. */
function blamesExpiry({ blamed, message }: Reply): boolean {
  const named = blamed.some(({ local }) => local === 'curExpDate')
  return named || /\bcur\w*exp|current exp|exp\w* date/i.test(message)
}

/**
 * RFC 8748 section 5: 2004 for a fee that is not the one due, and nothing else need be said of it;
 * 2003 for one that is missing, which many other parameters may be, so there the server must say.
 */
function refusalOf(reply: Reply, { priced, foreign }: Meaning): Refusal | undefined {
  const { code } = reply
  if (code === result.value_range_error && blamesExpiry(reply)) return 'expiry_mismatch'
  if (priced && code === result.parameter_missing && blamesFee(reply) === true)
    return 'fee_required'
  if (priced && code === result.value_range_error && blamesFee(reply) !== false)
    return 'fee_mismatch'
  if (foreign && code === result.authorization_error) return 'policy'
  return refusals[classOf(code)]
}

/** The outcome of an answer; null for a plain success, whose data is still to be read. */
export function outcomeOfReply(reply: Reply, meaning: Meaning): Outcome<never> | null {
  const { code, message, sv_trid } = reply
  const kind = classOf(code)
  if (kind === 'success') return null
  if (kind === 'pending') return { kind: 'accepted', sv_trid }
  const reason = refusalOf(reply, meaning)
  if (reason) return { kind: 'refused', reason, code, message, sv_trid }
  return {
    kind: 'unknown',
    cause: unknowns[kind] ?? 'server_failed',
    message: `${code} ${message}`,
  }
}

/** The reasons of errors before anything was sent; any other is just `not_sent`. */
const unsent: Partial<Record<EppFailure, Unknown>> = {
  unreachable: 'unreachable',
  greeting: 'unreachable',
  circuit_open: 'unreachable',
  overloaded: 'unreachable',
  timeout: 'unreachable',
  authentication: 'authentication',
  session_limit: 'session_limit',
}

/** A failed exchange is never a refusal: the command ran, did not run, or may still run. */
export function outcomeOfError(error: EppError): Outcome<never> {
  const cause = error.sent === 'maybe_sent' ? 'silence' : (unsent[error.failure] ?? 'not_sent')
  return { kind: 'unknown', cause, message: error.message }
}

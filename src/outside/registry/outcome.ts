// From EPP's result codes and failures to the four outcomes of the port (epp 5.3, faults 2.2).
import type { EppError, EppFailure } from '../../epp/errors.ts'
import type { Reply } from '../../epp/reply.ts'
import { classOf, type ResultClass, result } from '../../epp/results.ts'
import type { Outcome, Refusal, Unknown } from './port.ts'

/** Facts of the command that change what a code means. */
export type Meaning = {
  /** A fee was agreed to, or should have been: 2003 and 2004 are then about the fee. */
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

function refusalOf(code: number, { priced, foreign }: Meaning): Refusal | undefined {
  if (priced && code === result.parameter_missing) return 'fee_required'
  if (priced && code === result.value_range_error) return 'fee_mismatch'
  if (foreign && code === result.authorization_error) return 'policy'
  return refusals[classOf(code)]
}

/** What an answer means; null for a plain success, whose data is still to be read. */
export function outcomeOfReply(reply: Reply, meaning: Meaning): Outcome<never> | null {
  const { code, message, sv_trid } = reply
  const kind = classOf(code)
  if (kind === 'success') return null
  if (kind === 'pending') return { kind: 'accepted', sv_trid }
  const reason = refusalOf(code, meaning)
  if (reason) return { kind: 'refused', reason, code, message, sv_trid }
  return {
    kind: 'unknown',
    cause: unknowns[kind] ?? 'server_failed',
    message: `${code} ${message}`,
  }
}

/** Nothing was sent in any of these: they say why. What is missing here is just `not_sent`. */
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

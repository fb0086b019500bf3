// The outcome of one command to a registry, whatever its protocol.

/**
 * The outcome of one attempt. On `unknown` a hold stays, and the command is sent again with the
 * same fence.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T; sv_trid: string | null }
  /** 1001: the registry accepted it, and a poll message or a read will show the result. */
  | { kind: 'accepted'; sv_trid: string | null }
  /** This is final, unless an earlier attempt was unknown and may have done it, so read back. */
  | {
      kind: 'refused'
      reason: Refusal
      code: number | null
      message: string
      sv_trid: string | null
    }
  | { kind: 'unknown'; cause: Unknown; message: string }

export type Refusal =
  /** 2302 */
  | 'exists'
  /** 2303 */
  | 'absent'
  /** 2004 on a command with a fee, unless the registry names another parameter. */
  | 'fee_mismatch'
  /** 2004 to a renewal, where the registry says that `cur_exp_date` is no longer true. */
  | 'expiry_mismatch'
  /** 2003 on a command with a fee, if the registry says that it concerns the fee. */
  | 'fee_required'
  /** 2105, 2106, 2301, 2304, 2305: the state of the object forbids it. */
  | 'status'
  /** 2201 */
  | 'not_ours'
  /** 2202 */
  | 'bad_auth_code'
  /** 2300 */
  | 'pending_transfer'
  /** 2306, 2308, or 2201 on a transfer request. */
  | 'policy'
  /** 2000, 2001, 2003 to 2005, or our own check of the command failed (code null, nothing sent). */
  | 'bad_request'
  /** 2100-2103, 2307 */
  | 'unsupported'

export type Unknown =
  /**
   * It is certain that no byte of the command left, or that the registry did not know our log-in
   * (2002).
   */
  | 'not_sent'
  /**
   * Bytes left, and no usable answer arrived (none, or one that was not understood), so it was
   * done, was not done, or may be done later.
   */
  | 'silence'
  /** 2400, 2500 and codes that no RFC knows. */
  | 'server_failed'
  /** 2502 */
  | 'session_limit'
  /** 2104: the registrar's credit at the registry is used up, which is not the customer's fault. */
  | 'registry_credit'
  /** 2200, 2501 */
  | 'authentication'
  /** There is no connection, the circuit is open, or the queue is full, so nothing was sent. */
  | 'unreachable'

const syntax_error_of_a_value = 2005

/**
 * Whether another value of our own authorization information may be accepted: 2202 (RFC 9154
 * section 5.2), or 2005, with which some registries refuse characters that they do not like.
 */
export function refusesAuthInfo(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refused') return false
  return outcome.reason === 'bad_auth_code' || outcome.code === syntax_error_of_a_value
}

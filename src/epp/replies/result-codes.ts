// Result codes (RFC 5730 section 3): their classes, and their meaning for the session.

export const result = {
  completed: 1000,
  completed_pending: 1001,
  no_messages: 1300,
  message_to_ack: 1301,
  ending_session: 1500,
  unknown_command: 2000,
  syntax_error: 2001,
  use_error: 2002,
  parameter_missing: 2003,
  value_range_error: 2004,
  value_syntax_error: 2005,
  unimplemented_version: 2100,
  unimplemented_command: 2101,
  unimplemented_option: 2102,
  unimplemented_extension: 2103,
  billing_failure: 2104,
  not_eligible_for_renewal: 2105,
  not_eligible_for_transfer: 2106,
  authentication_error: 2200,
  authorization_error: 2201,
  invalid_auth_info: 2202,
  pending_transfer: 2300,
  not_pending_transfer: 2301,
  exists: 2302,
  absent: 2303,
  status_prohibits: 2304,
  association_prohibits: 2305,
  value_policy: 2306,
  unimplemented_service: 2307,
  data_policy: 2308,
  command_failed: 2400,
  command_failed_closing: 2500,
  authentication_error_closing: 2501,
  session_limit_closing: 2502,
} as const

export type ResultClass =
  | 'success'
  | 'pending' // 1001: the result comes later
  | 'ending' // 1500: the answer to a log-out, which does not concern any other command
  | 'not_logged_in' // 2002: nothing ran
  | 'bad_command' // our frame is wrong: never retry as it is
  | 'unsupported' // the server cannot do this
  | 'credit' // our account at the registry is empty
  | 'state' // the state of the object forbids it
  | 'pending_transfer'
  | 'authentication' // our identity was not accepted: never loop, because registries lock accounts
  | 'authorization' // the object is not ours
  | 'auth_info' // a wrong code, or one that the registry will not set
  | 'exists'
  | 'absent'
  | 'policy'
  | 'server_failed' // it is not certain whether it ran: read back
  | 'session_limit'

const classes = new Map<number, ResultClass>([
  [result.completed, 'success'],
  [result.completed_pending, 'pending'],
  [result.no_messages, 'success'],
  [result.message_to_ack, 'success'],
  [result.ending_session, 'ending'],
  [result.unknown_command, 'bad_command'],
  [result.syntax_error, 'bad_command'],
  [result.use_error, 'not_logged_in'],
  [result.parameter_missing, 'bad_command'],
  [result.value_range_error, 'bad_command'],
  [result.value_syntax_error, 'bad_command'],
  [result.unimplemented_version, 'unsupported'],
  [result.unimplemented_command, 'unsupported'],
  [result.unimplemented_option, 'unsupported'],
  [result.unimplemented_extension, 'unsupported'],
  [result.billing_failure, 'credit'],
  [result.not_eligible_for_renewal, 'state'],
  [result.not_eligible_for_transfer, 'state'],
  [result.authentication_error, 'authentication'],
  [result.authorization_error, 'authorization'],
  [result.invalid_auth_info, 'auth_info'],
  [result.pending_transfer, 'pending_transfer'],
  [result.not_pending_transfer, 'state'],
  [result.exists, 'exists'],
  [result.absent, 'absent'],
  [result.status_prohibits, 'state'],
  [result.association_prohibits, 'state'],
  [result.value_policy, 'policy'],
  [result.unimplemented_service, 'unsupported'],
  [result.data_policy, 'policy'],
  [result.command_failed, 'server_failed'],
  [result.command_failed_closing, 'server_failed'],
  [result.authentication_error_closing, 'authentication'],
  [result.session_limit_closing, 'session_limit'],
])

/**
 * The class of a code. A code that no RFC has counts as a failed server, so that the result is not
 * certain.
 */
export function classOf(code: number): ResultClass {
  return classes.get(code) ?? 'server_failed'
}

/**
 * The meaning of a code for the session on which it arrived, in answer to any command but a log-in.
 * - `stays`
 * - `lost`: the server no longer knows its log-in (2002, and 2200 at some servers), and nothing ran
 * - `refused`: the server ends it, and nothing ran (2501, 2502)
 * - `ended`: the server ends it, and it is not certain whether the command ran (1500, 2500)
 * - `unread`: the answer is not XML, so its code does not show what happened to the command
 */
type SessionFate = 'stays' | 'lost' | 'refused' | 'ended' | 'unread'
type Answered = { code: number; read: 'strict' | 'repaired' | 'skimmed' }

/** RFC 5730 section 3: 1500 and 25xx end the session, and 2002 and 2200 say that there is none. */
export function fateOf({ code, read }: Answered): SessionFate {
  if (read === 'skimmed') return 'unread'
  switch (code) {
    case result.use_error:
    case result.authentication_error:
      return 'lost'
    case result.authentication_error_closing:
    case result.session_limit_closing:
      return 'refused'
    default:
      return endsSession(code) ? 'ended' : 'stays'
  }
}

/** Codes after which the server ends the session (RFC 5730 section 3: 1500 and 25xx). */
export function endsSession(code: number): boolean {
  return code === result.ending_session || (code >= 2500 && code < 2600)
}

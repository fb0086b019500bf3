// Errors between us and an EPP server, and whether the command may have reached it.

/** `not_sent` is certain: no byte of the command was given to the network. */
export type Sent = 'not_sent' | 'maybe_sent'

export type EppFailure =
  | 'unreachable' // no TCP or TLS connection
  | 'greeting' // connected, but the server is not the configured registry
  | 'authentication' // log-in refused (2200, 2501)
  | 'session_limit' // log-in refused because too many sessions are open (2502)
  | 'login' // log-in refused for another reason
  | 'circuit_open' // not tried: earlier attempts failed
  | 'overloaded' // not tried: the queue is full, or the wait in it was too long
  | 'closed' // the connection ended
  | 'timeout' // no whole answer in time
  | 'garbage' // an answer that is no frame, no XML, or no EPP response
  | 'mismatch' // an answer to another command
  | 'shut_down' // the pool was closed by its owner

/** A failed exchange. `code` is the registry's result code, if there was one. */
export class EppError extends Error {
  readonly failure: EppFailure
  readonly sent: Sent
  readonly code: number | null

  constructor(
    failure: EppFailure,
    message: string,
    more: { sent?: Sent; code?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'EppError'
    this.failure = failure
    this.sent = more.sent ?? 'not_sent'
    this.code = more.code ?? null
  }
}

/** A command that no registry could accept, which is refused here before anything is sent. */
export class UnwritableCommand extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnwritableCommand'
  }
}

/** Bytes that are not a frame, not XML or not EPP. */
export class GarbageInput extends Error {
  /** The details for the log that operators are to see. */
  readonly facts: Readonly<Record<string, string>>

  constructor(message: string, facts: Record<string, string> = {}) {
    super(message)
    this.name = 'GarbageInput'
    this.facts = facts
  }
}

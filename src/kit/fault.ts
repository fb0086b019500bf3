// Faults: the declared errors of operations. Each is declared once, beside the code that throws it;
// the surfaces render it.
import type { Static, TSchema } from 'typebox'

/** The caller's next step. The list is closed: every surface and document lists exactly these. */
export const nextActionTypes = [
  'fix_request',
  'authenticate',
  'add_scope',
  'add_funds',
  'verify_email',
  'confirm_price',
  'wait_and_retry',
  'read_back',
  'ask_owner',
  'choose_alternative',
  'contact_support',
  'none',
] as const
type NextActionType = (typeof nextActionTypes)[number]
/** The page where a person takes the step: a URL, or a path below the dashboard's root. */
type NextAction = {
  type: NextActionType
  hint: string
  url: string | null
  page: string | null
}

/**
 * The kinds of faults, each with its HTTP status, its title, whether the same call may work later,
 * and its usual next step.
 */
export const kinds = {
  malformed: { status: 400, title: 'Bad request', retryable: false, next: 'fix_request' },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    retryable: false,
    next: 'authenticate',
  },
  unpaid: { status: 402, title: 'Payment required', retryable: false, next: 'add_funds' },
  forbidden: { status: 403, title: 'Forbidden', retryable: false, next: 'ask_owner' },
  absent: { status: 404, title: 'Not found', retryable: false, next: 'fix_request' },
  method: { status: 405, title: 'Method not allowed', retryable: false, next: 'fix_request' },
  conflict: { status: 409, title: 'Conflict', retryable: false, next: 'read_back' },
  precondition: {
    status: 412,
    title: 'Precondition failed',
    retryable: false,
    next: 'read_back',
  },
  too_large: { status: 413, title: 'Content too large', retryable: false, next: 'fix_request' },
  long_uri: { status: 414, title: 'URI too long', retryable: false, next: 'fix_request' },
  media: { status: 415, title: 'Unsupported media type', retryable: false, next: 'fix_request' },
  misdirected: { status: 421, title: 'Misdirected request', retryable: false, next: 'fix_request' },
  unconditional: {
    status: 428,
    title: 'Precondition required',
    retryable: false,
    next: 'fix_request',
  },
  limited: { status: 429, title: 'Too many requests', retryable: true, next: 'wait_and_retry' },
  headers: { status: 431, title: 'Header fields too large', retryable: false, next: 'fix_request' },
  bug: { status: 500, title: 'Internal error', retryable: false, next: 'contact_support' },
  upstream: { status: 502, title: 'Bad gateway', retryable: true, next: 'wait_and_retry' },
  unavailable: { status: 503, title: 'Unavailable', retryable: true, next: 'wait_and_retry' },
} as const satisfies Record<
  string,
  { status: number; title: string; retryable: boolean; next: NextActionType }
>
type Kind = keyof typeof kinds

/** JSON-safe facts that stand beside the fault in the answer (`price`, `shortfall`, ...). */
type Facts = Record<string, unknown>
type FactSchemas = Readonly<Record<string, TSchema>>
/** Each fact may be left out, because it is known, or makes sense, only in some occurrences. */
type FactsOf<S extends FactSchemas> = { [Name in keyof S]?: Static<S[Name]> }
type NoFacts = Record<string, never>

/** The facts of one occurrence, added to its declaration. */
type Occurrence<F> = {
  detail?: string
  hint?: string
  url?: string
  page?: string
  facts?: F
  headers?: Record<string, string>
  retry_after_s?: number
  cause?: unknown
}

/** A fault as it is thrown. `detail` is for the caller; `cause` is for the log only. */
export class Fault extends Error {
  readonly type: FaultType
  readonly next_action: NextAction
  readonly facts: Facts
  readonly headers: Record<string, string>

  constructor(type: FaultType, occurrence: Occurrence<Facts>) {
    super(occurrence.detail ?? type.sentence, { cause: occurrence.cause })
    this.name = 'Fault'
    this.type = type
    const { retry_after_s } = occurrence
    const wait_s = retry_after_s === undefined ? null : Math.max(1, Math.ceil(retry_after_s))
    this.next_action = {
      type: type.next,
      hint: withSeconds(occurrence.hint ?? type.hint, wait_s),
      url: occurrence.url ?? null,
      page: occurrence.page ?? type.page,
    }
    this.facts = occurrence.facts ?? {}
    this.headers =
      wait_s === null
        ? (occurrence.headers ?? {})
        : { ...occurrence.headers, 'Retry-After': String(wait_s) }
  }

  get status(): number {
    return kinds[this.type.kind].status
  }
}

/** In a hint, "Retry-After" stands for the seconds: MCP clients do not show header fields. */
function withSeconds(hint: string, wait_s: number | null): string {
  if (wait_s === null) return hint
  return hint.replaceAll('Retry-After', wait_s === 1 ? '1 second' : `${wait_s} seconds`)
}

/**
 * A declared fault: call it to make one, with facts of its declaration. Without `F` it is any
 * fault, and is made without facts.
 */
export type FaultType<F = never> = {
  (occurrence?: Occurrence<F>): Fault
  readonly code: string
  readonly kind: Kind
  readonly sentence: string
  readonly hint: string
  readonly next: NextActionType
  readonly page: string | null
  readonly retryable: boolean
  /** The schemas of the facts that an answer may have beside the usual fields. */
  readonly facts: FactSchemas
}

const declared = new Map<string, FaultType>()

type Words = {
  sentence: string
  hint: string
  next?: NextActionType
  page?: string
  retryable?: boolean
}

/**
 * Declares a fault once: a stable code, its kind (which fixes status and usual next step), a
 * sentence for the caller and, where the kind's next step is too general, a step and hint of its
 * own. An agent acts on its `facts`, so each has a schema with a description.
 */
export function fault(code: string, kind: Kind, words: Words): FaultType<NoFacts>
export function fault<S extends FactSchemas>(
  code: string,
  kind: Kind,
  words: Words & { facts: S },
): FaultType<FactsOf<S>>
export function fault(
  code: string,
  kind: Kind,
  words: Words & { facts?: FactSchemas },
): FaultType<Facts> {
  if (declared.has(code)) throw new Error(`Fault "${code}" is declared twice`)
  const type: FaultType<Facts> = Object.assign(
    (occurrence: Occurrence<Facts> = {}): Fault => new Fault(type, occurrence),
    {
      code,
      kind,
      sentence: words.sentence,
      hint: words.hint,
      next: words.next ?? kinds[kind].next,
      page: words.page ?? null,
      retryable: words.retryable ?? kinds[kind].retryable,
      facts: words.facts ?? {},
    },
  )
  declared.set(code, type)
  return type
}

/**
 * An occurrence of a fault that is chosen at run time (by a table, or by the code of an order). It
 * keeps only the facts that the fault declares.
 */
export function faultWith(type: FaultType, occurrence: Occurrence<Facts>): Fault {
  const facts = Object.entries(occurrence.facts ?? {}).filter(([name]) => name in type.facts)
  return new Fault(type, { ...occurrence, facts: Object.fromEntries(facts) })
}

/**
 * Every fault that the modules loaded so far declare, in the order of their codes. docs/errors.md
 * is made of it.
 */
export function declaredFaults(): FaultType[] {
  return [...declared.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}

/**
 * One failing field of a 422. `path` starts at the input's field; the surface puts the root before
 * it.
 */
export type InvalidField = { path: (string | number)[]; msg: string; type: string }

/** 422 HTTPValidationError, which an operation throws for rules that its schema cannot express. */
export class InvalidInput extends Error {
  readonly fields: InvalidField[]

  constructor(fields: InvalidField[]) {
    super(fields.map((field) => `${field.path.join('.')}: ${field.msg}`).join('; '))
    this.name = 'InvalidInput'
    this.fields = fields
  }
}

// The ports of telemetry: spans of the work under way, and meters of exchanges with other systems.
// Adapters export them (src/tracing, src/metrics); without one no work is ever within a span, and
// each place that could make one only looks for it. The file also has the health of other systems,
// as their last calls found it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { monotonicMs } from './clock.ts'

/**
 * The keys are names of OpenTelemetry's semantic conventions where these have one. No value is a
 * secret or the name of a person.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export type Work = {
  /** The name has few different values: a route, a statement, a command. */
  name: string
  kind: 'server' | 'client' | 'internal' | 'consumer'
  attributes?: Attributes
  /** Spans of other traces that it continues or shares its work with, as W3C traceparents. */
  links?: readonly string[]
}

export type Span = {
  trace_id: string
  span_id: string
  /** Other processes refer to this span by it (W3C Trace Context). */
  traceparent: string
  readonly ended: boolean
  child: (work: Work) => Span
  set: (attributes: Attributes) => void
  link: (traceparent: string) => void
  /** `problem` is a class of errors or an error code, never a message. */
  fail: (problem: string) => void
  end: () => void
}

/** Begins traces. `parent` is the caller's traceparent, if the caller has one. */
export type Tracer = { begin: (work: Work, parent?: string) => Span }

const active = new AsyncLocalStorage<Span | undefined>()

/**
 * The span of the work under way. Undefined if none is recorded, or if it has ended and the work
 * goes on by itself (a renewal of leases that a request began).
 */
export function activeSpan(): Span | undefined {
  const span = active.getStore()
  return span?.ended ? undefined : span
}

/**
 * Makes the facts of log lines: a line that is written within a trace leads to it, and an alarm's
 * line names its runbook. `onAlarm` counts the alarm.
 */
export function loggedFacts(onAlarm?: (name: string) => void) {
  return (line: object): Record<string, unknown> => {
    const span = activeSpan()
    const facts = { ...(span && { trace_id: span.trace_id, span_id: span.span_id }), ...line }
    if (!('alarm' in facts) || typeof facts.alarm !== 'string') return facts
    onAlarm?.(facts.alarm)
    return { ...facts, runbook: `docs/runbooks/${facts.alarm}.md` }
  }
}

/** Runs within a span, which is left open. */
export function within<T>(span: Span | undefined, run: () => T): T {
  return active.run(span, run)
}

/** Runs as a child of the work under way, without a span where that is not traced. */
export async function traced<T>(work: () => Work, run: (span?: Span) => Promise<T>): Promise<T> {
  const parent = activeSpan()
  return parent ? await recorded(parent.child(work()), run) : await run()
}

/** Runs as the beginning of a trace, or without a span where there is no tracer. */
export async function tracedAsRoot<T>(
  tracer: Tracer | null,
  work: () => Work,
  run: (span?: Span) => Promise<T>,
): Promise<T> {
  return tracer ? await recorded(tracer.begin(work()), run) : await run()
}

async function recorded<T>(span: Span, run: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await active.run(span, () => run(span))
  } catch (error) {
    span.fail(problemOf(error))
    throw error
  } finally {
    span.end()
  }
}

/**
 * Runs work that several callers share once, within the trace of the first, with links between its
 * span and those of the others.
 */
export async function tracedShared<T>(
  work: () => Work,
  callers: readonly (Span | undefined)[],
  run: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = callers.filter((span) => span !== undefined && !span.ended)
  // The span must not be that of the caller whose turn of the event loop this happens to be.
  if (!first) return await active.run(undefined, run)
  const span = first.child({ ...work(), links: others.flatMap((one) => one?.traceparent ?? []) })
  for (const one of others) one?.link(span.traceparent)
  return await recorded(span, run)
}

/** The code of an error (a SQLSTATE, ENOENT, that of a fault), or else its class. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name
}

/** One call of another system that has ended. */
export type Exchange = {
  /** The registry's name, or the kind of system: gateway, processor, mail, dns, rates. */
  peer: string
  /** The command or method. */
  call: string
  /** One of a few words, such as `done`, `refused` or `failed`. */
  result: string
  /** The reason of a result that has reasons: one of a closed list. */
  reason?: string
  seconds: number
}
export type Meter = (exchange: Exchange) => void

const troubles = new Set(['failed', 'refused', 'delayed', 'unknown', 'away'])

/** The `kind` of an answer, a closed union of its port, or `done` for an answer without one. */
function kindOf(value: unknown): string {
  const has_kind = typeof value === 'object' && value !== null && 'kind' in value
  return has_kind && typeof value.kind === 'string' ? value.kind : 'done'
}

/** Measures and traces an object by its kind of system. */
export type Watch = <T extends object>(peer: string, target: T) => T

/** Watches objects, or returns them as they are where there is neither a meter nor a tracer. */
export function watching(meter: Meter | undefined, tracer: Tracer | null): Watch {
  return (peer, target) => (meter || tracer ? watched(target, peer, meter) : target)
}

/**
 * The same object, with each method that answers a promise measured: the result is `failed` when
 * the promise rejects, or else the answer's kind.
 */
function watched<T extends object>(target: T, peer: string, meter: Meter | undefined): T {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...given: unknown[]) => {
        const began_ms = monotonicMs()
        const span = activeSpan()?.child({
          name: `${peer} ${name}`,
          kind: 'client',
          attributes: { 'agent_registrar.peer': peer },
        })
        const call = (): unknown => Reflect.apply(member, of, given)
        const answer = span ? within(span, call) : call()
        // A span that is not ended is not exported.
        if (!(answer instanceof Promise)) return answer
        const note = (result: string) => {
          meter?.({ peer, call: name, result, seconds: (monotonicMs() - began_ms) / 1_000 })
          if (troubles.has(result)) span?.fail(result)
          span?.end()
        }
        answer.then(
          (value: unknown) => note(kindOf(value)),
          () => note('failed'),
        )
        return answer
      }
    },
  })
}

/**
 * `idle` stands for a system that was not called lately. `trouble` is short, and has no secret in
 * it.
 */
export type PeerState = { state: 'up' | 'down' | 'idle'; trouble: string | null }

/** A call counts for ten minutes: after that, nothing is known. */
const counts_ms = 600_000

export class PeerHealth {
  #found: { trouble: string | null; at_ms: number } | null = null
  readonly #now_ms: () => number

  constructor(now_ms: () => number = monotonicMs) {
    this.#now_ms = now_ms
  }

  /** Notes the trouble, or null if the system works. */
  note(trouble: string | null): void {
    this.#found = { trouble, at_ms: this.#now_ms() }
  }

  /**
   * Notes an answer over HTTP. The refusal of one request says nothing about the key or the
   * service.
   */
  noteStatus(status: number): void {
    const isTrouble = status >= 500 || [401, 403, 429].includes(status)
    this.note(isTrouble ? `answered ${status}` : null)
  }

  read(): PeerState {
    if (this.#found === null || this.#now_ms() - this.#found.at_ms > counts_ms)
      return { state: 'idle', trouble: null }
    const { trouble } = this.#found
    return { state: trouble === null ? 'up' : 'down', trouble }
  }
}

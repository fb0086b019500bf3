// The connection to Openprovider: one shared token, a concurrency limit, and one request that ends
// in an Outcome.

import type { Logger } from 'pino'
import type { Clock } from '../../../kit/clock.ts'
import { monotonicMs } from '../../../kit/clock.ts'
import { Overloaded, Semaphore } from '../../../kit/concurrency/semaphore.ts'
import type { Validator } from '../../../kit/schema.ts'
import type { Meter } from '../../../kit/telemetry.ts'
import { observed } from '../exchange.ts'
import {
  type Attempt,
  type OpenproviderProfile,
  type Outcome,
  type Priority,
  priorities,
  type RegistryHealth,
} from '../port.ts'
import { NoAnswer } from './openprovider-http.ts'
import { Login } from './openprovider-login.ts'
import { type ReadAnswer, readAnswer, token_refused } from './openprovider-outcome.ts'
import { type Call, openTransport } from './openprovider-sockets.ts'

export type OpenproviderParts = {
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Monotonic milliseconds. */
  now?: () => number
  /** The service's resolver; this machine's by default. */
  clock?: Clock
  /** Counts every request, by the name of the registry. */
  meter?: Meter
}

/** A read, or a purchase's attempt with its own steps. */
type SendOptions = { priority: Priority; attempt?: Attempt }

/** The required data of a successful answer. */
type Answer<T> = Pick<Validator<T>, 'check'>

export type { Call } from './openprovider-sockets.ts'

export type Link = {
  profile: OpenproviderProfile
  parts: OpenproviderParts
  send: <T>(call: Call, answer: Answer<T>, how: SendOptions) => Promise<Outcome<T>>
  health: () => RegistryHealth
  close: () => Promise<void>
}

const most_waiting = 1_000

/** Opens no connection yet, because the first request does, and logs in. */
export function openLink(profile: OpenproviderProfile, parts: OpenproviderParts): Link {
  const now = parts.now ?? monotonicMs
  const requests = new Requests(profile, parts, now)
  const send: Link['send'] = (call, answer, how) => requests.send(call, answer, how)
  return {
    profile,
    parts,
    send: observedSend(send, { profile, meter: parts.meter, now }),
    health: () => requests.health(),
    close: () => requests.close(),
  }
}

/** Sends requests, so many at once as the profile has sessions, and remembers how they fared. */
class Requests {
  readonly #registry: string
  readonly #log: OpenproviderParts['log']
  readonly #semaphore: Semaphore<Priority>
  readonly #opened: ReturnType<typeof openTransport>
  readonly #login: Login
  #closed = false
  #state: RegistryHealth['state'] = 'idle'
  #last_error: string | null = null

  constructor(profile: OpenproviderProfile, { log }: OpenproviderParts, now: () => number) {
    this.#registry = profile.name
    this.#log = log
    this.#semaphore = new Semaphore({
      limit: profile.sessions,
      queue: { priorities, limit: most_waiting, wait_ms: profile.timeout_ms },
    })
    this.#opened = openTransport(profile)
    this.#login = new Login({ profile, transport: this.#opened.transport, now })
  }

  async send<T>(call: Call, answer: Answer<T>, how: SendOptions): Promise<Outcome<T>> {
    if (this.#closed) return notSent('This registry is closed')
    const release = await this.#semaphore.acquire(how.priority).catch(nullIfOverloaded)
    if (!release) return overloaded()
    try {
      let answer_read = await this.#tried(call, how)
      if (call.repeat && 'outcome' in answer_read && worthRepeating(answer_read.outcome))
        answer_read = await this.#tried(call, how)
      const outcome = outcomeOf(answer_read, answer, call)
      this.#note(outcome)
      return outcome
    } finally {
      release()
    }
  }

  health(): RegistryHealth {
    return {
      state: this.#state,
      sessions: this.#semaphore.running,
      idle: 0,
      circuit_open: false,
      queued: this.#semaphore.queued,
      last_error: this.#last_error,
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#semaphore.idle()
    this.#opened.agent.destroy()
  }

  async #tried(call: Call, how: SendOptions): Promise<ReadAnswer> {
    try {
      return await this.#once(call, how.attempt, null)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      const cause = error.sent ? 'silence' : 'unreachable'
      return { outcome: { kind: 'unknown', cause, message: error.message }, code: null }
    }
  }

  /** Sends one request with its token; an expired token is renewed once. */
  async #once(
    call: Call,
    attempt: Attempt | undefined,
    refused: string | null,
  ): Promise<ReadAnswer> {
    const token = await this.#login.token(refused)
    if (token.kind !== 'done') return { outcome: token, code: null }
    if (call.method !== 'GET') await attempt?.permit?.()
    const answered = await this.#opened.transport(call, { token: token.value, attempt })
    const answer_read = readAnswer(answered, call.purpose ?? 'other')
    if (!isSilence(answer_read)) attempt?.at('reply_read')
    const again = 'code' in answer_read && answer_read.code === token_refused && refused === null
    return again ? this.#once(call, attempt, token.value) : answer_read
  }

  #note(outcome: Outcome<unknown>): void {
    const failed = outcome.kind === 'unknown' && outcome.cause !== 'registry_credit'
    if (failed && this.#state !== 'down')
      this.#log.warn(
        { registry: this.#registry, cause: outcome.cause },
        'request to Openprovider failed',
      )
    this.#state = failed ? 'down' : 'up'
    this.#last_error = failed ? outcome.message : null
  }
}

type Observing = { profile: OpenproviderProfile; meter: Meter | undefined; now: () => number }

function observedSend(send: Link['send'], { profile, ...by }: Observing): Link['send'] {
  const place = { 'server.address': new URL(profile.base_url).hostname }
  return (call, answer, how) =>
    observed({ peer: profile.name, call: nameOf(call), place }, by, () => send(call, answer, how))
}

/** Its method and path, without the ids in it. */
function nameOf({ method, path }: Call): string {
  return `${method} ${path.replaceAll(/\/[^/]*[^/a-z][^/]*/g, '/{id}')}`
}

/** An answer arrived that does not show what happened. */
function isSilence(answer_read: ReadAnswer): boolean {
  return (
    'outcome' in answer_read &&
    answer_read.outcome.kind === 'unknown' &&
    answer_read.outcome.cause === 'silence'
  )
}

function notSent(message: string): Outcome<never> {
  return { kind: 'unknown', cause: 'not_sent', message }
}

function nullIfOverloaded(error: unknown): null {
  if (error instanceof Overloaded) return null
  throw error
}

function overloaded(): Outcome<never> {
  const message = 'Too many requests wait for Openprovider'
  return { kind: 'unknown', cause: 'unreachable', message }
}

function worthRepeating(outcome: Outcome<never>): boolean {
  return outcome.kind === 'unknown' && ['silence', 'server_failed'].includes(outcome.cause)
}

function outcomeOf<T>(
  answer_read: ReadAnswer,
  answer: Answer<T>,
  { method, path }: Call,
): Outcome<T> {
  if ('outcome' in answer_read) return answer_read.outcome
  if (answer.check(answer_read.data))
    return { kind: 'done', value: answer_read.data, sv_trid: null }
  const message = `${method} ${path} was answered without the expected data`
  return { kind: 'unknown', cause: 'silence', message }
}

/** The same outcome with another value. */
export function mapDone<From, To>(outcome: Outcome<From>, to: (value: From) => To): Outcome<To> {
  if (outcome.kind !== 'done') return outcome
  return { ...outcome, value: to(outcome.value) }
}

// The connection to one EPP registry: its pool by the profile, and one command that is sent over it
// and ends in an Outcome, by EPP's result codes (RFC 5730 section 3) and failures (decision 26).

import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Command } from '../../../epp/commands/command.ts'
import { isLongPassword } from '../../../epp/commands/session-management.ts'
import { EppError, type EppFailure, GarbageInput, UnwritableCommand } from '../../../epp/errors.ts'
import { Pool } from '../../../epp/pool/pool.ts'
import type { PoolSettings } from '../../../epp/pool/pool-settings.ts'
import type { AcquireLease } from '../../../epp/pool/pooled-session.ts'
import type { Reply } from '../../../epp/replies/reply.ts'
import { classOf, type ResultClass, result } from '../../../epp/replies/result-codes.ts'
import type { TlsMaterial } from '../../../epp/session/channel.ts'
import { ns } from '../../../epp/xml/xml.ts'
import { monotonicMs } from '../../../kit/clock.ts'
import { newId } from '../../../kit/random.ts'
import type { Meter } from '../../../kit/telemetry.ts'
import { observed } from '../exchange.ts'
import type { Attempt, EppProfile, Outcome, Refusal, Sending, Unknown } from '../port.ts'

export type EppParts = {
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Monotonic milliseconds. */
  now?: () => number
  /**
   * A budget of sessions over several nodes; if left out, the profile's sessions belong to this
   * node alone.
   */
  acquireLease?: AcquireLease
  /** Counts every command, by the name of the registry. */
  meter?: Meter
}

/** A read, or a purchase's attempt with its own clTRID and steps. */
export type SendOptions = Sending & { attempt?: Attempt; meaning?: Partial<Meaning> }

export type Link = {
  profile: EppProfile
  parts: EppParts
  pool: Pool
  send: <Input, Output>(
    command: Command<Input, Output>,
    input: Input,
    how: SendOptions,
  ) => Promise<Outcome<Output>>
}

/** 3 to 64 characters, never the same twice. */
const newClTrid = () => newId('cl')

/** A clTRID for another command of the same attempt, to which the pool may add two characters. */
export function followingId(cl_trid: string): string {
  return cl_trid.length <= 60 ? `${cl_trid}.d` : newClTrid()
}

const queue_limit = 1_000
// Norid ends sessions after 900 commands, and .lv after 5 days. Both are assumed for registries
// that publish no limit.
const max_commands = 800
const max_age_ms = 6 * 3_600_000

async function credentialsOf({ tls }: EppProfile): Promise<TlsMaterial> {
  const read = async (path: string | null) => {
    if (path === null) return null
    try {
      return await readFile(path)
    } catch (error) {
      throw new EppError('unreachable', `TLS file ${path} cannot be read`, { cause: error })
    }
  }
  const [ca, cert, key] = await Promise.all([tls.ca_file, tls.cert_file, tls.key_file].map(read))
  return { ca: ca ?? null, cert: cert ?? null, key: key ?? null, servername: tls.servername }
}

/**
 * Only the extensions that are used: a registry may announce to all clients some that it grants
 * only to a few.
 */
function servicesOf(profile: EppProfile): Pick<PoolSettings['session'], 'objects' | 'extensions'> {
  const contacts = profile.contacts === 'required' ? [ns.contact] : []
  const hosts = profile.host_model === 'hostObj' ? [ns.host] : []
  const fee = profile.fee ? [ns.fee] : []
  const { login_security, password } = profile
  const isLong = login_security === 'long_passwords' && isLongPassword(password)
  const security = login_security === 'required' || isLong ? [ns.loginSec] : []
  return {
    objects: {
      required: [ns.domain, ...contacts, ...hosts],
      optional: profile.contacts === 'optional' ? [ns.contact] : [],
    },
    extensions: { required: [...fee, ...security], optional: [ns.rgp] },
  }
}

function poolSettings(profile: EppProfile, parts: EppParts): PoolSettings {
  const { log, acquireLease } = parts
  return {
    session: {
      host: profile.host,
      port: profile.port,
      credentials: () => credentialsOf(profile),
      client_id: profile.client_id,
      password: profile.password,
      secured_login: profile.login_security === 'required',
      ...servicesOf(profile),
      timeout_ms: profile.timeout_ms,
      onReduced: (message) =>
        log.warn(
          { registry: profile.name, message },
          'log-in refused; tried without its optional services',
        ),
      freshId: newClTrid,
    },
    sessions: profile.sessions,
    idle_ms: profile.idle_s * 1_000,
    queue: { limit: queue_limit, wait_ms: profile.timeout_ms },
    max_commands,
    max_age_ms,
    now: parts.now ?? monotonicMs,
    report: (event) => {
      const facts = { registry: profile.name, ...event }
      if ('failure' in event) log.warn(facts, 'registry session failed')
      else log.info(facts, `registry session ${event.event}`)
    },
    ...(acquireLease && { acquireLease }),
  }
}

function outcomeOfFailure(error: unknown): Outcome<never> {
  if (error instanceof EppError) return outcomeOfError(error)
  if (error instanceof UnwritableCommand) {
    const { message } = error
    return { kind: 'refused', reason: 'bad_request', code: null, message, sv_trid: null }
  }
  throw error
}

/** Opens no connection yet, because the first command does. */
export function openLink(profile: EppProfile, parts: EppParts): Link {
  const pool = new Pool(poolSettings(profile, parts))
  const now = parts.now ?? monotonicMs
  const exchange: Link['send'] = async (command, input, { priority, attempt, meaning, ...how }) => {
    let reply: Reply
    try {
      reply = await pool.request({
        frame: (cl_trid) => command.frame(input, cl_trid),
        cl_trid: attempt?.cl_trid ?? newClTrid(),
        priority,
        transforms: command.transforms,
        permit: command.transforms ? (attempt ?? how).permit : undefined,
        steps: attempt ? { at: attempt.at, half_frames: attempt.half_frames ?? false } : null,
      })
    } catch (error) {
      return outcomeOfFailure(error)
    }
    const facts = { registry: profile.name, command: command.name }
    if (reply.read === 'skimmed' && !command.skims) {
      parts.log.error(facts, 'response is no XML')
      return { kind: 'unknown', cause: 'silence', message: `${command.name}: the answer is no XML` }
    }
    if (reply.read !== 'strict') parts.log.warn(facts, 'response with characters that XML forbids')
    const failed = outcomeOfReply(reply, { priced: false, foreign: false, ...meaning })
    if (failed && failed.kind !== 'accepted') return failed
    try {
      command.identify?.(reply, input)
      if (failed) return failed
      return { kind: 'done', value: command.parse(reply, input), sv_trid: reply.sv_trid }
    } catch (error) {
      if (!(error instanceof GarbageInput)) throw error
      parts.log.error({ ...facts, ...error.facts, err: error }, 'response not understood')
      return { kind: 'unknown', cause: 'silence', message: `${command.name}: ${error.message}` }
    }
  }
  const { name: peer, host, port } = profile
  const place = { 'server.address': host, 'server.port': port }
  const send: Link['send'] = (command, input, how) =>
    observed({ peer, call: command.name, place }, { now, meter: parts.meter }, () =>
      exchange(command, input, how),
    )
  return { profile, parts, pool, send }
}

/** The same outcome with another value. */
export function mapDone<From, To>(outcome: Outcome<From>, to: (value: From) => To): Outcome<To> {
  if (outcome.kind !== 'done') return outcome
  return { ...outcome, value: to(outcome.value) }
}

/** Facts of the command that change what a code means. */
export type Meaning = {
  /** The command carries a fee that was agreed to, so a refusal may concern the fee. */
  priced: boolean
  /** In a transfer in, 2201 cannot mean "not ours": it is the registry's rule (60 days). */
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
  // A success that answers another command does not show what happened.
  ending: 'silence',
  not_logged_in: 'not_sent',
  credit: 'registry_credit',
  authentication: 'authentication',
  server_failed: 'server_failed',
  session_limit: 'session_limit',
}

const aboutFees = /\b(fees?|prices?|pricing|costs?|amounts?|currency|premium)\b/i
/** Other parameters of a command that costs money, in the words with which servers name them. */
const aboutOthers =
  /\b(period|years?|exp\w*|cur\w*date|dates?|contacts?|registrant|hosts?|name ?servers?|auth\w*)\b/i

/**
 * The cause that the server names: an element of the command, or its text. It is null if there is
 * none.
 */
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
 * RFC 8748 section 5: 2004 means that the fee differs from the one due, and the server need say
 * nothing more. 2003 means that the fee is missing, but many other parameters can cause it, so
 * there the server must say so.
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

/** The outcome of an answer, or null for a plain success whose data is still to be read. */
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

/** The reasons of errors before anything was sent; any other error is just `not_sent`. */
const unsent: Partial<Record<EppFailure, Unknown>> = {
  unreachable: 'unreachable',
  greeting: 'unreachable',
  circuit_open: 'unreachable',
  overloaded: 'unreachable',
  timeout: 'unreachable',
  authentication: 'authentication',
  session_limit: 'session_limit',
}

/** A failed exchange is never a refusal, because the command ran, did not run, or may still run. */
export function outcomeOfError(error: EppError): Outcome<never> {
  const cause = error.sent === 'maybe_sent' ? 'silence' : (unsent[error.failure] ?? 'not_sent')
  return { kind: 'unknown', cause, message: error.message }
}

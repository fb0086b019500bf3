// The line to one EPP registry: its pool by the profile, and one command sent over it as an
// Outcome.

import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Command } from '../../../epp/commands/command.ts'
import { EppError, GarbageInput, UnwritableCommand } from '../../../epp/errors.ts'
import { Pool, type PoolSettings } from '../../../epp/pool/pool.ts'
import type { AcquireLease } from '../../../epp/pool/pooled-session.ts'
import type { Reply } from '../../../epp/replies/reply.ts'
import type { TlsMaterial } from '../../../epp/session/channel.ts'
import { ns } from '../../../epp/xml/xml.ts'
import { monotonicMs } from '../../../kit/clock.ts'
import { newId } from '../../../kit/random.ts'
import type { Attempt, EppProfile, Outcome, Priority } from '../port.ts'
import { type Meaning, outcomeOfError, outcomeOfReply } from './epp-outcome.ts'

export type EppParts = {
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Monotonic milliseconds. */
  now?: () => number
  /** A budget of sessions over several nodes; left out, the profile's are this node's alone. */
  acquireLease?: AcquireLease
}

/** A read, or a purchase's attempt with its own clTRID and steps. */
export type How = { priority: Priority; attempt?: Attempt; meaning?: Partial<Meaning> }

export type Link = {
  profile: EppProfile
  parts: EppParts
  pool: Pool
  send: <Input, Output>(
    command: Command<Input, Output>,
    input: Input,
    how: How,
  ) => Promise<Outcome<Output>>
}

/** 3 to 64 characters, never the same twice. */
const newClTrid = () => newId('cl')

const queue_limit = 1_000
// Norid cuts sessions after 900 commands, .lv after 5 days; both are assumed for registries that
// publish no limit.
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

function servicesOf(profile: EppProfile): Pick<PoolSettings['session'], 'objects' | 'extensions'> {
  const contacts = profile.contacts === 'required' ? [ns.contact] : []
  const hosts = profile.host_model === 'hostObj' ? [ns.host] : []
  const rest = [ns.contact, ns.host].filter((uri) => ![...contacts, ...hosts].includes(uri))
  const fee = profile.fee ? [ns.fee] : []
  const security = profile.login_security === 'never' ? [] : [ns.loginSec]
  return {
    objects: { required: [ns.domain, ...contacts, ...hosts], optional: rest },
    extensions: { required: [...fee, ...security], optional: [ns.rgp, ns.secDNS] },
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

/** Opens no connection yet: the first command does. */
export function openLink(profile: EppProfile, parts: EppParts): Link {
  const pool = new Pool(poolSettings(profile, parts))
  const send: Link['send'] = async (command, input, { priority, attempt, meaning }) => {
    let reply: Reply
    try {
      reply = await pool.request({
        frame: (cl_trid) => command.frame(input, cl_trid),
        cl_trid: attempt?.cl_trid ?? newClTrid(),
        priority,
        transforms: command.transforms,
        steps: attempt ? { at: attempt.at, half_frames: attempt.half_frames ?? false } : null,
      })
    } catch (error) {
      return outcomeOfFailure(error)
    }
    const failed = outcomeOfReply(reply, { priced: false, foreign: false, ...meaning })
    if (failed && failed.kind !== 'accepted') return failed
    try {
      command.identify?.(reply, input)
      if (failed) return failed
      return { kind: 'done', value: command.parse(reply, input), sv_trid: reply.sv_trid }
    } catch (error) {
      if (!(error instanceof GarbageInput)) throw error
      const facts = { registry: profile.name, command: command.name, err: error }
      parts.log.error({ ...facts, ...error.facts }, 'odd answer')
      return { kind: 'unknown', cause: 'silence', message: `${command.name}: ${error.message}` }
    }
  }
  return { profile, parts, pool, send }
}

/** The same outcome with another value. */
export function mapDone<From, To>(outcome: Outcome<From>, to: (value: From) => To): Outcome<To> {
  if (outcome.kind !== 'done') return outcome
  return { ...outcome, value: to(outcome.value) }
}

// One EPP session (RFC 5730 section 2): greeting, log-in, one command at a time, hello, log-out.

import { helloFrame, languageOf, login, logout } from '../commands/session-management.ts'
import { EppError, type EppFailure, GarbageInput, UnwritableCommand } from '../errors.ts'
import { type Greeting, parseGreeting, type Reply, readReply } from '../replies/reply.ts'
import { classOf, endsSession, result } from '../replies/result-codes.ts'
import { type Channel, openChannel, type Steps, type Target, type TlsMaterial } from './channel.ts'

export type SessionSettings = {
  host: string
  port: number
  /** Called for each connection, so that renewed certificates are used. */
  credentials: () => Promise<TlsMaterial>
  client_id: string
  password: string
  /** Logs in by RFC 8807, whatever the password's length is. */
  secured_login: boolean
  /**
   * Namespace URIs. Without a required one we do not log in, and the optional ones are used if they
   * are offered.
   */
  objects: { required: readonly string[]; optional: readonly string[] }
  extensions: { required: readonly string[]; optional: readonly string[] }
  timeout_ms: number
  /** Called when a log-in was refused and is tried again without the optional services. */
  onReduced?: (message: string) => void
  /** A new clTRID for log-in, log-out and re-sent commands. */
  freshId: () => string
}

export class Session {
  readonly greeting: Greeting
  readonly #channel: Channel
  readonly #settings: SessionSettings
  /** The number of commands sent, without the log-in. */
  commands = 0

  constructor(channel: Channel, greeting: Greeting, settings: SessionSettings) {
    this.#channel = channel
    this.greeting = greeting
    this.#settings = settings
  }

  get open(): boolean {
    return this.#channel.open
  }

  /** Called once when the connection is over. */
  onEnd(ended: () => void): void {
    this.#channel.ended = ended
  }

  /**
   * Sends one command and reads its answer. Rejects with EppError, whose `sent` says whether the
   * server may have it. Anything that makes the next answer doubtful ends the session: a time-out,
   * garbage, or an answer to another command.
   */
  async send(frame: string, cl_trid: string, steps: Steps | null): Promise<Reply> {
    if (!this.open) throw new EppError('closed', 'The session has ended')
    steps?.at('connected')
    this.commands += 1
    const bytes = await this.#channel.exchange(frame, this.#settings.timeout_ms, steps)
    const reply = this.#read(bytes, cl_trid)
    steps?.at('reply_read')
    if (endsSession(reply.code)) this.destroy(`The server ended the session with ${reply.code}`)
    return reply
  }

  /** Sends a hello. The session is dead if no greeting answers it. */
  async keepAlive(): Promise<void> {
    const bytes = await this.#channel.exchange(helloFrame, this.#settings.timeout_ms, null)
    try {
      parseGreeting(bytes)
    } catch (error) {
      this.destroy('No greeting after a hello')
      throw error
    }
  }

  /** Logs out as far as the server lets us, and ends the connection. */
  async close(): Promise<void> {
    if (this.open) {
      const cl_trid = this.#settings.freshId()
      try {
        await this.send(logout.frame(null, cl_trid), cl_trid, null)
      } catch (error) {
        // A session that ends without a response to its logout has ended all the same.
        if (!(error instanceof EppError)) throw error
      }
    }
    this.destroy()
  }

  destroy(reason = 'Closed by us'): void {
    this.#channel.destroy(reason)
  }

  #read(bytes: Buffer, cl_trid: string): Reply {
    let reply: Reply
    try {
      reply = readReply(bytes)
    } catch (error) {
      if (!(error instanceof GarbageInput)) throw error
      this.destroy(error.message)
      throw new EppError('garbage', error.message, { sent: 'maybe_sent', cause: error })
    }
    // A server that could not read our frame has no clTRID to repeat, but any success must repeat
    // it.
    const isRefusal = reply.read !== 'skimmed' && reply.code >= result.unknown_command
    const unread = reply.cl_trid === null && isRefusal
    if (reply.cl_trid !== cl_trid && !unread) {
      this.destroy('An answer to another command')
      throw new EppError('mismatch', `Answer to ${reply.cl_trid}, not to ${cl_trid}`, {
        sent: 'maybe_sent',
      })
    }
    return reply
  }
}

function checkMenu(greeting: Greeting, settings: SessionSettings): void {
  const { objects, extensions } = settings
  const missing = [
    ...objects.required.filter((uri) => !greeting.objects.includes(uri)),
    ...extensions.required.filter((uri) => !greeting.extensions.includes(uri)),
  ]
  if (missing.length > 0) {
    throw new EppError('greeting', `${greeting.server} does not offer ${missing.join(', ')}`)
  }
}

const loginFailures: Partial<Record<ReturnType<typeof classOf>, EppFailure>> = {
  authentication: 'authentication',
  session_limit: 'session_limit',
}

/** Refusals that may concern the requested services, by whichever code. */
const aboutServices: readonly ReturnType<typeof classOf>[] = [
  'authorization',
  'bad_command',
  'not_logged_in',
  'policy',
  'unsupported',
]

type Services = Pick<SessionSettings, 'objects' | 'extensions'>

function withoutOptional({ objects, extensions }: Services): Services {
  return {
    objects: { required: objects.required, optional: [] },
    extensions: { required: extensions.required, optional: [] },
  }
}

function offered(session: Session, { objects, extensions }: Services) {
  const of = (wanted: Services['objects'], menu: string[]) =>
    [...wanted.required, ...wanted.optional].filter((uri) => menu.includes(uri))
  const { greeting } = session
  return { objects: of(objects, greeting.objects), extensions: of(extensions, greeting.extensions) }
}

async function logIn(session: Session, settings: SessionSettings): Promise<void> {
  const cl_trid = settings.freshId()
  const frame = login.frame(
    {
      client_id: settings.client_id,
      password: settings.password,
      secured: settings.secured_login,
      language: languageOf(session.greeting.languages),
      ...offered(session, settings),
    },
    cl_trid,
  )
  const { code, message, read } = await session.send(frame, cl_trid, null)
  if (read === 'skimmed') throw new EppError('garbage', 'The answer to the log-in is no XML')
  if (code !== result.completed) {
    const failure = loginFailures[classOf(code)] ?? 'login'
    throw new EppError(failure, `Log-in refused: ${code} ${message}`, { code })
  }
}

/**
 * Whether fewer services may be granted if these were refused, because some are announced to all.
 */
function mayReduce(error: unknown, session: Session, settings: SessionSettings): boolean {
  if (!(error instanceof EppError) || error.code === null) return false
  const count = ({ objects, extensions }: ReturnType<typeof offered>) =>
    objects.length + extensions.length
  const all = count(offered(session, settings))
  const fewer = count(offered(session, withoutOptional(settings)))
  return fewer < all && aboutServices.includes(classOf(error.code))
}

/** If anything fails before a session is established, no command of the caller has been sent. */
function beforeSession(error: unknown): unknown {
  if (error instanceof EppError) {
    return new EppError(error.failure, error.message, {
      cause: error,
      ...(error.code !== null && { code: error.code }),
    })
  }
  if (error instanceof GarbageInput) return new EppError('greeting', error.message)
  if (error instanceof UnwritableCommand) return new EppError('login', error.message)
  return error
}

/** Connects, and reads the greeting. */
async function greeted(settings: SessionSettings, lost: AbortSignal | undefined): Promise<Session> {
  const { host, port, timeout_ms } = settings
  const target: Target = { host, port, tls: await settings.credentials(), timeout_ms }
  const channel = await openChannel(target)
  const hangUp = () => channel.destroy('The right to this session was lost')
  if (lost?.aborted) hangUp()
  lost?.addEventListener('abort', hangUp)
  try {
    const greeting = parseGreeting(await channel.greeting(timeout_ms))
    checkMenu(greeting, settings)
    return new Session(channel, greeting, settings)
  } catch (error) {
    channel.destroy()
    throw error
  }
}

/**
 * Logs in once. If the services are refused, it logs in once more without the optional ones, over
 * another connection, because some servers close the first.
 */
async function loggedIn(settings: SessionSettings, lost: AbortSignal | undefined) {
  const session = await greeted(settings, lost)
  try {
    await logIn(session, settings)
    return session
  } catch (error) {
    session.destroy()
    if (!mayReduce(error, session, settings)) throw error
    settings.onReduced?.(error instanceof Error ? error.message : '')
  }
  const fewer = { ...settings, ...withoutOptional(settings) }
  const again = await greeted(fewer, lost)
  try {
    await logIn(again, fewer)
    return again
  } catch (error) {
    again.destroy()
    throw error
  }
}

/**
 * Connects, checks the server's offer, and logs in. Rejects with EppError, always `not_sent`. When
 * `lost` is aborted, now or at any time later, the connection ends at once.
 */
export async function openSession(settings: SessionSettings, lost?: AbortSignal): Promise<Session> {
  try {
    const session = await loggedIn(settings, lost)
    session.commands = 0
    return session
  } catch (error) {
    throw beforeSession(error)
  }
}

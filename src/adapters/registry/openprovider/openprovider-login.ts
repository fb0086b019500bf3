// The log-in at Openprovider: one token for all requests, and only one request for it at a time.
import Type from 'typebox'
import { compile } from '../../../kit/schema.ts'
import type { OpenproviderProfile, Outcome } from '../port.ts'
import { NoAnswer } from './openprovider-http.ts'
import { readAnswer } from './openprovider-outcome.ts'
import type { Transport } from './openprovider-sockets.ts'

/** They drop a token some time after a day; their own tools request another every 12 hours. */
const token_age_ms = 12 * 3_600_000
/**
 * A refused log-in is not tried again for this long, because accounts are locked after fewer
 * attempts.
 */
const refused_ms = 30_000

const answer = compile(Type.Object({ token: Type.String({ minLength: 1 }) }))

type Parts = { profile: OpenproviderProfile; transport: Transport; now: () => number }
type Token = Outcome<string>

export class Login {
  readonly #parts: Parts
  #token: { outcome: Token; until: number } | null = null
  #asking: Promise<Token> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The token, or a different one than `refused`, whichever waiting request asks for it first. */
  async token(refused: string | null): Promise<Token> {
    const known = this.#token
    const stale = known?.outcome.kind === 'done' && known.outcome.value === refused
    if (known && !stale && this.#parts.now() < known.until) return known.outcome
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<Token> {
    this.#token = null
    const { profile, transport, now } = this.#parts
    const outcome = await this.#request(profile, transport)
    const definite = outcome.kind === 'unknown' && outcome.cause === 'authentication'
    if (outcome.kind === 'done') this.#token = { outcome, until: now() + token_age_ms }
    else if (definite) this.#token = { outcome, until: now() + refused_ms }
    return outcome
  }

  /** Whatever fails here, nothing of the request that needs the token was sent. */
  async #request(
    { client_id, password }: OpenproviderProfile,
    transport: Transport,
  ): Promise<Token> {
    const unreachable = (message: string): Token => {
      return { kind: 'unknown', cause: 'unreachable', message: `Log-in: ${message}` }
    }
    try {
      const body = { username: client_id, password, ip: '0.0.0.0' }
      const call = { method: 'POST' as const, path: '/auth/login', body, repeat: true }
      const answered = readAnswer(await transport(call, { token: null }), 'other')
      if ('data' in answered) {
        if (!answer.check(answered.data)) return unreachable('the answer has no token')
        return { kind: 'done', value: answered.data.token, sv_trid: null }
      }
      const { outcome } = answered
      if (outcome.kind === 'unknown' && outcome.cause === 'authentication') return outcome
      return unreachable('message' in outcome ? outcome.message : outcome.kind)
    } catch (error) {
      if (error instanceof NoAnswer) return unreachable(error.message)
      throw error
    }
  }
}

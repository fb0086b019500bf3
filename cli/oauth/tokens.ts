// Tokens of a log-in: the refresh with rotation, where each refresh token is used once, and the
// revocation (RFC 7009).
import type { AccessToken, Audience, KeptLogIn } from '../credentials.ts'
import { exitCodes, Failure } from '../failure.ts'
import { postForm, refusal, textIn } from './request.ts'

/** A token that expires within this time is replaced before it is used. */
const LEEWAY_MS = 60_000

export function tokenOf(body: Record<string, unknown>): AccessToken {
  const access_token = textIn(body, 'access_token')
  if (access_token === null) throw new Failure(exitCodes.unavailable, 'No access token was given')
  const seconds = Number(body.expires_in ?? 3600)
  return { access_token, expires_at: new Date(Date.now() + seconds * 1000).toISOString() }
}

/** The access token, if it stays valid for a while longer. */
export function usable({ tokens }: KeptLogIn, audience: Audience): string | null {
  const token = tokens[audience]
  if (token === undefined || Date.parse(token.expires_at) - LEEWAY_MS < Date.now()) return null
  return token.access_token
}

/**
 * The tokens, or null if the service no longer accepts the refresh token because the log-in has
 * ended.
 */
export async function refresh(kept: KeptLogIn, audience: Audience): Promise<KeptLogIn | null> {
  const { client_id, refresh_token, resources, token_endpoint } = kept
  const resource = resources[audience]
  if (refresh_token === null) return null
  if (resource === null) throw new Failure(exitCodes.refused, 'The log-in is not for MCP')
  const fields = { grant_type: 'refresh_token', refresh_token, client_id, resource }
  const answer = await postForm(token_endpoint, Object.entries(fields))
  const { status, body } = answer
  if (body.error === 'invalid_grant' || body.error === 'invalid_client') return null
  if (status !== 200) throw refusal('The renewal of the log-in', answer)
  return {
    ...kept,
    scope: textIn(body, 'scope') ?? kept.scope,
    refresh_token: textIn(body, 'refresh_token') ?? refresh_token,
    tokens: { ...kept.tokens, [audience]: tokenOf(body) },
  }
}

/**
 * Ends the log-in at the service, which also ends its access tokens and the API keys that it made.
 */
export async function revoke({
  client_id,
  refresh_token,
  revocation_endpoint,
}: KeptLogIn): Promise<void> {
  if (refresh_token === null || revocation_endpoint === null) return
  const fields = { token: refresh_token, token_type_hint: 'refresh_token', client_id }
  const answer = await postForm(revocation_endpoint, Object.entries(fields))
  if (answer.status !== 200) throw refusal('The revocation', answer)
}

// Requests to an authorization server as forms or JSON, each with one answer or one failure.
import { exitCodes, Failure } from '../failure.ts'

/** Below the age at which a lock counts as stale, because a refresh holds a lock. */
const WAIT_MS = 20_000

export type Answer = { status: number; body: Record<string, unknown> }

export function getJson(url: string): Promise<Answer> {
  return ask(url, { headers: { accept: 'application/json' } })
}

export function postJson(url: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return ask(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

export function postForm(url: string, fields: [string, string][]): Promise<Answer> {
  return ask(url, { method: 'POST', body: new URLSearchParams(fields) })
}

async function ask(url: string, request: RequestInit): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(WAIT_MS)
    const answer = await fetch(url, { ...request, redirect: 'error', signal })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? Object(JSON.parse(text)) : {} }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    throw new Failure(exitCodes.unavailable, `${url} did not respond: ${cause}`, {
      next: 'Check --url and the network, then run the command again.',
    })
  }
}

/** The failure for an answer with `error` and `error_description` (RFC 6749 section 5.2). */
export function refusal(doing: string, { status, body }: Answer): Failure {
  const { error, error_description } = body
  const why = [error, error_description].filter((word) => typeof word === 'string').join(': ')
  const exit = status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.refused
  return new Failure(exit, `${doing} was refused: ${why || `status ${status}`}`, {
    body: Object.keys(body).length === 0 ? { status } : body,
  })
}

export function textIn(body: Record<string, unknown>, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

// Requests to the service: the one file that knows how they are sent.
import { exitCodes, Failure, failureOf } from './failure.ts'

export type Api = <T>(
  method: 'GET' | 'POST',
  path: string,
  more?: { body?: unknown; key?: string },
) => Promise<T>

const WAIT_MS = 90_000
const TRIES = 3

/**
 * Reads are tried again, and so are requests with an idempotency key, which stays the same: each
 * has at most one effect.
 */
export function openApi(url: string, token: string): Api {
  return async (method, path, { body, key } = {}) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (key !== undefined) headers['idempotency-key'] = key
    const tries = method === 'GET' || key !== undefined ? TRIES : 1
    for (let left = tries - 1; ; left -= 1) {
      const answer = await send(url + path, {
        method,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(WAIT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (answer.ok) return JSON.parse(answer.text)
      if (left <= 0 || !(answer.status === 0 || answer.status >= 502)) throw failed(url, answer)
      await new Promise((resolve) => setTimeout(resolve, 2 ** (tries - left) * 100))
    }
  }
}

type Answer = { ok: boolean; status: number; text: string }

/** Status 0: no whole answer came, for the reason in the text. */
async function send(url: string, request: RequestInit): Promise<Answer> {
  try {
    const answer = await fetch(url, request)
    return { ok: answer.ok, status: answer.status, text: await answer.text() }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return { ok: false, status: 0, text: String(cause) }
  }
}

function failed(url: string, { status, text }: Answer): Failure {
  if (status === 0)
    return new Failure(exitCodes.unavailable, `${url} gave no answer: ${text}`, {
      next: 'Look at --url and the network, then run the command again.',
    })
  return failureOf(status, text.startsWith('{') ? JSON.parse(text) : null)
}

// Chat by an incoming webhook as Slack, Mattermost, Rocket.Chat and Zulip accept it: a POST of
// {"text"} that is answered by 2xx.
import { boundedFetch } from '../../kit/net/bounded-fetch.ts'
import type { Chat, Posting } from './port.ts'

const usual_timeout_ms = 10_000
const most_bytes = 4_096
const most_reason = 200

/**
 * The URL is a secret, because it is all that posting needs. It appears in no reason and no log.
 */
export function openSlackWebhook({ url }: { url: string }, timeout_ms = usual_timeout_ms): Chat {
  return {
    async post(text) {
      try {
        const response = await boundedFetch(
          url,
          {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ text }),
            signal: AbortSignal.timeout(timeout_ms),
          },
          most_bytes,
        )
        return response.ok ? { kind: 'posted' } : await refusal(response, url)
      } catch (error) {
        return { kind: 'away', reason: reasonOf(error), retry_after_s: null }
      }
    },
  }
}

async function refusal(response: Response, url: string): Promise<Posting> {
  const printable = (await response.text()).replaceAll(/[^\x20-\x7e]+/g, ' ').trim()
  const after = Number(response.headers.get('retry-after') ?? '')
  return {
    kind: 'refused',
    reason: `HTTP ${response.status} ${withoutUrl(printable, url).slice(0, most_reason)}`.trim(),
    retry_after_s: Number.isFinite(after) && after > 0 ? after : null,
  }
}

/** A server may repeat the request in its answer. */
function withoutUrl(text: string, url: string): string {
  const { pathname, host } = new URL(url)
  const parts = [url, pathname, ...pathname.split('/')].filter((part) => part.length >= 8)
  return parts.reduce((left, part) => left.replaceAll(part, '...'), text).replaceAll(host, '...')
}

/** Only the code is reported, because messages of network errors may contain addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return 'no answer in time'
  if (error instanceof RangeError) return 'the answer is too long'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? `no answer (${cause.code})` : 'no answer'
}

/**
 * Makes Slack show the text literally, without mentions and links (its reference, "Escaping text").
 */
export function literalText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

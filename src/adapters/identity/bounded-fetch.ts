// Bounded fetch for conversations with providers: an answer has a limit of size, and a redirect is
// not followed, as it would send codes and tokens elsewhere. The caller's signal bounds the time.
import type { CustomFetch } from 'openid-client'

const most_bytes = 1024 * 1024

/** Throws an Error for an answer that is larger. */
export const boundedFetch: CustomFetch = async (url, { body, signal, ...options }) => {
  const response = await fetch(url, {
    ...options,
    body: body ?? null,
    signal: signal ?? null,
    redirect: 'manual',
  })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > most_bytes) throw new RangeError(`An answer has more than ${most_bytes} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  const hasNoBody = status === 204 || status === 304
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, statusText, headers })
}

// Bounded fetch for conversations with external services: an answer has a limit of size, and a
// redirect is not followed, because it would send codes and keys elsewhere. The caller's signal
// bounds the time.
type Options = {
  method: string
  headers: Record<string, string>
  body?: NonNullable<RequestInit['body']> | null | undefined
  signal?: AbortSignal | null | undefined
}

const usual_bytes = 1024 * 1024

/** Fetches an answer of at most `most_bytes`, and throws an Error for a larger one. */
export async function boundedFetch(
  url: string,
  { body, signal, method, headers: sent }: Options,
  most_bytes = usual_bytes,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: sent,
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

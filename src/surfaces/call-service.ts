// One request of bin/call to the service that the settings name, with their credentials.
import { readCallSettings } from '../config/config.ts'

type Request = { method?: string; headers?: Record<string, string>; body?: string }

/** Rejects with one line that says where no service answered, and which settings name it. */
export async function callService(path: string, request: Request = {}): Promise<Response> {
  const { url, token } = readCallSettings()
  const headers = {
    'user-agent': 'bin/call',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...request.headers,
  }
  try {
    return await fetch(`${url}${path}`, { ...request, headers })
  } catch (error) {
    const sentence = `No service answers at ${url}. Start it, or set PUBLIC_URL, or HOST and PORT.`
    throw new Error(sentence, { cause: error })
  }
}

/**
 * The text itself where it is JSON, because its numbers would lose digits, or else a JSON string of
 * it.
 */
export function jsonOf(text: string, type: unknown): string {
  if (type === 'string') return JSON.stringify(text)
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

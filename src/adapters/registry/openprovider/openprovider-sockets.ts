// Transport to Openprovider: reads share connections, and every other request has its own.
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Attempt, OpenproviderProfile } from '../port.ts'
import { type Exchange, exchange, type HttpAnswer } from './openprovider-http.ts'
import type { Purpose } from './openprovider-outcome.ts'

export type Call = {
  method: Exchange['method']
  /** The path below the base URL. */
  path: string
  query?: Record<string, string | number | boolean>
  body?: object
  /** Whether it changes nothing there, so that it is repeated once if no answer arrives. */
  repeat?: boolean
  purpose?: Purpose
}

/** One request, with the token if there is one yet. */
export type Transport = (
  call: Call,
  by: { token: string | null; attempt?: Attempt | undefined },
) => Promise<HttpAnswer>

/** Connections of reads are kept this long between them. */
const idle_ms = 30_000

export function openTransport({ base_url, sessions, timeout_ms }: OpenproviderProfile) {
  const base = base_url.replace(/\/$/, '')
  const kept = { keepAlive: true, maxSockets: sessions, timeout: idle_ms }
  const agent = base.startsWith('https:') ? new TlsAgent(kept) : new PlainAgent(kept)
  const transport: Transport = async (
    { method, path, query, body, repeat = false },
    { token, attempt },
  ) => {
    const url = new URL(`${base}${path}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, `${value}`)
    const headers = {
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const text = body ? JSON.stringify(body) : null
    const given = { method, url, headers, body: text, timeout_ms, attempt: attempt ?? null }
    return exchange({ ...given, agent: repeat ? agent : false })
  }
  return { transport, agent }
}

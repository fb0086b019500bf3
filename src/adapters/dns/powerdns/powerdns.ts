// PowerDNS over its HTTP API, version 1: a zone is created, or changed where it differs from the
// desired state.
import { askAddress, askSet } from '../lookup/dns-lookup.ts'
import type { Dns, DnsPlace, Glue, Pushed } from '../port.ts'
import { type Answer, type Call, drop, put } from './zone-calls.ts'

type PowerDnsOptions = {
  /** The URL without a path, such as "http://127.0.0.1:8081". */
  url: string
  api_key: string
  /** The address at which it answers DNS. */
  place: DnsPlace
  glue: Glue
}

/** The time for all calls that one zone needs, because an agent waits for them. */
const answers_ms = 8_000

export function openPowerDns({ url, api_key, place, glue }: PowerDnsOptions): Dns {
  const server = `${url}/api/v1/servers/localhost`
  const within = (signal: AbortSignal): Call => {
    return async (method, path, body) => {
      const response = await fetch(`${server}${path}`, {
        method,
        headers: { 'X-API-Key': api_key, 'content-type': 'application/json' },
        signal,
        redirect: 'error',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    }
  }
  return {
    place,
    provider: {
      id: `powerdns ${url}`,
      put: (zone) => pushed(within, (call) => put(call, zone, glue)),
      drop: (name) => pushed(within, async (call) => ({ last: await drop(call, name) })),
    },
    ask: (name) => askAddress(place, name),
    askSet: (name, type) => askSet(place, name, type),
    close: async () => undefined,
  }
}

async function pushed(
  within: (signal: AbortSignal) => Call,
  work: (call: Call) => Promise<{ last: Answer; without?: string[] }>,
): Promise<Pushed> {
  try {
    const { last, without = [] } = await work(within(AbortSignal.timeout(answers_ms)))
    const { status, text } = last
    if (status >= 200 && status < 300)
      return without.length === 0 ? { kind: 'done' } : { kind: 'done', without }
    const reason = status >= 500 ? 'unreachable' : 'refused'
    return { kind: 'failed', reason, message: `PowerDNS answered ${status}: ${text.slice(0, 200)}` }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const message = cause instanceof Error ? cause.message : String(cause)
    return { kind: 'failed', reason: 'unreachable', message: `PowerDNS: ${message}` }
  }
}

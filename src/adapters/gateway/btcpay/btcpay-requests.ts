// Requests to a BTCPay Server's Greenfield API, bounded in time and size, with every answer
// validated. Any failure is GatewayUnavailable, without the key.
import { boundedFetch } from '../../../kit/net/bounded-fetch.ts'
import type { Validator } from '../../../kit/schema.ts'
import { PeerHealth, type PeerState } from '../../../kit/telemetry.ts'
import { GatewayUnavailable } from '../port.ts'

export type BtcpayPlace = {
  url: string
  store_id: string
  api_key: string
  /** The path of one invoice in the API: below /invoices, or (before 2026) below its store. */
  invoice_routes: 'invoices' | 'stores'
}

type Request<T> = {
  method: 'GET' | 'POST'
  /** The path below /api/v1. */
  path: string
  query?: Record<string, string>
  body?: object
  answer: Validator<T>
}

export type Greenfield = {
  ask: <T>(request: Request<T>) => Promise<T>
  storePath: (rest: string) => string
  invoicePath: (id: string, rest?: string) => string
  health: () => PeerState
}

export function openGreenfield(place: BtcpayPlace, timeout_ms: number): Greenfield {
  const storePath = (rest: string) => `/stores/${encodeURIComponent(place.store_id)}${rest}`
  const health = new PeerHealth()
  return {
    health: () => health.read(),
    storePath,
    invoicePath(id, rest = '') {
      const path = `/invoices/${encodeURIComponent(id)}${rest}`
      return place.invoice_routes === 'stores' ? storePath(path) : path
    },
    async ask({ method, path, query = {}, body, answer }) {
      const url = new URL(`${place.url}/api/v1${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const named = `BTCPay Server: ${method} ${path}`
      const { status, text } = await exchange(place, { method, url, body, timeout_ms }).catch(
        (cause) => {
          health.note('does not respond')
          throw new GatewayUnavailable(`${named} did not respond`, { cause })
        },
      )
      health.noteStatus(status)
      if (status !== 200) throw new GatewayUnavailable(`${named} answered ${status}`)
      try {
        return answer.parse(text === '' ? null : JSON.parse(text))
      } catch (cause) {
        health.note('sent a response that was not understood')
        throw new GatewayUnavailable(`${named}: response not understood`, { cause })
      }
    },
  }
}

type Exchange = { method: string; url: URL; body: object | undefined; timeout_ms: number }

async function exchange({ api_key }: BtcpayPlace, { method, url, body, timeout_ms }: Exchange) {
  const headers = {
    authorization: `token ${api_key}`,
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await boundedFetch(url.href, {
    method,
    headers,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeout_ms),
  })
  return { status: response.status, text: await response.text() }
}

// HTTP server of the simulated Stripe: API keys, fault injection, payment pages.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Delays } from '../support/delays.ts'
import type { EffectLog } from '../support/effect-log.ts'
import {
  isHttpFault,
  type JsonAnswer,
  misbehaveOverHttp,
  readRequestText,
  sendJson,
} from '../support/http-faults.ts'
import { serveCardPage } from './card-page.ts'
import { type Fault, type Faults, falsify } from './processor-faults.ts'
import { matchStripeRoute, type Served, StripeRefusal } from './stripe-routes.ts'

type Parts = {
  served: Served
  faults: Faults
  effectLog: EffectLog
  report: (error: unknown) => void
  /** Called with the address once it listens. */
  listening: (base_url: string) => void
}
type Listener = {
  /** How often a client followed the redirect of a fault. */
  followed: () => number
  releaseDelayed: () => void
  close: () => Promise<void>
}

export async function openProcessorServer(
  parts: Parts,
  at: { host: string; port: number },
): Promise<Listener> {
  const delays = new Delays()
  let followed = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', parts.served.base_url())
    if (url.pathname === '/elsewhere') followed += 1
    receive({ ...parts, delays }, { url, request, response }).catch((error) => {
      parts.report(error)
      response.destroy()
    })
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  parts.listening(`http://${at.host}:${address.port}`)
  return {
    followed: () => followed,
    releaseDelayed: () => delays.release(),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      delays.close()
      await closed
    },
  }
}

type Serving = Parts & { delays: Delays }
type Exchange = { url: URL; request: IncomingMessage; response: ServerResponse }

async function receive(serving: Serving, { url, request, response }: Exchange): Promise<void> {
  const text = await readRequestText(request)
  const method = request.method ?? ''
  if (!url.pathname.startsWith('/v1/')) {
    serveCardPage(serving.served.store, { method, url, text, response })
    return
  }
  const key = request.headers['idempotency-key']
  const idempotency_key = typeof key === 'string' ? key : null
  const matched = matchStripeRoute(serving.served, { method, url, text, idempotency_key })
  const command = matched?.command ?? 'unknown'
  serving.effectLog.received(command)
  const run = (): JsonAnswer => {
    if (!isAuthorized(serving.served.store.api_key, request)) return unauthorized
    if (!matched) return notFound
    return counted(serving, command, matched.run)
  }
  const fault = serving.faults.take('request', command)
  if (!fault) {
    sendJson(response, run())
    return
  }
  serving.effectLog.fault(fault.name)
  misbehave(serving, { fault, run, response })
}

function counted({ effectLog }: Serving, command: string, run: () => JsonAnswer): JsonAnswer {
  let answer: JsonAnswer
  try {
    answer = run()
    if (/:(create|expire)$/.test(command)) effectLog.applied(command)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    answer = error.answer
  }
  effectLog.answered(command, answer.status)
  return answer
}

type Misbehaving = { fault: Fault; run: () => JsonAnswer; response: ServerResponse }

function misbehave({ delays }: Serving, { fault, run, response }: Misbehaving): void {
  const { name, delay_ms } = fault
  if (isHttpFault(name)) misbehaveOverHttp(name, { run, response, delays, delay_ms })
  else if (name === 'rate_limited') sendJson(response, rateLimited)
  else {
    const { status, body } = run()
    sendJson(response, { status, body: falsify(name, body) })
  }
}

const errorOf = (status: number, message: string): JsonAnswer => {
  return { status, body: { error: { type: 'invalid_request_error', message } } }
}
const unauthorized = errorOf(401, 'Invalid API Key provided')
const notFound = errorOf(404, 'Unrecognized request URL')
const rateLimited = errorOf(429, 'Too many requests')

function isAuthorized(api_key: string, request: IncomingMessage): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${api_key}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

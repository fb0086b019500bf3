// HTTP server of the simulated BTCPay Server: API keys, fault injection, payment pages.
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
import type { Fault, Faults } from './gateway-faults.ts'
import { type Fields, matchRoute, Refusal, type Served } from './greenfield-routes.ts'
import { falsify } from './greenfield-views.ts'
import { servePage } from './payment-page.ts'

type Parts = {
  served: Omit<Served, 'base_url'>
  faults: Faults
  effectLog: EffectLog
  report: (error: unknown) => void
}
type Listener = {
  base_url: string
  /** How often a client followed the redirect of a fault. */
  followed: () => number
  releaseDelayed: () => void
  close: () => Promise<void>
}

export async function openGatewayServer(
  parts: Parts,
  at: { host: string; port: number },
): Promise<Listener> {
  const delays = new Delays()
  let base_url = ''
  let followed = 0
  const served: Served = { ...parts.served, base_url: () => base_url }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', base_url)
    if (url.pathname === '/elsewhere') followed += 1
    receive({ ...parts, served, delays }, { url, request, response }).catch((error) => {
      parts.report(error)
      response.destroy()
    })
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  base_url = `http://${at.host}:${address.port}`
  return {
    base_url,
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

type Serving = Omit<Parts, 'served'> & { served: Served; delays: Delays }
type Exchange = { url: URL; request: IncomingMessage; response: ServerResponse }

async function receive(serving: Serving, exchange: Exchange): Promise<void> {
  const { url, request, response } = exchange
  const text = await readRequestText(request)
  if (!url.pathname.startsWith('/api/')) {
    servePage(serving.served, { method: request.method ?? '', url, text, response })
    return
  }
  const body = parseFields(text)
  const at = { method: request.method ?? '', url, body: body ?? {} }
  const matched = matchRoute(serving.served, at)
  const command = matched?.command ?? 'unknown'
  serving.effectLog.received(command)
  const run = (): JsonAnswer => {
    if (!isAuthorized(serving.served.store.api_key, request)) return unauthenticated
    if (body === null) return { status: 400, body: { code: 'bad-json', message: 'Not JSON' } }
    if (!matched) return { status: 404, body: { code: 'not-found', message: 'No such route' } }
    return counted(serving, command, matched.run)
  }
  const fault = serving.faults.ofRequest(command)
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
    if (/:(create|delete|redeliver)$/.test(command)) effectLog.applied(command)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    answer = error.answer
  }
  effectLog.answered(command, answer.status)
  return answer
}

type Misbehaving = { fault: Fault; run: () => JsonAnswer; response: ServerResponse }

function misbehave({ delays }: Serving, { fault, run, response }: Misbehaving): void {
  if (isHttpFault(fault.name)) {
    misbehaveOverHttp(fault.name, { run, response, delays, delay_ms: fault.delay_ms })
    return
  }
  const { status, body } = run()
  sendJson(response, { status, body: falsify(fault.name, body) })
}

const unauthenticated: JsonAnswer = {
  status: 401,
  body: { code: 'unauthenticated', message: 'Authentication is required' },
}

function isAuthorized(api_key: string, request: IncomingMessage): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`token ${api_key}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The object, or null if the text is not a JSON object. */
function parseFields(text: string): Fields | null {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

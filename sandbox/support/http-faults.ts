// Faults of any simulated JSON API over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Delays } from './delays.ts'
import { DEFAULT_DELAY_MS } from './fault-injection.ts'

export const HTTP_FAULTS = {
  silent: { does: 'never answers, and does nothing' },
  slow: { does: 'answers after delay_ms' },
  fail_500: { does: 'answers 500, and does nothing' },
  lost_500: { does: 'does what was asked, and answers 500' },
  drop_after: { does: 'does what was asked, and closes the connection' },
  half_answer: { does: 'sends half an answer, and closes the connection' },
  garbage: { does: 'answers with a page that is not JSON' },
  huge: { does: 'answers with 10 MB' },
  redirect: { does: 'answers 302 to /elsewhere' },
} as const
type HttpFaultName = keyof typeof HTTP_FAULTS

export type JsonAnswer = { status: number; body: unknown }

const HUGE_BYTES = 10_000_000

export function isHttpFault(name: string): name is HttpFaultName {
  return Object.hasOwn(HTTP_FAULTS, name)
}

type Faulty = {
  run: () => JsonAnswer
  response: ServerResponse
  delays: Delays
  delay_ms?: number | undefined
}

export function misbehaveOverHttp(name: HttpFaultName, faulty: Faulty): void {
  const { run, response, delays, delay_ms = DEFAULT_DELAY_MS } = faulty
  const plain = (status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end(body)
  }
  const ways: Record<HttpFaultName, () => unknown> = {
    silent: () => undefined,
    slow: () => {
      const answer = run()
      delays.after(delay_ms, () => sendJson(response, answer))
    },
    fail_500: () => plain(500, 'upstream connect error'),
    lost_500: () => {
      run()
      plain(500, 'upstream connect error')
    },
    drop_after: () => {
      run()
      response.destroy()
    },
    half_answer: () => sendHalf(response, run()),
    garbage: () => plain(200, '<html><body>It works!</body></html>'),
    huge: () => plain(200, `"${'x'.repeat(HUGE_BYTES)}"`),
    redirect: () => response.writeHead(302, { location: '/elsewhere' }).end(),
  }
  ways[name]()
}

export function sendJson(response: ServerResponse, { status, body }: JsonAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendHalf(response: ServerResponse, { status, body }: JsonAnswer): void {
  const whole = Buffer.from(JSON.stringify(body))
  const headers = { 'content-type': 'application/json', 'content-length': whole.length }
  response.writeHead(status, headers)
  response.write(whole.subarray(0, whole.length >> 1), () => response.destroy())
}

const MAX_BODY_BYTES = 200_000

/** The text of a request. Throws a RangeError if it is too long. */
export async function readRequestText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MAX_BODY_BYTES) throw new RangeError('the body is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

// HTTP server of the simulated Openprovider: tokens, the envelope of answers, and fault injection.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ByzantineAnswer, isByzantine } from '../support/byzantine-answers.ts'
import { Delays } from '../support/delays.ts'
import type { EffectLog } from '../support/effect-log.ts'
import { DEFAULT_DELAY_MS } from '../support/fault-injection.ts'
import type { Account } from './account.ts'
import { type ApiFaultName, FAULTS, type Fault, type Faults } from './api-faults.ts'
import { falsifyData } from './byzantine-data.ts'
import { PASSWORD, RESELLER_ID, TOKEN_MS, USERNAME } from './catalog.ts'
import { type Fields, isFields, text } from './field-parser.ts'
import { type Code, Refused } from './refusal.ts'
import { type Asked, type Matched, match, objectsOf } from './routes.ts'

const BASE = '/v1beta'
const MAX_BODY_BYTES = 200_000

type Answer = { status: number; body: object }
type Parts = {
  account: Account
  faults: Faults
  effectLog: EffectLog
  report: (error: unknown) => void
}
type Listener = { port: number; releaseDelayed: () => void; close: () => Promise<void> }

/** Refusals are HTTP 500, too, so that only the code distinguishes them. */
function refusal({ code, message }: Refused): Answer {
  const maintenance = code === 4005
  return { status: 500, body: { code, desc: message, data: null, maintenance, warnings: [] } }
}

function success(data: object): Answer {
  return { status: 200, body: { code: 0, desc: '', data, maintenance: false, warnings: [] } }
}

/** Listens on loopback; port 0 means any free one. */
export async function openHttpServer(
  parts: Parts,
  at: { host: string; port: number },
): Promise<Listener> {
  const registrar = new TestRegistrar(parts)
  const server = createServer((request, response) => void registrar.receive(request, response))
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  return {
    port: address.port,
    releaseDelayed: () => registrar.delays.release(),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      registrar.close()
      await closed
    },
  }
}

class TestRegistrar {
  readonly #parts: Parts
  readonly #tokens = new Map<string, number>()
  readonly delays = new Delays()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://openprovider')
      const body = await readBody(request)
      const path = url.pathname.startsWith(BASE) ? url.pathname.slice(BASE.length) : ''
      const login = request.method === 'POST' && path === '/auth/login'
      const matched = login ? null : match(request.method ?? '', path)
      const command = login ? 'login' : (matched?.command ?? 'unknown')
      const asked: Asked = { id: matched?.id ?? '', body: body ?? {}, query: url.searchParams }
      this.#parts.account.settleDue()
      this.#parts.effectLog.received(command)
      const run = () => {
        if (body === null) return refusal(new Refused(4006))
        if (login) return this.#login(body)
        return this.#run(request, matched, asked)
      }
      const objects = objectsOf(this.#parts.account, asked)
      const fault = this.#parts.faults.take({ command, objects })
      if (fault) this.#parts.effectLog.fault(fault.name)
      const counted = () => this.#counted(command, run)
      if (fault) this.#misbehave(fault, counted, response)
      else send(response, counted())
    } catch (error) {
      this.#parts.report(error)
      response.destroy()
    }
  }

  #counted(command: string, run: () => Answer): Answer {
    const { account, effectLog, report } = this.#parts
    let answer: Answer
    try {
      answer = run()
    } catch (error) {
      if (!(error instanceof Refused)) report(error)
      answer = refusal(error instanceof Refused ? error : new Refused(4006))
    }
    if (account.store.commit()) effectLog.applied(command)
    effectLog.answered(command, 'code' in answer.body ? Number(answer.body.code) : -1)
    return answer
  }

  #login(body: Fields): Answer {
    const given = Buffer.from(`${text(body, 'username')}\n${text(body, 'password')}`)
    const ours = Buffer.from(`${USERNAME}\n${PASSWORD}`)
    if (given.length !== ours.length || !timingSafeEqual(given, ours)) throw new Refused(196)
    const token = randomBytes(24).toString('hex')
    this.#tokens.set(token, this.#parts.account.now + TOKEN_MS)
    return success({ token, reseller_id: RESELLER_ID })
  }

  #run(request: IncomingMessage, matched: Matched | null, asked: Asked): Answer {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if ((this.#tokens.get(token) ?? 0) <= this.#parts.account.now) throw new Refused(196)
    if (!matched) throw new Refused(4001)
    return success(matched.run(this.#parts.account, asked))
  }

  #misbehave(fault: Fault, run: () => Answer, response: ServerResponse): void {
    const { name } = fault
    if (isByzantine(name)) {
      this.#answerFalsely(name, run(), response)
      return
    }
    const applies = FAULTS[name]?.applies
    const delay_ms = fault.delay_ms ?? DEFAULT_DELAY_MS
    if (applies === 'later') this.delays.after(delay_ms, run)
    const answer = applies === 'first' ? run() : null
    const refuse = (code: Code) => send(response, refusal(new Refused(code)))
    const drop = () => {
      response.destroy()
    }
    const ways: Record<ApiFaultName, () => void> = {
      slow: () => this.delays.after(delay_ms, () => answer && send(response, answer)),
      garbage: () => sendText(response, 200, '<html><body>It works!</body></html>'),
      half_answer: () => sendHalf(response, answer),
      fail_500: () => sendText(response, 500, 'upstream connect error'),
      lost_500: () => sendText(response, 500, 'upstream connect error'),
      too_many: () => sendText(response, 429, 'Too Many Requests'),
      maintenance: () => refuse(4005),
      credit_gone: () => refuse(310),
      refuse_513: () => refuse(513),
      purge_token: () => {
        this.#tokens.clear()
        refuse(196)
      },
      drop_before: drop,
      drop_after: drop,
      apply_later: drop,
    }
    ways[name]()
  }

  #answerFalsely(name: ByzantineAnswer, { status, body }: Answer, response: ServerResponse): void {
    const data = 'data' in body ? falsifyData(body.data, name, this.#parts.account.now) : null
    send(response, { status, body: { ...body, data } })
  }

  close(): void {
    this.delays.close()
    this.#parts.account.store.close()
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendText(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html' })
  response.end(body)
}

function sendHalf(response: ServerResponse, answer: Answer | null): void {
  const whole = Buffer.from(JSON.stringify(answer?.body ?? {}))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
  response.write(whole.subarray(0, whole.length >> 1), () => response.destroy())
}

/** The object, or null if the body is not a JSON object. */
async function readBody(request: IncomingMessage): Promise<Fields | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MAX_BODY_BYTES) return null
    parts.push(part)
  }
  if (size === 0) return {}
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
    return isFields(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

// One HTTP exchange that reports afterwards whether any byte of it was sent.
import { type Agent, type ClientRequest, request as overTcp } from 'node:http'
import { request as overTls } from 'node:https'
import type { Attempt } from '../port.ts'

export type Exchange = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body: string | null
  /**
   * With false, it uses its own connection. On a kept one that has just closed, it is unknown how
   * much was read.
   */
  agent: Agent | false
  /** The time for connecting, writing and the whole answer together. */
  timeout_ms: number
  /** Called at the steps up to `frame_written`. */
  attempt: Pick<Attempt, 'at' | 'half_frames'> | null
}
export type HttpAnswer = { status: number; body: Buffer }

/** No answer arrived. If `sent` is false, it is certain that no byte left. */
export class NoAnswer extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean) {
    super(message)
    this.name = 'NoAnswer'
    this.sent = sent
  }
}

const largest_answer = 4_000_000

/**
 * Sends a request and reads its answer, whatever its status is, and follows no redirect. Throws
 * NoAnswer, or the error of a step's listener, which breaks off the rest of the sending.
 */
export function exchange(wanted: Exchange): Promise<HttpAnswer> {
  const { method, url, headers, body, agent, attempt } = wanted
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    let sent = false
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const start = secure ? overTls : overTcp
    const request = start(url, { method, headers: { ...headers, ...length }, agent })
    const fail = (error: unknown) => {
      clearTimeout(timer)
      request.destroy()
      reject(error)
    }
    const lost = (why: string) => fail(new NoAnswer(`${url.hostname}: ${why}`, sent))
    const timer = setTimeout(
      () => lost(`no answer within ${wanted.timeout_ms} ms`),
      wanted.timeout_ms,
    )
    const write = () => {
      try {
        attempt?.at('connected')
        sent = true
        writeBody(request, { body, attempt, fail })
      } catch (error) {
        fail(error)
      }
    }
    request.on('error', (error) => lost(error.message))
    request.on('socket', (socket) => {
      if (request.reusedSocket) write()
      else socket.once(secure ? 'secureConnect' : 'connect', write)
    })
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > largest_answer) lost('the answer is too large')
        else parts.push(part)
      })
      response.on('error', (error) => lost(error.message))
      response.on('end', () => {
        if (!response.complete) return lost('the answer was cut')
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) })
      })
    })
  })
}

type Writing = Pick<Exchange, 'body' | 'attempt'> & { fail: (error: unknown) => void }

/** The steps in their order; the last one is reported once the kernel has everything. */
function writeBody(request: ClientRequest, { body, attempt, fail }: Writing): void {
  const reporting = (step: 'half_frame_written' | 'frame_written', next?: () => void) => () => {
    try {
      attempt?.at(step)
      next?.()
    } catch (error) {
      fail(error)
    }
  }
  if (body === null) request.end(reporting('frame_written'))
  else if (!attempt?.half_frames) request.end(body, reporting('frame_written'))
  else {
    const bytes = Buffer.from(body)
    const half = bytes.length >> 1
    const rest = () => request.end(bytes.subarray(half), reporting('frame_written'))
    request.write(bytes.subarray(0, half), reporting('half_frame_written', rest))
  }
}

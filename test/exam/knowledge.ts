// The agent's only way out: it requests no URL, calls no tool and sends no field that an earlier
// answer has not shown. The base URL is all that it begins with.
import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request as send } from 'node:http'
import type { Transcript } from './transcript.ts'

// biome-ignore lint/suspicious/noExplicitAny: the agent reads answers by name, as any client would.
type Body = Record<string, any>
export type Received = { status: number; headers: Record<string, string>; text: string; body: Body }
export type Outgoing = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Cuts the connection this long after the request has been sent. */
  cut_after_ms?: number
}

export type Knowledge = ReturnType<typeof openKnowledge>

export function openKnowledge(base_url: string, transcript: Transcript) {
  const seen: { text: string; step: number }[] = [{ text: base_url, step: 0 }]
  const agent = new Agent({ keepAlive: false })

  /** The step whose answer showed it first. */
  function stepOf(text: string): number | undefined {
    return seen.find((one) => one.text.includes(text))?.step
  }

  /** The source of a value, for the transcript. Fails if the agent would have to guess. */
  function source(text: string): string {
    const step = stepOf(text)
    assert.ok(step !== undefined, `no answer has shown ${text}`)
    return step === 0 ? 'given' : `step ${step}`
  }

  return {
    source,
    learn(text: string): void {
      seen.push({ text, step: transcript.last() })
    },
    /** Sends one request to a known URL. */
    async request(url: string, outgoing: Outgoing = {}): Promise<Received> {
      source(url.split('?')[0] ?? url)
      const received = await exchange(agent, url, outgoing)
      return received
    },
  }
}

/** The connection ended before the answer. */
export class Unanswered extends Error {}

async function exchange(agent: Agent, url: string, outgoing: Outgoing): Promise<Received> {
  const { method = 'GET', headers = {}, body, cut_after_ms } = outgoing
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = send(url, { agent, method, headers })
  sent.on('response', resolve)
  sent.on('error', (error) => reject(new Unanswered(error.message, { cause: error })))
  sent.end(body)
  if (cut_after_ms !== undefined) setTimeout(() => sent.destroy(new Error('cut')), cut_after_ms)
  const answer = await promise
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(Buffer.from(chunk))
  } catch (error) {
    throw new Unanswered('The stream was closed', { cause: error })
  }
  const text = Buffer.concat(chunks).toString()
  const fields = Object.entries(answer.headers).map(([name, value]) => [name, `${value}`])
  const isJson = /json/.test(`${answer.headers['content-type']}`)
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(fields),
    text,
    body: isJson && text !== '' ? Object(JSON.parse(text)) : {},
  }
}

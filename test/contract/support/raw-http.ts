// Requests that no correct client sends, with any bytes and any header fields.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Answer, TestService } from '../../support/service.ts'

export type RawRequest = {
  method?: string
  path: string
  body?: string | Uint8Array
  headers?: Record<string, string | string[]>
}

/**
 * Sends one request over its own connection. The answer to a request that Node refuses has no body.
 */
export function raw({ url }: TestService, sent: RawRequest): Promise<Answer> {
  const { method = 'POST', path, body, headers = {} } = sent
  const { hostname, port } = new URL(url)
  let answered = false
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path, headers, agent: false },
      (incoming) => {
        answered = true
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = incoming.headers['content-type']?.includes('json') && text !== ''
          resolve({
            status: incoming.statusCode ?? 0,
            headers: new Headers(
              Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: isJson ? JSON.parse(text) : {},
            text,
          })
        })
      },
    )
    // A server that refuses early may close while we still write; the answer counts.
    outgoing.on('error', (error) => {
      if (!answered) reject(error)
    })
    outgoing.end(body)
  })
}

/** The answer, which must arrive within seconds, however odd the request was. */
export async function quickly(answer: Promise<Answer>): Promise<Answer> {
  const began = performance.now()
  const done = await answer
  const ms = performance.now() - began
  assert.ok(ms < 5_000, `took ${Math.round(ms)} ms`)
  assert.ok(done.status < 500, done.text)
  return done
}

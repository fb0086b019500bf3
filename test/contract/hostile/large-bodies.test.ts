// A body over the limit, sent at once by a client that reads only afterwards: it sees the 413, and
// no reset connection. All kinds of routes, with a length and in chunks.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { sharedService } from '../../support/service.ts'

const registrar = await sharedService()
const { hostname, port } = new URL(registrar.url)
const size = 5_000_000

const form = 'application/x-www-form-urlencoded'
const routes: Record<string, string> = {
  '/v1/domains/check': 'application/json',
  '/mcp': 'application/json',
  '/oauth/register': 'application/json',
  '/oauth/token': form,
  '/token': form,
  '/oauth/authorize': form,
  '/password': form,
  '/v1/billing/gateway/webhook?token=x': 'application/json',
  '/v1/billing/processor/webhook': 'application/json',
}

/**
 * Writes everything before it reads anything, as simple clients do, and returns the octets of the
 * answer.
 */
function writtenAtOnce(head: readonly string[], body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const chunks: Buffer[] = []
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.pause()
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(body, () => socket.resume())
  })
}

const headOf = (path: string, fields: readonly string[]) => [
  `POST ${path} HTTP/1.1`,
  `Host: ${hostname}:${port}`,
  `Content-Type: ${routes[path]}`,
  ...fields,
]

function chunked(body: Buffer): Buffer {
  const parts: (string | Buffer)[] = []
  for (let at = 0; at < body.length; at += 50_000) {
    const part = body.subarray(at, at + 50_000)
    parts.push(`${part.length.toString(16)}\r\n`, part, '\r\n')
  }
  return Buffer.concat([...parts, '0\r\n\r\n'].map((part) => Buffer.from(part)))
}

const body = Buffer.alloc(size, 'x')

describe('5 MB, written before the answer is read', () => {
  for (const path of Object.keys(routes)) {
    it(`${path} answers 413 to a body with a length`, async () => {
      for (const connection of ['keep-alive', 'close']) {
        const fields = [`Content-Length: ${size}`, `Connection: ${connection}`]
        const answer = await writtenAtOnce(headOf(path, fields), body)
        assert.match(answer, /^HTTP\/1\.1 413 /, `${connection}: ${answer.slice(0, 200)}`)
        assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1)
      }
    })

    it(`${path} answers 413 to a body in chunks`, async () => {
      const fields = ['Transfer-Encoding: chunked', 'Connection: close']
      const answer = await writtenAtOnce(headOf(path, fields), chunked(body))
      assert.match(answer, /^HTTP\/1\.1 413 /, answer.slice(0, 200))
    })

    it(`${path} answers 413 to fetch`, async () => {
      const headers = { 'content-type': String(routes[path]) }
      const stream = () => new Blob([body]).stream()
      for (const sent of [{ body }, { body: stream(), duplex: 'half' as const }]) {
        const init = { method: 'POST', headers, ...sent }
        const answer = await fetch(`${registrar.url}${path}`, init)
        assert.equal(answer.status, 413)
        await answer.text()
      }
    })
  }
})

it('a request that is refused by its header fields has its answer, too', async () => {
  const fields = [`Content-Length: ${size}`, 'Connection: close', `X-Long: ${'l'.repeat(9_000)}`]
  const answer = await writtenAtOnce(headOf('/v1/domains/check', fields), body)
  assert.match(answer, /^HTTP\/1\.1 431 /)
})

it('a body far over the limit is read to a bound, and then its connection ends', async () => {
  const fields = ['Content-Length: 1000000000', 'Connection: keep-alive']
  const { answer, sent } = await endlessly(headOf('/v1/domains/check', fields))
  assert.match(answer, /^HTTP\/1\.1 413 /)
  assert.ok(sent < 200_000_000, `took ${sent} octets`)
})

/** Writes as long as the connection accepts octets. */
function endlessly(head: readonly string[]): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let answer = ''
    let sent = 0
    const more = () => {
      if (socket.destroyed) return
      sent += body.length
      socket.write(body, (error) => error || more())
    }
    // The reset that ends an endless body is reported as an error of a write.
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve({ answer, sent }))
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    more()
  })
}

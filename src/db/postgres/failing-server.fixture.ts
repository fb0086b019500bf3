// A server that fails: a proxy before PostgreSQL that refuses log-ins, or answers each COMMIT with
// an error in place of PostgreSQL, as one does whose disk is full or broken.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { clientConfig } from './connection-config.ts'

export type ServerError = { severity: 'ERROR' | 'FATAL' | 'PANIC'; code: string }

/** ErrorResponse of the protocol (PostgreSQL, "Message Formats"). */
function errorResponse({ severity, code }: ServerError): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, 'Mcould not write to file']
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')

export async function startFailingServer(url: string) {
  const { host, port } = new pg.Client(clientConfig(url))
  const sockets = new Set<Socket>()
  let refused: ServerError | null = null
  let ofCommits: ServerError | null = null

  function relay(client: Socket): void {
    const isSocketFolder = host.startsWith('/')
    const server = isSocketFolder
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port: Number(port) })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    server.pipe(client)
    client.on('data', (chunk: Buffer) => {
      if (ofCommits === null || !chunk.includes('commit\0')) return void server.write(chunk)
      client.write(errorResponse(ofCommits))
      if (ofCommits.severity === 'ERROR') client.write(readyForQuery)
      else client.end()
    })
  }
  const proxy = createServer((client) => {
    // All of them: the proxy is closed only once each connection has ended.
    sockets.add(client)
    if (refused === null) return relay(client)
    client.on('error', () => client.destroy())
    client.end(errorResponse(refused))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const own = new URL(url)
  own.searchParams.delete('host')
  own.hostname = '127.0.0.1'
  own.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: own.href,
    /** The failure from now on, or null for none. Open connections end. */
    refuseLogIns(error: ServerError | null): void {
      refused = error
      if (error !== null) for (const socket of sockets) socket.destroy()
    },
    answerCommits(error: ServerError | null): void {
      ofCommits = error
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

// TLS server of one registry, which requires a client certificate.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Pki } from './pki.ts'
import type { RegistryState } from './registry-state.ts'
import { Session } from './session.ts'

type Listener = { port: number; close(): Promise<void> }

/** Listens for registrars; port 0 means any free one. */
export async function openTlsServer(
  state: RegistryState,
  at: { pki: Pki; host: string; port: number },
): Promise<Listener> {
  const { ca, server: own } = at.pki
  const server = createServer(
    {
      ca: ca.cert,
      cert: own.cert,
      key: own.key,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    },
    (socket) => {
      const name = socket.getPeerCertificate().subject?.CN
      new Session(state, socket, typeof name === 'string' ? name : '')
    },
  )
  // This keeps bare sockets instead of TLS ones, because a handshake that never ends must not delay
  // close().
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
    state.close()
  }
  return { port: portOf(server.address()), close }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  return address.port
}

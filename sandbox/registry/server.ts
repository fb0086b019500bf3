// One registry's door: a TLS server that wants a client certificate, and what its sessions share.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { Faults } from './faults.ts'
import type { Pki } from './pki.ts'
import type { Registry } from './registry.ts'
import { Seen } from './seen.ts'
import { Session } from './session.ts'
import { Witness } from './witness.ts'

export class House {
  readonly registry: Registry
  readonly faults: Faults
  readonly witness = new Witness()
  readonly seen = new Seen()
  readonly report: (error: unknown) => void
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #present = new Map<string, number>()
  readonly #started = Date.now().toString(36)
  #trids = 0

  constructor(parts: {
    registry: Registry
    faults: Faults
    pki: Pki
    report: (error: unknown) => void
  }) {
    this.registry = parts.registry
    this.faults = parts.faults
    this.report = parts.report
    this.#server = createServer(
      {
        ca: parts.pki.ca.cert,
        cert: parts.pki.server.cert,
        key: parts.pki.server.key,
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
      },
      (socket) => this.#welcome(socket),
    )
    // Bare sockets, not TLS ones: a handshake that never ends must not keep the house open.
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  async listen(host: string, port: number): Promise<number> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    return portOf(this.#server.address())
  }

  #welcome(socket: TLSSocket): void {
    const name = socket.getPeerCertificate().subject?.CN
    new Session(this, socket, typeof name === 'string' ? name : '')
  }

  /** Counts a registrar in; false when all its sessions are taken. */
  enter(registrar: string): boolean {
    const present = this.#present.get(registrar) ?? 0
    if (present >= this.registry.settings.sessions_per_registrar) return false
    this.#present.set(registrar, present + 1)
    this.witness.loggedIn(1)
    return true
  }

  leave(registrar: string): void {
    this.#present.set(registrar, (this.#present.get(registrar) ?? 1) - 1)
    this.witness.loggedIn(-1)
  }

  nextTrid(): string {
    this.#trids += 1
    return `${this.registry.profile.name}-${this.#started}-${this.#trids}`
  }

  /** Runs something in so many milliseconds, unless the house closes before. */
  after(delay_ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      run()
    }, delay_ms)
    this.#timers.add(timer)
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.registry.store.close()
  }
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

// A bare EPP client for tests: frames over TLS, XML as text, and every answer validated by the
// schemas.
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import type { RegistryName, Sandbox } from '../index.ts'
import { requireValid } from './schema.ts'

export const NS = {
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  host: 'urn:ietf:params:xml:ns:host-1.0',
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  secDNS: 'urn:ietf:params:xml:ns:secDNS-1.1',
  loginSec: 'urn:ietf:params:xml:ns:epp:loginSec-1.0',
} as const

type Answer = { code: number; xml: string }

const PASSWORDS: Record<string, string> = {
  'registrar-a': 'sandbox-a-pw-01',
  'registrar-b': 'sandbox-b-pw-01',
}

let trids = 0

export class Client {
  readonly socket: TLSSocket
  readonly registrar: string
  readonly #frames: string[] = []
  #buffer = Buffer.alloc(0)
  #closed = false
  #wake: () => void = () => {}

  constructor(socket: TLSSocket, registrar: string) {
    this.socket = socket
    this.registrar = registrar
    socket.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk])
      for (let size = this.#size(); size !== null; size = this.#size()) {
        this.#frames.push(this.#buffer.subarray(4, size).toString())
        this.#buffer = this.#buffer.subarray(size)
      }
      this.#wake()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
  }

  #size(): number | null {
    if (this.#buffer.length < 4) return null
    const size = this.#buffer.readUInt32BE(0)
    return this.#buffer.length >= size ? size : null
  }

  /** Bytes after the last whole frame. */
  get rest(): number {
    return this.#buffer.length
  }

  /** The next frame, not validated, or null if the connection is closed. */
  async raw(): Promise<string | null> {
    while (this.#frames.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#frames.shift() ?? null
  }

  /** The next frame, validated. */
  async next(): Promise<Answer> {
    const xml = await this.raw()
    if (xml === null) throw new Error('the connection is closed')
    requireValid(xml)
    return { code: Number(/<result code="(\d+)"/.exec(xml)?.[1] ?? 0), xml }
  }

  write(xml: string): void {
    const frame = Buffer.alloc(4 + Buffer.byteLength(xml))
    frame.writeUInt32BE(frame.length, 0)
    frame.write(xml, 4)
    this.socket.write(frame)
  }

  async send(xml: string): Promise<Answer> {
    this.write(xml)
    return await this.next()
  }

  /** A command with a fresh clTRID around its body. */
  async command(body: string, extension = ''): Promise<Answer> {
    return await this.send(frameOf(body, extension))
  }

  async login(options: Partial<{ password: string; services: string; extra: string }> = {}) {
    const { password = PASSWORDS[this.registrar], services = '', extra = '' } = options
    const uris = services === '' ? await this.#offered() : services
    return await this.command(
      `<login><clID>${this.registrar}</clID><pw>${password}</pw>${extra}` +
        `<options><version>1.0</version><lang>en</lang></options><svcs>${uris}</svcs></login>`,
    )
  }

  async #offered(): Promise<string> {
    const { xml } = await this.send(`<epp xmlns="${NS.epp}"><hello/></epp>`)
    return /<objURI>.*<\/svcExtension>/s.exec(xml)?.[0] ?? ''
  }

  close(): void {
    this.socket.destroy()
  }
}

export function frameOf(body: string, extension = '', trid = freshTrid()): string {
  const extra = extension === '' ? '' : `<extension>${extension}</extension>`
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?><epp xmlns="${NS.epp}">` +
    `<command>${body}${extra}<clTRID>${trid}</clTRID></command></epp>`
  )
}

export function freshTrid(): string {
  trids += 1
  return `test-${process.pid}-${trids}`
}

/** Connects and reads the greeting. */
export async function dial(
  sandbox: Pick<Sandbox, 'registries' | 'tls'>,
  registry: RegistryName,
  options: { registrar?: string; version?: 'TLSv1.2' | 'TLSv1.3' } = {},
): Promise<Client> {
  const registrar = options.registrar ?? 'registrar-a'
  const identity = sandbox.tls.registrars[registrar]
  if (identity === undefined) throw new Error(`no certificate of ${registrar}`)
  const { host, port } = sandbox.registries[registry]
  const socket = connect({
    host,
    port,
    servername: 'localhost',
    ca: sandbox.tls.ca,
    cert: identity.cert,
    key: identity.key,
    ...(options.version ? { minVersion: options.version, maxVersion: options.version } : {}),
  })
  const client = new Client(socket, registrar)
  await once(socket, 'secureConnect')
  await client.next()
  return client
}

/** Connects and logs in with all offered services. */
export async function enter(
  sandbox: Pick<Sandbox, 'registries' | 'tls'>,
  registry: RegistryName,
  registrar = 'registrar-a',
): Promise<Client> {
  const client = await dial(sandbox, registry, { registrar })
  const { code, xml } = await client.login()
  if (code !== 1000) throw new Error(`login: ${xml}`)
  return client
}

// For tests: a TLS server that greets and then does, command by command, what a test tells it; hostile things too.
import { once } from 'node:events'
import { createServer, type TLSSocket } from 'node:tls'
// The certificate library asks for it.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { fixture } from './fixtures.ts'

export type Received = { xml: string; cl_trid: string; socket: TLSSocket; nth: number }
/** Gives the answer's XML, or null when it has done by itself whatever there was to do. */
export type Script = (received: Received) => string | null | Promise<string | null>

export type ScriptedServer = {
  port: number
  /** PEM: the certificate, which is its own authority, and good for a client, too. */
  cert: Buffer
  key: Buffer
  sockets: Set<TLSSocket>
  received: Received[]
  close: () => Promise<void>
}

export function framed(xml: string | Buffer): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(Buffer.byteLength(xml) + 4)
  return Buffer.concat([header, Buffer.from(xml)])
}

export function answer(code: number, cl_trid: string | null, data = ''): string {
  const id = cl_trid === null ? '' : `<clTRID>${cl_trid}</clTRID>`
  return (
    '<?xml version="1.0" encoding="UTF-8"?><epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><response>' +
    `<result code="${code}"><msg>Scripted ${code}</msg></result>${data}` +
    `<trID>${id}<svTRID>SV-${code}</svTRID></trID></response></epp>`
  )
}

async function certificate(): Promise<{ cert: Buffer; key: Buffer }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=scripted',
    keys,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const body = pkcs8.toString('base64').replace(/.{64}/g, '$&\n')
  const key = Buffer.from(`-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`)
  return { cert: Buffer.from(cert.toString('pem')), key }
}

function idOf(xml: string): string {
  return /<clTRID>([^<]*)</.exec(xml)?.[1] ?? ''
}

/** Answers log-ins, log-outs and hellos as a registry would, unless `script` takes `every` frame. */
function byItself(xml: string, every: boolean): string | null {
  if (every) return null
  if (xml.includes('<hello')) return fixture('greeting.xml').toString()
  if (xml.includes('<login')) return answer(1000, idOf(xml))
  return xml.includes('<logout') ? answer(1500, idOf(xml)) : null
}

/** `greeting` null: silence after the connection. `every`: the script sees log-ins, hellos and log-outs, too. */
export async function startScriptedServer(
  script: Script,
  options: { greeting?: Buffer | null; every?: boolean; client_cert?: boolean } = {},
): Promise<ScriptedServer> {
  const { cert, key } = await certificate()
  const { greeting = framed(fixture('greeting.xml')), every = false, client_cert = false } = options
  const sockets = new Set<TLSSocket>()
  const received: Received[] = []
  const onFrame = async (socket: TLSSocket, xml: string) => {
    const own = byItself(xml, every)
    if (own !== null) {
      socket.write(framed(own))
      if (xml.includes('<logout')) socket.end()
      return
    }
    const item = { xml, cl_trid: idOf(xml), socket, nth: received.length + 1 }
    received.push(item)
    const text = await script(item)
    if (text !== null && socket.writable) socket.write(framed(text))
  }
  const trust = client_cert ? { requestCert: true, rejectUnauthorized: true, ca: cert } : {}
  const server = createServer({ cert, key, ...trust }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 4 && bytes.length >= bytes.readUInt32BE(0)) {
        const length = bytes.readUInt32BE(0)
        void onFrame(socket, bytes.subarray(4, length).toString())
        bytes = bytes.subarray(length)
      }
    })
    if (greeting) socket.write(greeting)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { port: address.port, cert, key, sockets, received, close }
}

// A host of client metadata documents: an https server on this machine, with an authority of its
// own, and the network access that lets the service reach it.
import 'reflect-metadata'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import type { OutboundNetwork } from '../../src/kit/net/outbound-network.ts'

const documentHostName = 'app.client.test'
export type Answering = (request: IncomingMessage, response: ServerResponse) => void
type DocumentServer = {
  /** Without a final slash. */
  origin: string
  port: number
  /** To this server, and to no other address. */
  network: OutboundNetwork
  /** Path and query of each request, in order. */
  hits: string[]
  answers: Map<string, Answering>
  /** Serves JSON at a path, with a client_id that is its URL unless it has one; returns the URL. */
  document: (path: string, fields: Record<string, unknown>) => string
  close: () => Promise<void>
}

/** A certificate for the names that is its own authority: 2 days, as PEM. */
export async function selfSigned(names: string[]): Promise<{ cert: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=documents of tests',
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
}

export async function startDocumentServer(): Promise<DocumentServer> {
  const identity = await selfSigned([documentHostName, '*.client.test'])
  const hits: string[] = []
  const answers = new Map<string, Answering>()
  const server = createServer(identity, (request, response) => {
    const path = request.url ?? ''
    hits.push(path)
    const answer = answers.get(path)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  // Some tests are about handshakes that fail.
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  const { port } = address
  const origin = `https://${documentHostName}:${port}`
  return {
    origin,
    port,
    hits,
    answers,
    network: {
      resolve: async () => ['127.0.0.1'],
      allows: (one) => one === '127.0.0.1',
      port,
      ca: identity.cert,
    },
    document(path, fields) {
      const url = `${origin}${path}`
      const text = JSON.stringify({ client_id: url, ...fields })
      answers.set(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      })
      return url
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// A receiver of webhooks on this machine: keeps every request, and answers as set. Over https with
// a certificate.
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'

export type ReceivedWebhook = { headers: IncomingHttpHeaders; body: string; at_ms: number }
type Answering = (response: ServerResponse, received: ReceivedWebhook) => void

type WebhookReceiver = {
  url: string
  received: ReceivedWebhook[]
  /** Answers 204 unless set. */
  answer: Answering
  close: () => Promise<void>
}

/** PEM, for localhost or another name. */
type Identity = { cert: string; key: string }

export async function startReceiver(identity?: Identity): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = {
    url: '',
    received: [],
    answer: (response) => response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const received = { headers: request.headers, body, at_ms: performance.now() }
    receiver.received.push(received)
    receiver.answer(response, received)
  }
  const server = identity ? https.createServer(identity, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  receiver.url = identity ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`
  return receiver
}

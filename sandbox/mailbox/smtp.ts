// The SMTP endpoint of the simulated mail server: accepts any sender, recipient and log-in, and
// applies the armed faults.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { FaultName, Faults } from './faults.ts'
import type { Mailbox } from './mailbox.ts'

type SmtpListener = { port: number; close(): Promise<void> }
type SmtpParts = {
  mailbox: Mailbox
  faults: Faults
  /** Called after a mail was stored. */
  arrived: () => void
  at: { host: string; port: number }
}

const most_bytes = 10_000_000

class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number) {
    super('refused by a fault of the sandbox')
    this.responseCode = responseCode
  }
}

export async function openSmtpServer({
  mailbox,
  faults,
  arrived,
  at,
}: SmtpParts): Promise<SmtpListener> {
  // Sessions are found by the client's port, because a session does not know its socket.
  const sockets = new Map<number, Socket>()
  const refusal = (name: FaultName, usual: number, to: readonly string[] = []) => {
    const fault = faults.take(name, to)
    return fault && new Refusal(fault.code ?? usual)
  }

  async function keep(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope
    const to = rcptTo.map(({ address }) => address)
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    if (stream.sizeExceeded) throw new Refusal(552)
    const refused = refusal('refuse_content', 554, to)
    if (refused) throw refused
    const slow = faults.take('slow', to)
    if (slow) await sleep(slow.delay_ms ?? 1_000, undefined, { ref: false })
    const from = mailFrom === false ? '' : mailFrom.address
    await mailbox.put({ from, to, raw: Buffer.concat(chunks).toString('utf8') })
    if (faults.take('drop_after_data', to)) sockets.get(session.remotePort)?.destroy()
    arrived()
  }

  const server = new SMTPServer({
    banner: 'sandbox, keeps all mail and sends none',
    // TLS is off, because the server listens on loopback only.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    maxAllowedUnauthenticatedCommands: false,
    size: most_bytes,
    onConnect: (_session, done) => done(refusal('refuse_connection', 421)),
    onAuth: ({ username }, _session, done) => {
      const refused = refusal('refuse_login', 535)
      if (refused) done(refused)
      else done(null, { user: username ?? 'anonymous' })
    },
    onRcptTo: ({ address }, _session, done) => done(refusal('refuse_recipient', 550, [address])),
    onData: (stream, session, done) => void keep(stream, session).then(() => done(), done),
  })
  // A client may disconnect at any time, which is not an error of the server.
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
    socket.on('close', () => sockets.delete(port))
  })
  server.listen(at.port, at.host)
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server listens on no port')
  return {
    port: address.port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    },
  }
}

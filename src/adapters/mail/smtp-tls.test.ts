// The mailer over TLS: from the first octet and by STARTTLS, with a log-in, and never to a server
// of an unknown authority.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import tls from 'node:tls'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { openPki } from '../../../sandbox/registry/server/pki.ts'
import { newId } from '../../kit/random.ts'
import { openSmtpMailer } from './smtp.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-smtp-tls-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const pki = await openPki(join(folder, 'pki'), [])
const log = pino({ level: 'silent' })

type LogIn = { secure: boolean; user: string | undefined; password: string | null | undefined }

/** A server that wants TLS and a log-in, with its port and the mails that it received. */
async function serve(secure: boolean): Promise<{ port: number; logIns: LogIn[] }> {
  const logIns: LogIn[] = []
  const server = new SMTPServer({
    secure,
    cert: pki.server.cert,
    key: pki.server.key,
    disableReverseLookup: true,
    onAuth: ({ username, password }, session, done) => {
      logIns.push({ secure: session.secure, user: username, password })
      done(null, { user: username })
    },
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, logIns }
}

async function post(url: string) {
  const mailer = openSmtpMailer({ url, from: 'no-reply@registrar.example', log })
  const text = 'Hello.\n'
  const mail = { id: newId('mail'), to: 'ada@example.net', subject: 'S', text }
  try {
    const posted = await mailer.send({ ...mail, created_at: new Date() })
    return { kind: posted.kind, health: mailer.health() }
  } finally {
    await mailer.close()
  }
}

// This is available since Node 24.5.
const skip = 'setDefaultCACertificates' in tls ? false : 'This Node cannot trust a CA for a test.'

for (const [scheme, secure] of [
  ['smtps', true],
  ['smtp', false],
] as const) {
  test(`${scheme}:// logs in over TLS, and only where the certificate is valid`, {
    skip,
  }, async () => {
    const usual = tls.getCACertificates('default')
    const { port, logIns } = await serve(secure)
    const url = `${scheme}://user%40a.example:p%2Fw@localhost:${port}`
    const doubted = await post(url)
    assert.equal(doubted.kind, 'away')
    assert.deepEqual(logIns, [], 'no password was sent to it')
    tls.setDefaultCACertificates([...usual, pki.ca.cert])
    try {
      const { kind, health } = await post(url)
      assert.equal(kind, 'sent', JSON.stringify(health))
    } finally {
      tls.setDefaultCACertificates(usual)
    }
    assert.deepEqual(logIns, [{ secure: true, user: 'user@a.example', password: 'p/w' }])
  })
}

// Every way to the outside, run where the machine has no route: each line of the output is how one
// of them ended. As a program of its own, which an unhandled error would end.
import { pino } from 'pino'
import { askAddress } from '../../../src/adapters/dns/lookup/dns-lookup.ts'
import { openSmtpMailer } from '../../../src/adapters/mail/smtp.ts'
import { guardedPost } from '../../../src/adapters/outbound/guarded-post.ts'
import { exchange } from '../../../src/adapters/registry/openprovider/openprovider-http.ts'
import { tryConnection } from '../../../src/db/postgres/connection.ts'
import { openChannel } from '../../../src/epp/session/channel.ts'
import { boundedFetch } from '../../../src/kit/net/bounded-fetch.ts'
import { publicInternet } from '../../../src/kit/net/outbound-network.ts'
import { ssrfSafeFetch } from '../../../src/oauth/clients/metadata-documents/ssrf-safe-fetch.ts'

const v4 = '93.184.215.14'
const v6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'
const hosts = { v4: [v4], v6: [v6], both: [v4, v6] }
const signal = new AbortController().signal
const limit_ms = 2_000

async function report(name: string, way: () => Promise<unknown>): Promise<void> {
  const ended = await way().then(
    (value) => (value === null ? 'null' : JSON.stringify(value)),
    (error: unknown) => Object(error).constructor.name,
  )
  process.stdout.write(`${name}: ${ended}\n`)
}

for (const [kind, addresses] of Object.entries(hosts)) {
  const network = { ...publicInternet, resolve: async () => addresses }
  const post = { network, headers: {}, body: '{}', limit_ms, signal }
  for (const scheme of ['http', 'https'])
    await report(`POST by ${scheme} to ${kind}`, () =>
      guardedPost(new URL(`${scheme}://only.example/`), post),
    )
  await report(`document at ${kind}`, () =>
    ssrfSafeFetch(new URL('https://only.example/c.json'), network, { limit_ms }),
  )
}
for (const host of [v4, v6]) {
  const at = host === v4 ? host : `[${host}]`
  const url = new URL(`https://${at}/`)
  const post = { network: publicInternet, headers: {}, body: '{}', limit_ms, signal }
  await report(`POST to address ${host}`, () => guardedPost(url, post))
  await report(`question to ${host}`, () => askAddress({ host, port: 53 }, 'example.com'))
  const target = { host, port: 700, timeout_ms: limit_ms }
  const tls = { ca: null, cert: null, key: null, servername: null }
  await report(`EPP to ${host}`, () => openChannel({ ...target, tls }))
  for (const scheme of ['http', 'https'])
    await report(`provider by ${scheme} at ${host}`, () =>
      exchange({
        method: 'GET',
        url: new URL(`${scheme}://${at}/`),
        headers: {},
        body: null,
        agent: false,
        timeout_ms: limit_ms,
        attempt: null,
      }),
    )
  await report(`fetch from ${host}`, () => boundedFetch(url.href, { method: 'GET', headers: {} }))
  const database = `postgres://user@${at}/none?connect_timeout=2`
  await report(`database at ${host}`, () => tryConnection({ url: database, app_role: null }))
  const log = pino({ level: 'silent' })
  const mailer = openSmtpMailer({ url: `smtp://${at}:25`, from: 'a@example.com', log })
  await report(`mail by ${host}`, async () => {
    const mail = { to: 'b@example.net', subject: 's', text: 't' }
    const created_at = new Date()
    return (await mailer.send({ id: 'mail_1', created_at, ...mail })).kind
  })
  await mailer.close()
}
process.stdout.write('alive\n')

// Certificates by dns-01 (RFC 8555 8.4), from order to certificate: three clients that people run
// prove names to an ACME server, which asks our name server; the records are set by DNS updates,
// with a key that may set nothing else.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { scopes } from '../../../src/app.ts'
import { must } from '../../contract/support/fixture.ts'
import { startService } from '../../support/service.ts'
import { type Pebble, skipCertificates, startPebble } from './pebble.ts'

const registrar = await startService()
const { request, service } = registrar
const { host, port } = service.app.dns.place
const owner = await registrar.customer({ funds_cents: 100_000, scopes: [...scopes] })
const token = owner.key
let pebble: Pebble

before(async () => {
  if (skipCertificates === false) pebble = await startPebble({ host, port })
})

type Held = Awaited<ReturnType<typeof held>>

/** A domain, and a key for the records of dns-01 alone. */
async function held(domain: string) {
  await must(request('POST', '/v1/domains', { token, body: { domain } }))
  const at = `/v1/domains/${domain}`
  const limits = { hosts: ['_acme-challenge*'], types: ['TXT'] }
  const { body } = await must(request('POST', `${at}/tsig-keys`, { token, body: limits }), 201)
  const folder = join(pebble.folder, domain)
  mkdirSync(folder)
  const { key, secret, server } = body
  assert.deepEqual(server, { host, port })
  return { domain, at, key, secret, folder }
}

/** The output of a program; throws with it if the program fails. */
async function run(
  program: string,
  words: readonly string[],
  { folder, env = {} }: { folder: string; env?: Record<string, string> },
): Promise<string> {
  const child = spawn(program, words, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C', ...env },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  assert.equal(code, 0, `${program}:\n${out}\n${err}`)
  return out + err
}

/**
 * The certificate is issued by the ACME server for exactly these names, and all of its records are
 * gone.
 */
async function assertIssued({ domain, at }: Held, file: string, names: string[]): Promise<void> {
  const certificate = new X509Certificate(readFileSync(file))
  const issuer = new X509Certificate(await pebble.issuer())
  assert.ok(certificate.verify(issuer.publicKey), 'another issuer')
  const named = certificate.subjectAltName?.split(', ').sort()
  assert.deepEqual(
    named,
    names.map((name) => `DNS:${name}`),
  )
  const { body } = await must(request('GET', `${at}/records?type=TXT`, { token }))
  assert.deepEqual(body.sets, [], domain)
}

type Change = { diff: { host: string; after: { values: string[] } | null }[] }

/** The most values that the name of the proof had at once. */
async function mostValues({ at }: Held): Promise<number> {
  const { body } = await must(request('GET', `${at}/changes?limit=50`, { token }))
  const counts = body.changes.flatMap(({ diff }: Change) =>
    diff.map(({ host: at_host, after: values }) => {
      assert.equal(at_host, '_acme-challenge')
      return values?.values.length ?? 0
    }),
  )
  return Math.max(...counts)
}

describe('a certificate for a name and its wildcard', { skip: skipCertificates }, () => {
  it('is issued to lego', async () => {
    const one = await held('by-lego.com')
    const { domain, folder, key } = one
    const words = [
      ...['--server', pebble.url, '--accept-tos', '--email', 'a@example.com', '--path', folder],
      ...['--dns', 'rfc2136', '--dns.resolvers', `${host}:${port}`, '--dns.disable-cp'],
      ...['--domains', domain, '--domains', `*.${domain}`, 'run'],
    ]
    const env = {
      LEGO_CA_CERTIFICATES: pebble.ca_file,
      RFC2136_NAMESERVER: `${host}:${port}`,
      RFC2136_TSIG_ALGORITHM: `${key.algorithm}.`,
      RFC2136_TSIG_KEY: key.name,
      RFC2136_TSIG_SECRET: one.secret,
      RFC2136_SEQUENCE_INTERVAL: '1',
    }
    await run('lego', words, { folder, env })
    const file = join(folder, 'certificates', `${domain}.crt`)
    await assertIssued(one, file, [`*.${domain}`, domain])
  })

  it('is issued to certbot, and both values are there at once', async () => {
    const one = await held('by-certbot.com')
    const { domain, folder, key } = one
    const credentials = join(folder, 'rfc2136.ini')
    const lines = [
      `dns_rfc2136_server = ${host}`,
      `dns_rfc2136_port = ${port}`,
      `dns_rfc2136_name = ${key.name}`,
      `dns_rfc2136_secret = ${one.secret}`,
      `dns_rfc2136_algorithm = ${key.algorithm.toUpperCase()}`,
    ]
    writeFileSync(credentials, `${lines.join('\n')}\n`, { mode: 0o600 })
    const words = [
      ...['certonly', '--non-interactive', '--agree-tos', '--email', 'a@example.com'],
      ...['--server', pebble.url, '--dns-rfc2136', '--dns-rfc2136-credentials', credentials],
      ...['--dns-rfc2136-propagation-seconds', '0', '-d', domain, '-d', `*.${domain}`],
      ...['config', 'work', 'logs'].flatMap((of) => [`--${of}-dir`, join(folder, of)]),
    ]
    await run('/usr/bin/python3', ['/usr/bin/certbot', ...words], {
      folder,
      env: { REQUESTS_CA_BUNDLE: pebble.ca_file },
    })
    const file = join(folder, 'config', 'live', domain, 'cert.pem')
    await assertIssued(one, file, [`*.${domain}`, domain])
    assert.equal(await mostValues(one), 2)
  })

  it('is issued to dehydrated with nsupdate, and both values are there at once', async () => {
    const one = await held('by-dehydrated.com')
    const { domain, folder, key } = one
    writeFileSync(
      join(folder, 'my.key'),
      `key "${key.name}" { algorithm ${key.algorithm}; secret "${one.secret}"; };\n`,
      { mode: 0o600 },
    )
    const hook = join(folder, 'hook')
    writeFileSync(hook, hookOf(folder))
    chmodSync(hook, 0o755)
    const config = join(folder, 'config')
    const lines = [
      `CA="${pebble.url}"`,
      'CHALLENGETYPE="dns-01"',
      `HOOK="${hook}"`,
      `BASEDIR="${folder}"`,
      `CURL_OPTS="--cacert ${pebble.ca_file}"`,
    ]
    writeFileSync(config, `${lines.join('\n')}\n`)
    const words = ['--config', config, '--register', '--accept-terms']
    await run('dehydrated', words, { folder })
    const names = ['--domain', `${domain} *.${domain}`]
    await run('dehydrated', ['--config', config, '--cron', ...names], { folder })
    const file = join(folder, 'certs', domain, 'cert.pem')
    await assertIssued(one, file, [`*.${domain}`, domain])
    assert.equal(await mostValues(one), 2)
  })
})

/** A hook as dehydrated's documentation has it: one update for each value. */
function hookOf(folder: string): string {
  return `#!/bin/sh
set -e
update() {
  printf 'server ${host} ${port}\\nupdate %s _acme-challenge.%s. %s TXT "%s"\\nsend\\n' \\
    "$1" "$2" "$3" "$4" | nsupdate -k ${join(folder, 'my.key')}
}
case "$1" in
  deploy_challenge) update add "$2" 60 "$4" ;;
  clean_challenge) update delete "$2" 0 "$4" ;;
esac
`
}

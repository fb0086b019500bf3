// Pebble, the ACME server of Let's Encrypt for tests, which issues certificates for names whose TXT
// records our name server answers. It runs on free ports of this machine, and is removed after the
// file's tests.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { freePort } from '../../../src/kit/net/free-port.ts'

const needed = {
  pebble: ['pebble', '-h'],
  lego: ['lego', '--version'],
  certbot: ['certbot', '--version'],
  dehydrated: ['dehydrated', '--version'],
  'python3-certbot-dns-rfc2136': ['/usr/bin/python3', '-c', 'import certbot_dns_rfc2136'],
  'bind9-dnsutils': ['nsupdate', '-V'],
  curl: ['curl', '--version'],
  openssl: ['openssl', 'version'],
}
const missing = Object.entries(needed).flatMap(([name, [program = '', ...words]]) => {
  const { error, status } = spawnSync(program, words)
  return error || (program.endsWith('python3') && status !== 0) ? [name] : []
})

/** Why no certificate can be issued here, or false if it can, and in CI, where it must. */
export const skipCertificates =
  missing.length === 0 || process.env.CI === 'true'
    ? false
    : `not installed: apt-get install ${missing.join(' ')}`

export type Pebble = {
  /** The URL of the directory (RFC 8555 7.1.1). */
  url: string
  /** The certificate that clients trust its HTTPS by. */
  ca_file: string
  folder: string
  /** The intermediate certificate that it signs with, in PEM, which differs for each start. */
  issuer: () => Promise<string>
}

const opened: { folder: string; child: ChildProcess | null }[] = []
after(async () => {
  for (const { folder, child } of opened) {
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Starts one that asks the name server at this place. */
export async function startPebble({ host, port }: { host: string; port: number }): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-acme-'))
  const one: (typeof opened)[number] = { folder, child: null }
  opened.push(one)
  const [ca_file, key_file] = [join(folder, 'tls.pem'), join(folder, 'tls.key')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key_file, '-out', ca_file]
  execFileSync('openssl', [...request, ...names, ...files], { stdio: 'ignore' })
  const [acme, management] = [await freePort(), await freePort()]
  const config = {
    listenAddress: `127.0.0.1:${acme}`,
    managementListenAddress: `127.0.0.1:${management}`,
    ...{ certificate: ca_file, privateKey: key_file },
    ...{ httpPort: await freePort(), tlsPort: await freePort() },
    ...{ ocspResponderURL: '', externalAccountBindingRequired: false },
  }
  const file = join(folder, 'pebble.json')
  writeFileSync(file, JSON.stringify({ pebble: config }))
  const child = spawn('pebble', ['-config', file, '-dnsserver', `${host}:${port}`], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  one.child = child
  await listening(child)
  const certificate = (path: string) => overHttps(`https://localhost:${management}${path}`, ca_file)
  return {
    ...{ url: `https://localhost:${acme}/dir`, ca_file, folder },
    issuer: () => certificate('/intermediates/0'),
  }
}

/** Its output is read to the end, as a closed pipe would end it. */
async function listening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
      if (output.includes('ACME directory available')) resolve()
    })
  child.on('exit', () => reject(new Error(`pebble has ended:\n${output}`)))
  await promise
}

async function overHttps(url: string, ca_file: string): Promise<string> {
  const [response] = await once(get(url, { ca: readFileSync(ca_file) }), 'response')
  return await text(response)
}

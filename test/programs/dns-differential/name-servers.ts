// NSD and Knot, each serving the same zone files on a free port of this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { nameToWire } from '../../../src/dns/name.ts'
import { rrType } from '../../../src/dns/types.ts'
import { freePort } from '../../../src/kit/net/free-port.ts'
import { Client, type Place } from './ask.ts'

type ZoneFile = { name: string; text: string }

const programs = { nsd: '/usr/sbin/nsd', knot: '/usr/sbin/knotd' }
const missing = Object.values(programs).filter((path) => !existsSync(path))

/** Why the comparison cannot run, or false if it can, and in CI, where it must. */
export const skipNameServers =
  missing.length === 0 || process.env.CI === 'true'
    ? false
    : `${missing.join(' and ')} is not installed: apt-get install nsd knot`

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-name-servers-'))
const children: ChildProcess[] = []
after(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }),
  )
  rmSync(folder, { recursive: true, force: true })
})

/** Writes the zones once, for both. */
export function writeZones(zones: readonly ZoneFile[]): void {
  for (const { name, text } of zones) writeFileSync(join(folder, `${name}.zone`), text)
}

export async function startNsd(zones: readonly ZoneFile[]): Promise<Place> {
  const port = await freePort()
  const own = ownFolder('nsd')
  const text = [
    'server:',
    '  ip-address: 127.0.0.1',
    `  port: ${port}`,
    '  server-count: 1',
    '  username: ""',
    '  chroot: ""',
    '  database: ""',
    `  zonesdir: "${folder}"`,
    ...['pidfile', 'xfrdfile', 'zonelistfile', 'cookie-secret-file'].map(
      (name) => `  ${name}: "${join(own, name)}"`,
    ),
    `  xfrdir: "${own}"`,
    '  ipv4-edns-size: 1232',
    '  rrl-ratelimit: 0',
    '  rrl-whitelist-ratelimit: 0',
    'remote-control:',
    '  control-enable: no',
    ...zones.map(({ name }) => `zone:\n  name: "${name}"\n  zonefile: "${name}.zone"`),
    '',
  ].join('\n')
  const file = join(own, 'nsd.conf')
  writeFileSync(file, text)
  return await started(programs.nsd, ['-d', '-c', file], { port, zones })
}

/** With `transfers`, it gives a copy of each zone (AXFR) to this machine. */
export async function startKnot(
  zones: readonly ZoneFile[],
  { transfers = false } = {},
): Promise<Place> {
  const port = await freePort()
  const own = ownFolder('knot')
  const text = [
    'server:',
    `  rundir: "${own}"`,
    `  listen: 127.0.0.1@${port}`,
    '  udp-workers: 1',
    '  tcp-workers: 1',
    '  background-workers: 1',
    '  udp-max-payload: 1232',
    'database:',
    `  storage: "${own}"`,
    ...(transfers
      ? ['acl:', '  - id: copies', '    address: 127.0.0.1', '    action: transfer']
      : []),
    'template:',
    '  - id: default',
    ...(transfers ? ['    acl: copies'] : []),
    `    storage: "${folder}"`,
    '    file: "%s.zone"',
    '    zonefile-load: whole',
    '    zonefile-sync: -1',
    '    journal-content: none',
    'zone:',
    ...zones.map(({ name }) => `  - domain: "${name}"`),
    '',
  ].join('\n')
  const file = join(own, 'knot.conf')
  writeFileSync(file, text)
  return await started(programs.knot, ['-c', file], { port, zones })
}

function ownFolder(name: string): string {
  const own = join(folder, name)
  mkdirSync(own)
  return own
}

type Serving = { port: number; zones: readonly ZoneFile[] }

async function started(program: string, words: string[], { port, zones }: Serving): Promise<Place> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const place = { host: '127.0.0.1', port }
  const end = Date.now() + 30_000
  // Neither reports when it is ready, so every zone is asked for until it is served.
  const until = async <T>(what: string, work: () => Promise<T | null>): Promise<T> => {
    for (;;) {
      const result = await work()
      if (result !== null) return result
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`${program} does not serve ${what}:\n${output.slice(-2000)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const client = await until('TCP', () => Client.to(place).catch(() => null))
  for (const { name } of zones) {
    const soa = { name: nameToWire(name), type: rrType.soa, recursion_desired: false, edns: null }
    await until(name, async () => {
      const answer = await client.overUdp(soa).catch(() => null)
      return answer?.rcode === 0 ? answer : null
    })
  }
  client.close()
  return place
}

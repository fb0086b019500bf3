// NSD and Knot, each serving one zone file, with one worker as our node has one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askSet } from '../../../src/adapters/dns/lookup/dns-lookup.ts'
import { rrType } from '../../../src/dns/types.ts'
import type { Bench } from '../bench.ts'
import { freePort } from '../programs.ts'

type Zone = { name: string; text: string }
type DnsPeer = { name: string; pid: number; port: number }

export async function startPeers(bench: Bench, zone: Zone): Promise<DnsPeer[]> {
  const file = join(bench.folder, 'peers.zone')
  writeFileSync(file, zone.text)
  const options = { bench, zone: zone.name, file }
  return [
    await start('nsd', { ...options, words: (path) => ['-d', '-c', path], config: nsd }),
    await start('knotd', { ...options, words: (path) => ['-c', path], config: knot }),
  ]
}

type Made = { folder: string; port: number; zone: string; file: string }
type Start = {
  bench: Bench
  zone: string
  file: string
  words: (path: string) => string[]
  config: (made: Made) => string[]
}

async function start(program: string, { bench, zone, file, words, config }: Start) {
  const folder = join(bench.folder, program)
  mkdirSync(folder)
  const port = await freePort()
  const path = join(folder, 'config')
  writeFileSync(path, [...config({ folder, port, zone, file }), ''].join('\n'))
  const child = spawn(`/usr/sbin/${program}`, words(path), {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const failed = once(child, 'error').then(([error]) => error)
  bench.atEnd(() => ended(child))
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const early = await Promise.race([failed, sleep(50)])
    if (early instanceof Error) throw early
    const served = await askSet({ host: '127.0.0.1', port }, zone, rrType.soa)
    if (served && served.rdata.length > 0) return { name: program, pid: child.pid ?? 0, port }
  }
  throw new Error(`${program} does not serve ${zone}`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

function nsd({ folder, port, zone, file }: Made): string[] {
  const own = ['pidfile', 'xfrdfile', 'zonelistfile', 'cookie-secret-file']
  return [
    'server:',
    '  ip-address: 127.0.0.1',
    `  port: ${port}`,
    '  server-count: 1',
    '  username: ""',
    '  chroot: ""',
    '  database: ""',
    `  xfrdir: "${folder}"`,
    ...own.map((name) => `  ${name}: "${join(folder, name)}"`),
    '  rrl-ratelimit: 0',
    '  rrl-whitelist-ratelimit: 0',
    'remote-control:',
    '  control-enable: no',
    'zone:',
    `  name: "${zone}"`,
    `  zonefile: "${file}"`,
  ]
}

function knot({ folder, port, zone, file }: Made): string[] {
  return [
    'server:',
    `  rundir: "${folder}"`,
    `  listen: 127.0.0.1@${port}`,
    '  udp-workers: 1',
    '  tcp-workers: 1',
    '  background-workers: 1',
    'database:',
    `  storage: "${folder}"`,
    'zone:',
    `  - domain: "${zone}"`,
    `    file: "${file}"`,
    '    zonefile-load: whole',
    '    zonefile-sync: -1',
    '    journal-content: none',
  ]
}

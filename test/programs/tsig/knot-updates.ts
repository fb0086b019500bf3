// Knot as a primary that takes the same signed updates as ours, and gives out the zone.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../../../src/kit/net/free-port.ts'
import type { GivenKey } from '../../support/dns/dns-update.ts'
import { Client, type Place } from '../dns-differential/ask.ts'

const program = '/usr/sbin/knotd'

/** Serves the zone of this text until the file's tests end. */
export async function startUpdatedKnot(
  domain: string,
  text: string,
  given: GivenKey,
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-knot-'))
  let child: ChildProcess | null = null
  after(async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })
  const place = { host: '127.0.0.1', port: await freePort() }
  const { name, algorithm } = given.key
  const lines = [
    ...['server:', `  rundir: "${folder}"`, `  listen: ${place.host}@${place.port}`],
    ...['  udp-workers: 1', '  tcp-workers: 1', '  background-workers: 1'],
    ...['key:', `  - id: "${name}"`, `    algorithm: ${algorithm}`, `    secret: ${given.secret}`],
    ...['acl:', '  - id: all', `    key: "${name}"`, '    action: [update, transfer]'],
    ...['database:', `  storage: "${folder}"`],
    ...['template:', '  - id: default', `    storage: "${folder}"`, '    file: "%s.zone"'],
    ...['zone:', `  - domain: "${domain}"`, '    acl: all', ''],
  ]
  writeFileSync(join(folder, 'knot.conf'), lines.join('\n'))
  writeFileSync(join(folder, `${domain}.zone`), text)
  child = spawn(program, ['-c', join(folder, 'knot.conf')], { stdio: 'ignore' })
  for (;;) {
    const client = await Client.to(place).catch(() => null)
    client?.close()
    if (client) return place
    if (child.exitCode !== null) throw new Error('Knot has ended')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

// Knot at a port that it keeps: first with the zone as a file, later as a secondary of ours.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../../../src/kit/net/free-port.ts'
import type { Place } from '../dns-differential/ask.ts'

const program = '/usr/sbin/knotd'

/** Why Knot cannot run, or false if it can, and in CI, where it must. */
export const skipKnot =
  existsSync(program) || process.env.CI === 'true'
    ? false
    : `${program} is not installed: apt-get install knot`

type Key = { name: string; algorithm: string; secret: string }

export class Knot {
  readonly place: Place
  readonly #folder = mkdtempSync(join(tmpdir(), 'agent-registrar-knot-'))
  #child: ChildProcess | null = null

  constructor(port: number) {
    this.place = { host: '127.0.0.1', port }
    after(async () => {
      await this.stop()
      rmSync(this.#folder, { recursive: true, force: true })
    })
  }

  static async atFreePort(): Promise<Knot> {
    return new Knot(await freePort())
  }

  /** Serves this zone, and gives it to everyone on this machine (AXFR). */
  startPrimary(domain: string, text: string): void {
    writeFileSync(join(this.#folder, `${domain}.zone`), text)
    const acl = ['acl:', '  - id: all', '    address: 127.0.0.1', '    action: transfer']
    const zone = ['zone:', `  - domain: "${domain}"`, '    acl: all']
    this.#start([...acl, ...zone])
  }

  /** Gets the zone from this address, by transfers that the key signs. */
  startSecondary(domain: string, from: Place, { name, algorithm, secret }: Key): void {
    rmSync(join(this.#folder, `${domain}.zone`), { force: true })
    this.#start([
      ...['key:', `  - id: "${name}"`, `    algorithm: ${algorithm}`, `    secret: ${secret}`],
      ...['remote:', '  - id: primary', `    address: ${from.host}@${from.port}`],
      `    key: "${name}"`,
      ...['zone:', `  - domain: "${domain}"`, '    master: primary'],
    ])
  }

  #start(lines: readonly string[]): void {
    const file = join(this.#folder, 'knot.conf')
    const { host, port } = this.place
    const fixed = [
      ...['server:', `  rundir: "${this.#folder}"`, `  listen: ${host}@${port}`],
      ...['  udp-workers: 1', '  tcp-workers: 1', '  background-workers: 1'],
      ...['database:', `  storage: "${this.#folder}"`],
      ...['template:', '  - id: default', `    storage: "${this.#folder}"`, '    file: "%s.zone"'],
    ]
    const order = lines.indexOf('zone:')
    const parts = [...lines.slice(0, order), ...fixed, ...lines.slice(order), '']
    writeFileSync(file, parts.join('\n'))
    this.#child = spawn(program, ['-c', file], { stdio: 'ignore' })
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

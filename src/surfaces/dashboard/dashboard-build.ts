// Build at start: a child process bundles the dashboard when its sources are newer than the bundle,
// while the API answers already.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'

const folder = join(import.meta.dirname, '../../../dashboard')
/** The folder of the bundle's files. */
export const bundleFolder = join(folder, 'dist')

type State = 'ready' | 'building' | 'failed' | 'no_bundler'

/** The state of the bundle, as requests meet it. */
export class DashboardBuild {
  readonly #log: Logger
  readonly #folder: string
  #state: State
  #child: ChildProcess | null = null

  /** `place` is the folder of build.ts and the bundle. */
  constructor(log: Logger, place = folder) {
    this.#log = log
    this.#folder = place
    this.#state = existsSync(join(place, 'dist/index.html')) ? 'ready' : 'no_bundler'
  }

  get state(): State {
    return this.#state
  }

  /** Resolves once it is known whether the bundle is current. A build goes on after that. */
  async refresh(): Promise<void> {
    const child = spawn(process.execPath, [join(this.#folder, 'build.ts'), '--report'], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    const errors: Buffer[] = []
    child.stderr?.on('data', (octets: Buffer) => errors.push(octets))
    const { promise, resolve } = Promise.withResolvers<void>()
    child.on('message', (message) => {
      if (message === 'building') this.#state = 'building'
      if (message === 'current' || message === 'built') this.#state = 'ready'
      if (message === 'no_bundler') this.#state = 'no_bundler'
      resolve()
    })
    child.on('error', (error) => {
      this.#fail(error.message)
      resolve()
    })
    child.on('close', (code, signal) => {
      this.#child = null
      if (code !== 0 && signal === null) this.#fail(Buffer.concat(errors).toString())
      resolve()
    })
    await promise
  }

  #fail(reason: string): void {
    this.#state = 'failed'
    this.#log.error({ reason }, 'building the dashboard failed')
  }

  /** Ends a build that is under way. The next start begins it again. */
  async close(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null) return
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill()
    await closed
  }
}

// Nodes as processes: started, stopped, killed, and waited for.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Sandbox } from '../../../sandbox/registry/index.ts'
import { bundleOf } from '../../support/bundle.ts'
import { endpointsOf, wideLimits } from '../../support/service.ts'

const here = import.meta.dirname

export type NodeOptions = {
  crash_at?: string
  worker?: boolean
  /** A module that is loaded first and removes a protection. */
  without?: string
  /** A module that is loaded first and imports nothing of ours. */
  preload?: string
  /** The root of another version of the service; this version by default. */
  tree?: string
  settings?: Record<string, string>
}
export type Place = {
  database_url: string
  data_dir: string
  sandbox: Sandbox
  settings: Record<string, string>
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export class RunningNode {
  readonly url: string
  readonly child: ChildProcess
  /** Whether it killed itself at its crash point. */
  readonly died: Promise<boolean>
  readonly #lines: Interface
  #killed = false

  constructor(url: string, child: ChildProcess, lines: Interface) {
    this.url = url
    this.child = child
    this.#lines = lines
    const exited = hasEnded(child) ? Promise.resolve() : once(child, 'exit')
    this.died = exited.then(() => !this.#killed && child.signalCode === 'SIGKILL')
  }

  /**
   * Whether it dies at one of its own steps, which a request or a job may not have reached yet; its
   * clients lose their connections.
   */
  async dies(): Promise<boolean> {
    const alive = new Promise<false>((resolve) => setTimeout(() => resolve(false), 30_000).unref())
    return Promise.race([this.died, alive])
  }

  /** Sends SIGKILL, and returns whether it had already died at one of its own steps. */
  async kill(): Promise<boolean> {
    if (!hasEnded(this.child)) {
      this.#killed = true
      this.child.kill('SIGKILL')
    }
    return this.died
  }

  /** Asks it to stop (SIGTERM), and returns its exit code once it has stopped. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM')
    if (!hasEnded(this.child)) await once(this.child, 'exit')
    return this.child.exitCode
  }

  /** Stops it (SIGSTOP) until it is continued. */
  freeze(): void {
    this.child.kill('SIGSTOP')
  }

  goOn(): void {
    this.child.kill('SIGCONT')
  }

  /**
   * Makes one run of the settle job. Returns true if it came to its end, and false if the node died
   * in it.
   */
  async settle(): Promise<boolean> {
    const settled = once(this.#lines, 'line').then(() => true)
    this.child.stdin?.write('settle\n')
    return Promise.race([settled, this.died.then(() => false)])
  }
}

/** Folders of compile caches that a node of this process writes. */
const kept = new Set<string>()

/**
 * A negative control replaces modules of the sources. All others run the bundle. The first node
 * writes the compile cache, since a killed one cannot.
 */
async function programOf({ without, preload, tree }: NodeOptions) {
  if (without)
    return {
      program: ['--import', join(here, '..', without), join(here, 'child.ts')],
      environment: cacheIn(join(here, '../../../node_modules/.cache/compiled')),
    }
  const child = tree ? join(tree, 'test/disasters/support/child.ts') : join(here, 'child.ts')
  const file = await bundleOf(child)
  const first = preload === undefined ? [] : ['--import', join(here, '..', preload)]
  return { program: [...first, file], environment: cacheIn(join(dirname(file), 'compiled')) }
}

function cacheIn(folder: string) {
  const TEST_KEEPS_COMPILED = String(!kept.has(folder))
  kept.add(folder)
  return { NODE_COMPILE_CACHE: folder, TEST_KEEPS_COMPILED }
}

/**
 * Starts a node. Throws if it ends before it listens, unless it died at its crash point, in which
 * case it has no URL.
 */
export async function startNode(place: Place, options: NodeOptions = {}): Promise<RunningNode> {
  const { program, environment } = await programOf(options)
  // A large young generation: the start spends no time on copying young objects.
  const child = spawn(process.execPath, ['--min-semi-space-size=64', ...program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...environment,
      TEST_LOG: process.env.TEST_LOG,
      ...wideLimits,
      PORT: '0',
      DNS_PORT: '0',
      DATABASE_URL: place.database_url,
      DATABASE_POOL: '3',
      // A folder serves one node at a time.
      DATA_DIR: mkdtempSync(join(place.data_dir, 'node-')),
      CRASH_AT: options.crash_at ?? '',
      TEST_WORKER: String(options.worker ?? false),
      TEST_ENDPOINTS: JSON.stringify([...endpointsOf(place.sandbox)]),
      ...place.settings,
      ...options.settings,
    },
  })
  // A node that died has no stdin.
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })
  const first = once(lines, 'line').then(([line]) => String(line))
  const url = await Promise.race([first, once(child, 'exit').then(() => undefined)])
  if (url === undefined && child.signalCode !== 'SIGKILL')
    throw new Error('A node ended before it listened')
  return new RunningNode(url ?? '', child, lines)
}

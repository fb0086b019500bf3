// Nodes that are processes of their own: started, killed, and waited for.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Sandbox } from '../../sandbox/registry/index.ts'
import { endpointsOf, wideLimits } from '../support/service.ts'

const here = import.meta.dirname

export type NodeOptions = {
  database_url: string
  data_dir: string
  sandbox: Sandbox
  crash_at?: string
  worker?: boolean
  /** A module that is loaded first: takes a protection out, for a control run. */
  without?: string
}
export type RunningNode = {
  url: string
  child: ChildProcess
  exited: Promise<unknown>
  /** SIGKILL, and gone. */
  kill: () => Promise<void>
}

/** Starts a node; undefined when it killed itself before it listened. */
export async function startNode(options: NodeOptions): Promise<RunningNode | undefined> {
  const preload = options.without ? ['--import', join(here, options.without)] : []
  const child = spawn(process.execPath, [...preload, join(here, 'child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...wideLimits,
      PORT: '0',
      DNS_PORT: '0',
      DATABASE_URL: options.database_url,
      DATABASE_POOL: '3',
      DATA_DIR: options.data_dir,
      REGISTRIES_FILE: join(here, 'registries.yaml'),
      CRASH_AT: options.crash_at ?? '',
      TEST_WORKER: String(options.worker ?? false),
      TEST_ENDPOINTS: JSON.stringify([...endpointsOf(options.sandbox)]),
    },
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = once(lines, 'line').then(([line]) => String(line))
  const url = await Promise.race([first, exited.then(() => undefined)])
  if (url === undefined) return undefined
  return {
    url,
    child,
    exited,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Runs the jobs over a list, at most so many at once. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const take = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: width }, take))
}

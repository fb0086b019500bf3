// The processes of a benchmark: the service, its peers, the simulated registries.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'

export const root = resolve(import.meta.dirname, '../..')
export const operatorKey = `op_${'b'.repeat(40)}`

type Program = { pid: number; stop: () => Promise<void> }
export type Peer = Program & {
  /** The first line that it printed. */
  announced: string
  /** Sends a line to its stdin, and returns the next line that it prints. */
  ask: (line: string) => Promise<string>
}
export type ServiceProcess = Program & { url: string; signal: (name: NodeJS.Signals) => void }

type Environment = Record<string, string | undefined>

const needed = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** Limits so high that no round reaches them, although the limiter does all its work. */
const wideLimits = {
  REQUESTS_PER_MINUTE: '1000000000',
  ANONYMOUS_REQUESTS_PER_MINUTE: '1000000000',
  ADDRESS_REQUESTS_PER_MINUTE: '1000000000',
  NAMES_PER_MINUTE: '1000000000',
  ANONYMOUS_NAMES_PER_MINUTE: '1000000000',
  CLIENT_REGISTRATIONS_PER_HOUR: '1000000000',
}

function endOf(child: ChildProcess, signal: NodeJS.Signals): () => Promise<void> {
  const exited = once(child, 'exit')
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await exited
    clearTimeout(late)
  }
}

/** Starts a program of bench/support, and returns when it has printed its first line. */
export async function startPeer(bench: Bench, file: string, env: Environment): Promise<Peer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...needed, ...env },
  })
  const stop = endOf(child, 'SIGTERM')
  bench.atEnd(stop)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${file} ended before it answered`)
    return String(value)
  }
  return {
    pid: child.pid ?? 0,
    announced: await next(),
    ask: async (line) => {
      child.stdin.write(`${line}\n`)
      return next()
    },
    stop,
  }
}

type ServiceOptions = { database_url: string; registries: Environment; settings?: Environment }

/**
 * Starts the whole service as `npm start` runs it and discards its output. Returns when it is
 * healthy.
 */
export async function startService(
  bench: Bench,
  { database_url, registries, settings }: ServiceOptions,
): Promise<ServiceProcess> {
  const port = await freePort()
  const preload = bench.profile ? ['--import', join(import.meta.dirname, 'profiled.ts')] : []
  const child = spawn(process.execPath, [...preload, join(root, 'src/main.ts')], {
    cwd: bench.folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...needed,
      ...wideLimits,
      ...registries,
      PORT: String(port),
      DNS_PORT: '0',
      DATABASE_URL: database_url,
      DATA_DIR: mkdtempSync(join(bench.folder, 'service-')),
      REGISTRIES_FILE: join(import.meta.dirname, 'registries.yaml'),
      SANDBOX_REGISTRY: 'false',
      OPERATOR_KEY: operatorKey,
      LOG_LEVEL: 'info',
      PROFILE_FILE: profileFile(bench),
      ...settings,
    },
  })
  const stop = endOf(child, 'SIGTERM')
  bench.atEnd(stop)
  const url = `http://127.0.0.1:${port}`
  await becomesHealthy(url, child)
  return { pid: child.pid ?? 0, url, stop, signal: (name) => child.kill(name) }
}

/** The file that profiled.ts writes. */
export function profileFile(bench: Bench): string {
  return join(bench.folder, 'service.cpuprofile')
}

/** Polls /v1/health until it answers 200. */
export async function becomesHealthy(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(5)
  }
  throw new Error('The service ended before it answered')
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('No free port')
  return address.port
}

export type RegistriesProcess = {
  environment: Environment
  pid: number
  /** Delays every answer from now on. */
  answerAfter: (ms: number) => Promise<void>
  /** How many of these commands reached the thin registry so far, e.g. "domain:info". */
  received: (command: string) => Promise<number>
}

/**
 * The simulated registries, in memory. Returns the settings for the service and for the raw client.
 */
export async function startRegistries(bench: Bench): Promise<RegistriesProcess> {
  const { pid, announced, ask } = await startPeer(bench, 'registries.ts', {})
  const environment: Environment = JSON.parse(announced)
  const answerAfter = async (ms: number) => void (await ask(String(ms)))
  const received = async (command: string) => {
    const counted: Record<string, { received: number }> = JSON.parse(await ask('counters'))
    return counted[command]?.received ?? 0
  }
  return { environment, pid, answerAfter, received }
}

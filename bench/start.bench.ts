// Start-up time from launch to the first answer of /v1/health, for a first start and for a restart,
// and the memory at rest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, runBench } from './support/bench.ts'
import { memoryOf } from './support/processes.ts'
import { becomesHealthy, freePort, root } from './support/programs.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const rest_ms = 10_000

/** Starts it as `npm start` does, with only the folders set. */
async function launch(bench: Bench) {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(process.execPath, [join(root, 'start.cjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DNS_PORT: '0',
      DATA_DIR: join(bench.folder, 'data'),
      NODE_COMPILE_CACHE: join(bench.folder, 'compiled'),
    },
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  bench.atEnd(async () => child.exitCode ?? stop())
  await becomesHealthy(`http://127.0.0.1:${port}`, child)
  return { took_ms: performance.now() - start, pid: child.pid ?? 0, stop }
}

function sayMemory(pid: number): void {
  const members = memoryOf(pid)
  const groups = Map.groupBy(members, ({ name }) =>
    /postgres/.test(name) ? 'postgres' : /sandbox/.test(name) ? 'sandbox registries' : 'service',
  )
  say(`  at rest, ${rest_ms / 1000} s after a warm start:`)
  const line = (name: string, of: typeof members) => {
    const pss = of.reduce((sum, { pss_mb }) => sum + pss_mb, 0)
    const rss = of.reduce((sum, { rss_mb }) => sum + rss_mb, 0)
    const words = `${shown(pss)} MB (PSS), ${shown(rss)} MB (sum of RSS)`
    say(`    ${name.padEnd(20)} ${String(of.length).padStart(2)} processes  ${words}`)
  }
  for (const [name, of] of groups) line(name, of)
  line('all', members)
}

await runBench(async (bench) => {
  sayMachine('node start.cjs with nothing set, in a new folder', 'embedded PostgreSQL, durable')
  const first = await launch(bench)
  say(`  first start ${shown(first.took_ms)} ms (makes the database, keys and certificates)`)
  await first.stop()
  const warm: number[] = []
  for (let round = 1; round <= bench.rounds; round += 1) {
    const again = await launch(bench)
    warm.push(again.took_ms)
    if (round === bench.rounds) {
      await sleep(rest_ms)
      say(`  warm start  ${shown(median(warm))} ms (median of ${warm.map(shown).join(', ')})`)
      sayMemory(again.pid)
    }
    await again.stop()
  }
})

// The worker on a real database: one at a time, woken at once, taken over after a death, never stopped by a failure.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { type Logger, pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { startWorker, type Workable, wake, workerHealth } from './index.ts'

const day_ms = 86_400_000

type TestApp = { db: TestDatabase['database']; log: Logger }
type TestJob = Workable<TestApp, string>

async function newApp() {
  const { database, query, url } = await testDatabase()
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app: TestApp = { db: database, log }
  return { app, query, url, lines }
}

async function start(
  app: TestApp,
  jobs: TestJob[],
  parts: { lease_ms?: number; stop_ms?: number } = {},
) {
  const worker = await startWorker(app, jobs, { callOf: (_app, name) => name, ...parts })
  after(() => worker.stop())
  return worker
}

/** A promise and the function that resolves it. */
function signal<T = void>() {
  return Promise.withResolvers<T>()
}

test('a job gets its call, and runs again while there is more', async () => {
  const { app } = await newApp()
  const done = signal<string>()
  let rounds = 0
  const worker = await start(app, [
    {
      name: 'rounds',
      every_ms: day_ms,
      async run(_app, call) {
        rounds += 1
        if (rounds === 5) done.resolve(call)
        return { more: rounds < 5 }
      },
    },
  ])
  assert.equal(await done.promise, 'rounds')
  await worker.stop()
  assert.equal(rounds, 5)
})

test('two workers never run a job at the same time, and both get their turns', async () => {
  const { app } = await newApp()
  const enough = signal()
  const runs: string[] = []
  let running = 0
  let most = 0
  const jobOf = (node: string): TestJob => ({
    name: 'one_at_a_time',
    every_ms: 5,
    async run({ db }) {
      running += 1
      most = Math.max(most, running)
      await db.transaction(async () => undefined)
      running -= 1
      runs.push(node)
      if (runs.length >= 60 && new Set(runs).size === 2) enough.resolve()
      return { more: false }
    },
  })
  const workers = await Promise.all([start(app, [jobOf('a')]), start(app, [jobOf('b')])])
  await enough.promise
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.equal(most, 1)
})

test('a per-node job runs on both', async () => {
  const { app, query } = await newApp()
  const both = signal()
  const nodes = new Set<string>()
  const jobOf = (node: string): TestJob => ({
    name: 'flush',
    every_ms: day_ms,
    per_node: true,
    async run() {
      nodes.add(node)
      if (nodes.size === 2) both.resolve()
      return { more: false }
    },
  })
  const workers = await Promise.all([start(app, [jobOf('a')]), start(app, [jobOf('b')])])
  await both.promise
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(await query('select name from schedules'), [], 'it needs no lease')
})

test('a worker that is killed in the middle of a job is followed by another after the lease', async () => {
  const { app, url, query } = await newApp()
  const lease_ms = 600
  const place = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const child = spawn(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { openDatabase } from ${place('../db/database.ts')}
       import { startWorker } from ${place('./index.ts')}
       import { pino } from 'pino'
       const db = await openDatabase({ url: ${JSON.stringify(url)} })
       const run = () => { console.log('running'); return new Promise(() => {}) }
       await startWorker({ db, log: pino() }, [{ name: 'long', every_ms: 100, run }],
         { callOf: () => null, lease_ms: ${lease_ms} })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: new URL('../..', import.meta.url) },
  )
  await once(child.stdout, 'data')
  const took = signal<number>()
  let killed_at = 0
  const worker = await start(
    app,
    [
      {
        name: 'long',
        every_ms: 100,
        async run() {
          took.resolve(performance.now())
          return { more: false }
        },
      },
    ],
    { lease_ms },
  )
  // Longer than the lease: as long as it lives, it renews.
  for (let i = 0; i < 3; i += 1) await query(`select pg_sleep(${lease_ms / 2000})`)
  assert.equal(worker.state().jobs[0]?.rounds, 0, 'not while the first one lives')
  killed_at = performance.now()
  child.kill('SIGKILL')
  const waited = (await took.promise) - killed_at
  assert.ok(waited > 0 && waited < lease_ms + 1_000, `taken over after ${waited} ms`)
  await worker.stop()
})

test('a notification wakes a job at once, and many are few notifications', async () => {
  const { app } = await newApp()
  const started = signal<number>()
  const waiting = [started]
  let runs = 0
  const worker = await start(app, [
    {
      name: 'woken',
      every_ms: day_ms,
      wakes_on: 'test_orders',
      async run() {
        runs += 1
        waiting.shift()?.resolve(performance.now())
        return { more: false }
      },
    },
  ])
  await started.promise
  const times: number[] = []
  for (let i = 0; i < 19; i += 1) {
    const woken = signal<number>()
    waiting.push(woken)
    const began = performance.now()
    wake(app, 'test_orders')
    times.push((await woken.promise) - began)
  }
  const median = times.sort((a, b) => a - b)[9] ?? Infinity
  assert.ok(median < 100, `woken after ${median} ms`)
  const before = runs
  const last = signal<number>()
  waiting.push(last)
  for (let i = 0; i < 1_000; i += 1) wake(app, 'test_orders')
  await last.promise
  await worker.stop()
  assert.ok(runs - before <= 3, `${runs - before} runs for 1000 wake-ups`)
})

test('a wake-up while the job runs is not lost', async () => {
  const { app } = await newApp()
  const first = signal()
  const go = signal()
  const second = signal()
  let runs = 0
  const worker = await start(app, [
    {
      name: 'busy',
      every_ms: day_ms,
      wakes_on: 'test_busy',
      async run() {
        runs += 1
        if (runs === 2) second.resolve()
        first.resolve()
        await go.promise
        return { more: false }
      },
    },
  ])
  await first.promise
  const heard = signal()
  const deafen = await app.db.listen('test_busy', {
    notified: () => heard.resolve(),
    reconnected: () => undefined,
  })
  wake(app, 'test_busy')
  await heard.promise
  go.resolve()
  await second.promise
  await deafen()
  await worker.stop()
  assert.equal(runs, 2)
})

test('a job that fails is logged, waits longer, tells health, and leaves the others alone', async () => {
  const { app, lines, query } = await newApp()
  const recovered = signal()
  const other = signal()
  let fails = 0
  const worker = await start(app, [
    {
      name: 'bad',
      every_ms: 10,
      wakes_on: 'test_bad',
      async run() {
        fails += 1
        if (fails <= 3) throw new Error(`no ${fails}`)
        recovered.resolve()
        return { more: false }
      },
    },
    {
      name: 'good',
      every_ms: 10,
      async run() {
        if (fails > 0) other.resolve()
        return { more: false }
      },
    },
  ])
  await other.promise
  const failures = () => lines.filter(({ msg }) => msg === 'job failed')
  // Woken instead of waiting for the pause that a failure brings.
  while (failures().length < 3) {
    wake(app, 'test_bad')
    await query('select pg_sleep(0.01)')
  }
  const pauses = failures().map(({ again_in_ms }) => Number(again_in_ms))
  assert.deepEqual(pauses, [1_000, 2_000, 4_000])
  while ((await workerHealth(app.db)).detail === null) await query('select pg_sleep(0.01)')
  assert.deepEqual(await workerHealth(app.db), {
    state: 'up',
    detail: 'bad failed 3 times in a row',
  })
  wake(app, 'test_bad')
  await recovered.promise
  await worker.stop()
  assert.equal(
    (await query("select failures, last_error from schedules where name = 'bad'"))[0]?.failures,
    0,
  )
  assert.equal(failures().length, 3)
})

test('stop waits for what runs and starts nothing new', async () => {
  const { app } = await newApp()
  const running = signal()
  const go = signal()
  let runs = 0
  const worker = await start(app, [
    {
      name: 'slow',
      every_ms: 1,
      async run() {
        runs += 1
        running.resolve()
        await go.promise
        return { more: true }
      },
    },
  ])
  await running.promise
  let stopped = false
  const stopping = worker.stop().then(() => {
    stopped = true
  })
  await app.db.transaction(async () => undefined)
  assert.equal(stopped, false)
  go.resolve()
  await stopping
  assert.equal(runs, 1)
})

test('stop is bounded, and says which job it leaves', async () => {
  const { app, lines } = await newApp()
  const running = signal()
  const go = signal()
  const worker = await start(
    app,
    [
      {
        name: 'endless',
        every_ms: 1,
        async run() {
          running.resolve()
          await go.promise
          return { more: false }
        },
      },
    ],
    { stop_ms: 20 },
  )
  await running.promise
  await worker.stop()
  go.resolve()
  const left = lines.find(({ jobs }) => jobs !== undefined)
  assert.deepEqual(left?.jobs, ['endless'])
})

test('health is down without a worker and when a job is overdue', async () => {
  const { app, query } = await newApp()
  assert.deepEqual(await workerHealth(app.db), { state: 'down', detail: 'no worker runs' })
  const worker = await start(app, [])
  assert.deepEqual(await workerHealth(app.db), { state: 'up', detail: null })
  await query(
    "insert into schedules (name, every_ms, next_at) values ('late', 1000, now() - interval '9 s')",
  )
  assert.deepEqual(await workerHealth(app.db), { state: 'down', detail: 'late is overdue' })
  await query('delete from schedules')
  await query("update worker_heartbeats set at = at - interval '40 s'")
  assert.deepEqual(await workerHealth(app.db), {
    state: 'down',
    detail: 'last sign of a worker 40 s ago',
  })
  await worker.stop()
  assert.deepEqual(await query('select node_id from worker_heartbeats'), [])
})

test('a lease that was lost to another ends the rounds and writes nothing over it', async () => {
  const { app, query } = await newApp()
  const running = signal()
  const go = signal()
  const worker = await start(
    app,
    [
      {
        name: 'lost',
        every_ms: day_ms,
        async run() {
          running.resolve()
          await go.promise
          return { more: true }
        },
      },
    ],
    { lease_ms: 150 },
  )
  await running.promise
  await query('update schedules set lease_token = lease_token + 7')
  // Past the next renewal, which learns of it.
  await query('select pg_sleep(0.2)')
  const [before] = await query('select lease_until, last_finished_at from schedules')
  go.resolve()
  await worker.stop()
  const [after] = await query('select lease_until, last_finished_at from schedules')
  assert.deepEqual(after, before)
})

// The worker: one at a time over all nodes, taken over after a death, woken at once.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { day_ms, newApp, signal, start, type TestJob } from './worker.fixture.ts'

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

test('a worker that is killed in mid-job is followed by another after the lease', async () => {
  const { app, url, query } = await newApp()
  const lease_ms = 1_500
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
  assert.ok(waited > 0 && waited < lease_ms + 10_000, `taken over after ${waited} ms`)
  await worker.stop()
})

test('a notification wakes a job at once, and many wake it few times', async () => {
  const { app, query } = await newApp()
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
    await query(`select pg_notify('test_orders', '')`)
    times.push((await woken.promise) - began)
  }
  // On a loaded machine most are late; without notifications all would be, by a day.
  const quartile = times.sort((a, b) => a - b)[4] ?? Infinity
  assert.ok(quartile < 500, `woken after ${quartile} ms`)
  const before = runs
  const last = signal<number>()
  waiting.push(last)
  // Each of its own: PostgreSQL delivers equal ones of a transaction once.
  await query(`select pg_notify('test_orders', i::text) from generate_series(1, 1000) i`)
  await last.promise
  await worker.stop()
  assert.ok(runs - before <= 3, `${runs - before} runs for 1000 wake-ups`)
})

test('a wake-up while the job runs is not lost', async () => {
  const { app, query } = await newApp()
  const first = signal()
  const go = signal()
  const second = signal()
  let runs = 0
  const worker = await start(app, [
    {
      name: 'busy',
      every_ms: day_ms,
      wakes_on: ['test_idle', 'test_busy'],
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
  const notified = signal()
  const detach = await app.db.listen('test_busy', {
    notified: () => notified.resolve(),
    reconnected: () => undefined,
  })
  await query(`select pg_notify('test_busy', '')`)
  await notified.promise
  go.resolve()
  await second.promise
  await detach()
  await worker.stop()
  assert.equal(runs, 2)
})

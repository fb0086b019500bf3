// Failures and stops of the worker, and their effect on its health.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workerHealth } from './index.ts'
import { day_ms, newApp, signal, start } from './worker.fixture.ts'

test('a job that fails is logged, waits longer, and leaves the others alone', async () => {
  const { app, lines, query } = await newApp()
  const recovered = signal()
  const other = signal()
  let fails = 0
  let repaired = false
  const worker = await start(app, [
    {
      name: 'bad',
      every_ms: 10,
      wakes_on: 'test_bad',
      async run() {
        fails += 1
        if (!repaired) throw new Error(`no ${fails}`)
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
    await query(`select pg_notify('test_bad', '')`)
    await query('select pg_sleep(0.01)')
  }
  const pauses = failures().map(({ again_in_ms }) => Number(again_in_ms))
  assert.deepEqual(pauses.slice(0, 3), [1_000, 2_000, 4_000])
  while ((await workerHealth(app.db)).detail === null) await query('select pg_sleep(0.01)')
  const { state, detail } = await workerHealth(app.db)
  assert.equal(state, 'up')
  assert.match(detail ?? '', /^bad failed [3-9] times in a row$/)
  repaired = true
  await query(`select pg_notify('test_bad', '')`)
  await recovered.promise
  await worker.stop()
  assert.equal(
    (await query("select failures, last_error from schedules where name = 'bad'"))[0]?.failures,
    0,
  )
})

test('a wake-up is not lost when the database fails at the claim', async () => {
  const { app, lines, query } = await newApp()
  const [first, second] = [signal(), signal()]
  let runs = 0
  const worker = await start(app, [
    {
      name: 'woken',
      every_ms: day_ms,
      wakes_on: 'test_woken',
      async run() {
        runs += 1
        ;(runs === 1 ? first : second).resolve()
        return { more: false }
      },
    },
  ])
  await first.promise
  while ((await query('select from schedules where lease_until is null')).length === 0);
  await query('alter table schedules rename to schedules_away')
  await query(`select pg_notify('test_woken', '')`)
  const waits = () => lines.some(({ msg }) => msg === 'job waits for the database')
  while (!waits()) await query('select pg_sleep(0.01)')
  await query('alter table schedules_away rename to schedules')
  await second.promise
  await worker.stop()
  assert.equal(runs, 2)
})

test('a daily job is retried within a minute after a failure', async () => {
  const { app, lines } = await newApp()
  const failed = signal()
  const worker = await start(app, [
    {
      name: 'daily',
      every_ms: day_ms,
      async run() {
        setImmediate(failed.resolve)
        throw new Error('not today')
      },
    },
  ])
  await failed.promise
  await worker.stop()
  const [line] = lines.filter(({ msg }) => msg === 'job failed')
  assert.equal(Number(line?.again_in_ms), 60_000)
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
    detail: 'last heartbeat of a worker 40 s ago',
  })
  await worker.stop()
  assert.deepEqual(await query('select node_id from worker_heartbeats'), [])
})

test('health is down while a round of a per-node job does not end, and names one that fails', async () => {
  const { app, query } = await newApp()
  const go = signal()
  const per_node = true
  const stuck = async () => {
    await go.promise
    return { more: false }
  }
  const worker = await start(
    app,
    [
      { name: 'stuck', every_ms: 10, per_node, run: stuck },
      { name: 'failing', every_ms: 10, per_node, run: () => Promise.reject(new Error('no')) },
      { name: 'long', every_ms: day_ms, per_node, run: stuck },
    ],
    { heartbeat_ms: 50, longest_round_ms: 100 },
  )
  const until = async (state: 'up' | 'down', detail: RegExp) => {
    for (;;) {
      const health = await workerHealth(app.db)
      if (health.state === state && detail.test(health.detail ?? '')) return
      await query('select pg_sleep(0.02)')
    }
  }
  await until('down', /^failing failed [3-9] times in a row; stuck is overdue$/)
  go.resolve()
  await until('up', /^failing failed \d+ times in a row$/)
  await worker.stop()
})

test('schedules of jobs that only another version had are removed when they are overdue', async () => {
  const { app, query } = await newApp()
  await query(
    `insert into schedules (name, every_ms, next_at, lease_until) values
       ('gone', 1000, now() - interval '3 s', null), ('due', 1000, now(), null),
       ('running', 1000, now() - interval '3 s', now() + interval '1 hour')`,
  )
  const idle = async () => ({ more: false })
  const job = { name: 'own', every_ms: day_ms, run: idle }
  const perNode = { name: 'was_shared', every_ms: day_ms, per_node: true, run: idle }
  await query(
    `insert into schedules (name, every_ms, next_at) values ('was_shared', 1, '2020-01-01')`,
  )
  await query(`insert into schedules (name, every_ms, next_at) values ('own', 1, '2020-01-01')`)
  await start(app, [job, perNode])
  const left = await query('select name from schedules order by name')
  assert.deepEqual(
    left.map(({ name }) => name),
    ['due', 'own', 'running'],
  )
})

test('a lease that was lost to another ends the rounds and writes nothing over it', async () => {
  const { app, lines, query } = await newApp()
  const running = signal()
  const taken = signal()
  const most_runs = 1_000
  let runs = 0
  const worker = await start(
    app,
    [
      {
        name: 'lost',
        every_ms: day_ms,
        async run() {
          runs += 1
          running.resolve()
          await taken.promise
          await query('select pg_sleep(0.01)')
          return { more: runs < most_runs }
        },
      },
    ],
    { lease_ms: 300 },
  )
  await running.promise
  await query('update schedules set lease_token = lease_token + 7')
  const [before] = await query('select lease_until, last_finished_at from schedules')
  taken.resolve()
  const ended = () => lines.some(({ msg }) => msg === 'job ran longer than its lease could be kept')
  while (!ended()) await query('select pg_sleep(0.01)')
  assert.ok(runs < most_runs, 'there was more to do')
  await worker.stop()
  const [after] = await query('select lease_until, last_finished_at from schedules')
  assert.deepEqual(after, before)
})

// The task queue: transactional enqueue, exclusive claims, backoff, dead letters, take-over.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, test } from 'node:test'
import Type from 'typebox'
import { enqueue, type TaskEnd, taskKind, workTask, workTasks } from './index.ts'
import { putSchedules } from './tasks.sql.ts'
import { newApp, signal } from './worker.fixture.ts'

const base = await newApp()
const { query, url, lines } = base
const app = { ...base.app, chance: () => 0 }
const kind = taskKind({
  kind: 'test_task',
  payload: Type.Object({ n: Type.Integer() }),
  backoff: { first_ms: 1_000, longest_ms: 3_000 },
  most_attempts: 3,
})
const other = { ...kind, kind: 'another' }
const add = (key: string, n = 0) => enqueue(app.db, kind, { key, payload: { n } })
const work = (handle: (n: number) => Promise<TaskEnd>, more: { lease_ms?: number } = {}) =>
  workTasks(app, kind, { limit: 10, handle: ({ payload }) => handle(payload.n), ...more })
const due = () => query('update tasks set run_at = now()')
const rows = () => query('select * from tasks order by id')
const ok = async (): Promise<TaskEnd> => ({ end: 'done' })
async function databaseMs(): Promise<number> {
  const [row] = await query('select clock_timestamp() as now')
  return Number(row?.now)
}
const no = async (): Promise<TaskEnd> => ({ end: 'retry', reason: 'no' })

beforeEach(async () => {
  await query('delete from tasks')
  lines.length = 0
})

test('enqueues once for each kind and key, and nothing when the transaction is rolled back', async () => {
  await add('a', 1)
  await add('a', 2)
  await enqueue(app.db, other, { key: 'a', payload: { n: 3 } })
  const lost = app.db.transaction(async (sql) => {
    await enqueue(sql, kind, { key: 'b', payload: { n: 4 } })
    throw new Error('no effect')
  })
  await assert.rejects(lost, /no effect/)
  const seen: number[] = []
  assert.equal(
    await work(async (n) => {
      seen.push(n)
      return { end: 'done' }
    }),
    1,
  )
  assert.deepEqual(seen, [1])
  assert.deepEqual(
    (await rows()).map(({ kind }) => kind),
    ['another'],
  )
})

test('two workers at once run each of 60 tasks once, with their effects', async () => {
  for (let n = 0; n < 60; n += 1) await add(`key-${n}`, n)
  const seen: number[] = []
  const begun = [signal(), signal()]
  const drain = async ({ resolve }: { resolve: () => void }) => {
    const handle = async (n: number): Promise<TaskEnd> => {
      seen.push(n)
      resolve()
      // Neither works off everything before the other has begun.
      await Promise.all(begun.map(({ promise }) => promise))
      const put = { names: ['x'], every_ms: [n + 1] }
      return { end: 'done', effects: async (sql) => void (await sql.run(putSchedules, put)) }
    }
    for (let ran = 1; ran > 0; ) ran = await work(handle, { lease_ms: 60_000 })
  }
  await Promise.all(begun.map(drain))
  assert.equal(seen.length, 60)
  assert.equal(new Set(seen).size, 60)
  assert.deepEqual(await rows(), [])
})

test('retries after a pause that doubles up to its limit; then the task is a dead letter', async () => {
  await add('a')
  for (const [attempts, wait_ms] of [
    [1, 1_000],
    [2, 2_000],
  ] as const) {
    const before_ms = await databaseMs()
    assert.equal(await work(no), 1)
    const after_ms = await databaseMs()
    const [row] = await rows()
    assert.equal(row?.attempts, attempts)
    const [least, most] = [before_ms + 0.8 * wait_ms, after_ms + wait_ms]
    const due_ms = Number(row?.run_at)
    assert.ok(due_ms > least - 50 && due_ms < most + 50, `${least} ${due_ms} ${most}`)
    // It may already be due on a loaded machine.
    await query(`update tasks set run_at = now() + interval '1 minute'`)
    assert.equal(await work(no), 0, 'not before its time')
    await due()
  }
  assert.deepEqual(await query('select * from tasks_dead'), [])
  await work(async () => {
    throw new Error('thrown')
  })
  assert.equal(lines.filter(({ alarm }) => alarm === 'task_dead').length, 1)
  const [dead] = await query('select kind, key, attempts, last_error from tasks_dead')
  assert.deepEqual(dead, { kind: 'test_task', key: 'a', attempts: 3, last_error: 'thrown' })
  assert.equal(await work(ok), 0)
  await add('a')
  assert.equal(await work(ok), 1, 'enqueued again')
  assert.deepEqual(await rows(), [])
})

test('an uncounted retry and a pause of its own use up no attempt', async () => {
  await add('a')
  await work(async () => ({ end: 'retry', reason: 'away', in_ms: 60_000, uncounted: true }))
  const [row] = await rows()
  assert.equal(row?.attempts, 0)
  assert.ok(Number(row?.run_at) - Date.now() > 55_000)
})

test('a permanent failure and a malformed payload are dead at once', async () => {
  await add('a')
  await query(`insert into tasks (kind, key, payload) values ('test_task', 'b', '{"n": "x"}')`)
  assert.equal(await work(async () => ({ end: 'dead', reason: 'never' })), 2)
  const dead = await query('select key, last_error from tasks_dead order by key')
  assert.deepEqual(dead, [
    { key: 'a', last_error: 'never' },
    { key: 'b', last_error: 'Its payload is malformed' },
  ])
})

test('a task that is enqueued again while it runs is run again', async () => {
  await add('a')
  const again = `select tasks_enqueue('test_task', 'a', '', '{"n": 7}', now(), 'again')`
  for (const end of [await ok(), await no()]) {
    await work(async () => {
      await query(again)
      return end
    })
    assert.equal(await work(async (n) => ({ end: n === 7 ? 'done' : 'dead', reason: '' })), 1)
    assert.deepEqual(await rows(), [])
    await add('a')
  }
})

test('an end whose lease was lost writes nothing', async () => {
  await add('a')
  await work(async () => {
    await query(`update tasks set lease_token = 'another'`)
    return {
      end: 'done',
      effects: async (sql) =>
        void (await sql.run(putSchedules, { names: ['lost'], every_ms: [1] })),
    }
  })
  assert.deepEqual(await query(`select name from schedules where name = 'lost'`), [])
  assert.equal((await rows())[0]?.lease_token, 'another')
})

test('effects that fail are rolled back, and the task is retried after the backoff', async () => {
  await add('a')
  await work(async () => ({
    end: 'done',
    effects: async (sql) => {
      await sql.run(putSchedules, { names: ['undone'], every_ms: [1] })
      throw new Error('no effect')
    },
  }))
  assert.deepEqual(await query(`select name from schedules where name = 'undone'`), [])
  const [row] = await rows()
  assert.deepEqual([row?.attempts, row?.last_error, row?.lease_until], [1, 'no effect', null])
})

test('a lease is renewed while the task runs', async () => {
  await add('a')
  const lease_ms = 1_000
  await work(
    async () => {
      for (let i = 0; i < 6; i += 1) {
        await query('select pg_sleep(0.25)')
        assert.equal(await work(ok), 0, 'it is claimed')
      }
      return { end: 'done' }
    },
    { lease_ms },
  )
  assert.deepEqual(await rows(), [])
})

test('a worker that is killed in mid-task is followed by another after the lease', async () => {
  await add('a')
  const place = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const child = spawn(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { openDatabase } from ${place('../db/database.ts')}
       import { taskKind, workTasks } from ${place('./index.ts')}
       import { pino } from 'pino'
       import Type from 'typebox'
       const db = await openDatabase({ url: ${JSON.stringify(url)} })
       const kind = taskKind({ kind: 'test_task', payload: Type.Object({ n: Type.Integer() }),
         backoff: { first_ms: 1, longest_ms: 1 }, most_attempts: null })
       const handle = () => { console.log('running'); return new Promise(() => {}) }
       await workTasks({ db, log: pino(), chance: () => 0 }, kind,
         { limit: 1, lease_ms: 1000, handle })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: new URL('../..', import.meta.url) },
  )
  await once(child.stdout, 'data')
  const ran = signal()
  const killed_at = performance.now()
  child.kill('SIGKILL')
  const handle = async (): Promise<TaskEnd> => {
    ran.resolve()
    return { end: 'done' }
  }
  while ((await work(handle)) === 0) await query('select pg_sleep(0.02)')
  await ran.promise
  const waited = performance.now() - killed_at
  assert.ok(waited < 10_000, `taken over after ${waited} ms`)
})

const poisoned = (kind: string) => {
  const place = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  return `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { openDatabase } from ${place('../db/database.ts')}
    import { taskKind, workTasks } from ${place('./index.ts')}
    import pg from 'pg'
    import { pino } from 'pino'
    import Type from 'typebox'
    const db = await openDatabase({ url: ${JSON.stringify(url)} })
    const client = new pg.Client(${JSON.stringify(url)})
    await client.connect()
    const kind = taskKind({ kind: '${kind}', payload: Type.Object({ n: Type.Integer() }),
      backoff: { first_ms: 1, longest_ms: 1 }, most_attempts: null })
    const handle = async ({ payload }) => {
      if (payload.n === 0) process.kill(process.pid, 'SIGKILL')
      await sleep(100)
      return { end: 'done' }
    }
    const alive = 'select from tasks where dead_at is null'
    while ((await client.query(alive)).rowCount > 0) {
      await workTasks({ db, log: pino(), chance: () => 0 }, kind,
        { limit: 10, lease_ms: 300, handle })
      await sleep(50)
    }
    process.exit(0)`
}

test('a task that kills its worker is dead after five attempts, and takes no other along', async () => {
  await add('poison', 0)
  await add('b', 1)
  await add('c', 2)
  let killed = 0
  for (let code: unknown; code !== 0; ) {
    const args = ['--input-type=module-typescript', '-e', poisoned('test_task')]
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: new URL('../..', import.meta.url),
    })
    code = (await once(child, 'exit'))[0]
    if (code !== 0) killed += 1
    assert.ok(killed <= 5, `${killed} killed`)
  }
  assert.equal(killed, 5)
  const dead = await query('select key, attempts, last_error from tasks_dead')
  const last_error = 'Its worker died in 5 attempts in a row'
  assert.deepEqual(dead, [{ key: 'poison', attempts: 5, last_error }])
  assert.equal((await rows()).length, 1, 'the others are done')
})

test('a task that lost a lease counts it as an attempt, and none of them once it has ended', async () => {
  await add('a')
  await query(`update tasks set lease_token = 'died', lease_until = now() - interval '1 minute'`)
  await work(async () => ({ end: 'retry', reason: 'away', in_ms: 1, uncounted: true }))
  const [row] = await rows()
  assert.deepEqual([row?.attempts, row?.lost_leases, row?.lease_token], [1, 0, null])
})

test('a task is run by its key before its time, unless another worker has it', async () => {
  await enqueue(app.db, kind, { key: 'a', payload: { n: 1 }, run_at: new Date(Date.now() + 1e6) })
  const one = (key: string, bulkhead = '') =>
    workTask(app, kind, { key, bulkhead, handle: async () => ({ end: 'retry', reason: key }) })
  assert.equal(await one('b'), undefined)
  assert.equal(await one('a', 'elsewhere'), undefined)
  assert.deepEqual(await one('a'), { end: 'retry', reason: 'a' })
  const held = await workTask(app, kind, {
    key: 'a',
    handle: async () => {
      assert.equal(await one('a'), undefined)
      return { end: 'done' }
    },
  })
  assert.deepEqual([held, await rows()], [{ end: 'done' }, []])
})

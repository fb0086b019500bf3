// Jobs that run when a task is due: one statement of the node looks for the due tasks of all of
// them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { done, enqueue, taskKind, workTasks } from './index.ts'
import { dueKinds } from './tasks.sql.ts'
import { newApp, signal, start, type TestApp } from './worker.fixture.ts'

const kindOf = (kind: string) =>
  taskKind({
    kind,
    payload: Type.Object({}),
    backoff: { first_ms: 1_000, longest_ms: 1_000 },
    most_attempts: null,
  })
const greet = kindOf('greet')
const wave = kindOf('wave')

test('a job of tasks runs soon after one is due, and not while none is', async () => {
  const { app: base, query } = await newApp()
  let looks = 0
  const run: TestApp['db']['run'] = async (statement, ...params) => {
    const rows = await base.db.run(statement, ...params)
    if (statement.name === dueKinds.name) setImmediate(() => (looks += 1))
    return rows
  }
  const app = { ...base, db: { ...base.db, run } }
  const worked = signal()
  const rounds = { greet: 0, wave: 0 }
  const work = async ({ db, log }: TestApp, kind: typeof greet, name: keyof typeof rounds) => {
    rounds[name] += 1
    const handle = async () => {
      worked.resolve()
      return done
    }
    const parts = { db, log, chance: () => 0 }
    return { more: (await workTasks(parts, kind, { limit: 1, handle })) > 0 }
  }
  const worker = await start(app, [
    {
      ...{ name: 'greets', every_ms: 5, per_node: true, task_kind: 'greet' },
      run: (at) => work(at, greet, 'greet'),
    },
    {
      ...{ name: 'waves', every_ms: 5, per_node: true, task_kind: 'wave' },
      run: (at) => work(at, wave, 'wave'),
    },
  ])
  while (rounds.greet === 0 || rounds.wave === 0) await sleep(5)
  for (const before = looks; looks === before; ) await sleep(5)
  assert.deepEqual(rounds, { greet: 1, wave: 1 }, 'once at the start, though the node has looked')
  await query(`insert into tasks (kind, key, run_at) values ('wave', 'later', now() + '1 day')`)
  await enqueue(app.db, greet, { key: 'now', payload: {} })
  const began = performance.now()
  await worked.promise
  assert.ok(performance.now() - began < 20_000)
  await worker.stop()
  assert.equal(rounds.wave, 1)
})

test('while a job of tasks fails, it keeps its backoff', async () => {
  const { app, lines } = await newApp()
  await enqueue(app.db, greet, { key: 'now', payload: {} })
  let rounds = 0
  const twice = signal()
  const run = async () => {
    rounds += 1
    if (rounds === 3) twice.resolve()
    throw new Error('no')
  }
  const worker = await start(app, [
    { name: 'greets', every_ms: 1_000, per_node: true, task_kind: 'greet', run },
  ])
  const began = performance.now()
  await twice.promise
  assert.ok(performance.now() - began > 5_900, 'after 2 s and 4 s')
  await worker.stop()
  const pauses = lines.filter(({ msg }) => msg === 'job failed').map((one) => one.again_in_ms)
  assert.deepEqual(pauses, [2_000, 4_000, 8_000])
})

test('finds the kinds with a task that is due, in any bulkhead, and not leased', async () => {
  const { app, query } = await newApp()
  const due = async () => {
    const kinds = ['dead', 'died', 'due', 'free', 'held', 'later']
    return (await app.db.run(dueKinds, { kinds })).map(({ kind }) => kind).sort()
  }
  assert.deepEqual(await due(), [])
  await query(
    `insert into tasks (kind, bulkhead, key, run_at, lease_until, dead_at) values
       ('due', '', 'a', now() + '1 day', null, null), ('due', 'b', 'b', now(), null, null),
       ('later', '', 'a', now() + '1 day', null, null), ('dead', '', 'a', now(), null, now()),
       ('held', '', 'a', now(), now() + '1 day', null), ('died', '', 'a', now(), now(), null),
       ('free', '', 'a', now(), now() - '5 s'::interval, null),
       ('of_another_node', '', 'a', now(), null, null)`,
  )
  assert.deepEqual(await due(), ['due', 'free'])
})

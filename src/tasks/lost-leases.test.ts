// The pause after a worker died: a task that ends its process does not end each node at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { enqueue, type TaskEnd, taskKind, workTask, workTasks } from './index.ts'
import { dueKinds } from './tasks.sql.ts'
import { newApp } from './worker.fixture.ts'

const { app: base, query } = await newApp()
const app = { ...base, chance: () => 0 }
const kind = taskKind({
  kind: 'test_task',
  payload: Type.Object({}),
  backoff: { first_ms: 1_000, longest_ms: 3_000 },
  most_attempts: 3,
})
const handle = async (): Promise<TaskEnd> => ({ end: 'done' })
const work = () => workTasks(app, kind, { limit: 10, handle })
const workByKey = () => workTask(app, kind, { key: 'a', handle })
const isDue = async () => (await app.db.run(dueKinds, { kinds: ['test_task'] })).length > 0

test('a task whose worker died waits, four times as long with each death', async () => {
  for (const [lost_leases, pause_s] of [1, 4, 16, 64].entries()) {
    await query('delete from tasks')
    await enqueue(app.db, kind, { key: 'a', payload: {} })
    const died = (after_s: number) =>
      query(
        `update tasks set lease_token = 'died', lost_leases = $1,
                lease_until = clock_timestamp() - $2 * interval '1 second'`,
        [lost_leases, after_s],
      )
    await died(0.5 * pause_s)
    const early = [await isDue(), await work(), await workByKey()]
    assert.deepEqual(early, [false, 0, undefined], `${lost_leases} deaths before`)
    await died(pause_s + 0.1)
    assert.deepEqual([await isDue(), await work()], [true, 1], `${lost_leases} deaths before`)
  }
})

// Lists the dead letters of the task queue for operators, and retries one.
import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import { dateTime, nullable } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import { deadTasks, reviveTask } from './work.sql.ts'

const deadTaskNotFound = fault('dead_task_not_found', 'absent', {
  sentence: 'There is no dead letter with this id: it may be running again.',
  hint: 'List the dead letters; a mail is sent again by resend_mail.',
})

const deadTask = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String({ description: 'The kind of work.' }),
    key: Type.String({ description: 'The object of the work.' }),
    bulkhead: Type.String({ description: 'The registry; empty if the work needs none.' }),
    attempts: Type.Integer(),
    last_error: nullable(Type.String({ description: 'The error of the last attempt.' })),
    created_at: dateTime('When it was queued.'),
    dead_at: dateTime('When it failed.'),
  },
  { title: 'DeadTask' },
)

export const listDeadTasks = workList({
  name: 'list_dead_tasks',
  does: 'List the dead letters: tasks that used all their attempts, newest first.',
  more: 'Failed mails have a list of their own.',
  at: 'GET /v1/internal/dead-tasks',
  area: 'Operators',
  entries: 'tasks',
  entry: deadTask,
  title: 'DeadTasks',
  by: byNumber,
  read: ({ after: before, most: limit }, { sql }) => sql.run(deadTasks, { before, limit }),
  keyOf: ({ id }) => id,
  present: (rows) =>
    rows.map(({ id, created_at, dead_at, ...row }) => ({
      ...row,
      id: Number(id),
      created_at: created_at.toISOString(),
      dead_at: dead_at.toISOString(),
    })),
})

export const retryDeadTask = operation({
  name: 'retry_dead_task',
  does: 'Try a dead letter again, with all its attempts.',
  at: 'POST /v1/internal/dead-tasks/{task_id}/retry',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ task_id: Type.Integer({ description: 'The dead letter.' }) }),
  gives: Type.Object({ id: Type.Integer(), kind: Type.String() }, { title: 'RetriedTask' }),
  status: 202,
  fails: [deadTaskNotFound],
  effect: 'transaction',
  target: ({ task_id }, task) => ({
    target_type: 'task',
    target: String(task_id),
    metadata: task ? { kind: task.kind } : {},
  }),
  async run({ task_id }, { sql }) {
    const row = await sql.maybe(reviveTask, { id: BigInt(task_id) })
    if (!row) throw deadTaskNotFound()
    return { id: task_id, kind: row.kind }
  },
})

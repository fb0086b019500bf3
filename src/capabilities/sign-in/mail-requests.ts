// Requests that a job answers by mail, so that the response to the caller is the same whether an
// account exists or not: one durable task each, enqueued by a trigger of the request's table.
import Type from 'typebox'
import { type App, type Call, type Job, job } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { taskKind, workTasks } from '../../tasks/index.ts'

type MailRequests = {
  /** The kind of its tasks, which the trigger names. */
  kind: string
  name: string
  does: string
  /** The channel that the request notifies. */
  wakes_on: string
  /** Answers one request, in the transaction that ends its task. */
  answer: (app: App, call: Call, request: { sql: Sql; id: string }) => Promise<void>
}

export function mailRequestJob({ kind, name, does, wakes_on, answer }: MailRequests): Job {
  const tasks = taskKind({
    kind,
    payload: Type.Object({ request_id: Type.String() }),
    backoff: { first_ms: 1_000, longest_ms: 60_000 },
    most_attempts: null,
  })
  return job({
    ...{ name, does, wakes_on },
    every_ms: 5_000,
    per_node: true,
    task_kind: kind,
    async run(app, call) {
      const claimed = await workTasks(app, tasks, {
        limit: 1,
        handle: async ({ payload }) => ({
          end: 'done',
          effects: (sql) => answer(app, call, { sql, id: payload.request_id }),
        }),
      })
      return { more: claimed > 0 }
    },
  })
}

// An app that is a database and a log, and the steps that tests of the worker share.
import { after } from 'node:test'
import { type Logger, pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { startWorker, type Workable, type WorkerParts } from './index.ts'

export const day_ms = 86_400_000

export type TestApp = { db: TestDatabase['database']; log: Logger }
export type TestJob = Workable<TestApp, string>

export async function newApp() {
  const { database, query, url } = await testDatabase()
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app: TestApp = { db: database, log }
  return { app, query, url, lines }
}

export async function start(
  app: TestApp,
  jobs: TestJob[],
  parts: Omit<WorkerParts<TestApp, string>, 'callOf'> = {},
) {
  const worker = await startWorker(app, jobs, { callOf: (_app, name) => name, ...parts })
  after(() => worker.stop())
  return worker
}

/** A promise and the function that resolves it. */
export function signal<T = void>() {
  return Promise.withResolvers<T>()
}

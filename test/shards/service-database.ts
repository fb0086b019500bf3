// The database of a service in a test: a clone of one in which the jobs of a minute and more have
// run. In an empty database all of them are due at once, and have nothing to do but plan their
// statements: the third part of what a start with a worker costs. Evaluated once per process.
import pg from 'pg'
import { newDatabase } from '../support/database.ts'

const seldom_ms = 60_000
let template: Promise<string> | undefined

/** The URL of a new one. */
export async function newServiceDatabase(): Promise<string> {
  template ??= makeTemplate()
  return newDatabase(await template)
}

async function makeTemplate(): Promise<string> {
  const { jobs } = await import('../../src/catalog.ts')
  const seldom = jobs.filter((job) => !job.per_node && job.every_ms >= seldom_ms)
  const url = await newDatabase('template_of_tests')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into schedules (name, every_ms, next_at, last_started_at, last_finished_at)
     select name, every_ms, now() + interval '1 day', now(), now()
       from unnest($1::text[], $2::int[]) as job (name, every_ms)`,
    [seldom.map(({ name }) => name), seldom.map(({ every_ms }) => every_ms)],
  )
  await client.end()
  return new URL(url).pathname.slice(1)
}

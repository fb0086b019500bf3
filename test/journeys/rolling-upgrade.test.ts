// Rolling upgrade: a node of the previous version restarts on a schema that a newer node migrated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../../src/db/migrate/migration-files.ts'
import { MigrationError } from '../../src/db/postgres/errors.ts'
import { newDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'

const own = (await readMigrations()).at(-1)?.number ?? 0

/** A database on which a newer version has run migration 9001. */
async function migratedBeyond(compatible_from: number): Promise<string> {
  const url = await newDatabase('template_of_tests')
  const client = new pg.Client(url)
  await client.connect()
  await client.query('alter table customers add column next_version_only text')
  await client.query(
    `insert into schema_migrations (number, name, sha256, compatible_from)
     values (9001, '9001-next', 'of-the-next-version', $1)`,
    [compatible_from],
  )
  await client.end()
  return url
}

const registrar = await startService({ database_url: await migratedBeyond(own) })

test('starts with a warning where the newer schema is compatible', async () => {
  assert.match(registrar.service.notes.join('\n'), /WARNING: a newer version .*9001-next/)
  const { id, key } = await registrar.customer()
  const { status, body } = await registrar.request('GET', '/v1/account', { token: key })
  assert.deepEqual([status, body.id], [200, id])
})

test('refuses to start, in one line, where it is not', async () => {
  const outside = { sandbox: registrar.sandbox, mailbox: registrar.mailbox }
  await assert.rejects(
    startService({ ...outside, database_url: await migratedBeyond(own + 1) }),
    (error: unknown) => {
      assert.ok(error instanceof MigrationError, String(error))
      assert.match(error.message, /^The database has migration 9001-next, which needs version .*$/)
      return true
    },
  )
})

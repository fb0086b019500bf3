// A start that has to wait names what it waits for, and stops on a signal.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../support/database.ts'
import { startProgram } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-waits-'))
after(() => rmSync(folder, { recursive: true, force: true }))

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`a start that waits for the migration lock names its holder and ends by ${signal}`, async () => {
    const url = await newDatabase('template_of_tests')
    const holder = new pg.Client({ connectionString: url, application_name: 'psql' })
    await holder.connect()
    await holder.query('select pg_advisory_lock(7316401)')
    const { rows } = await holder.query('select pg_backend_pid() as pid')
    const environment = { DATA_DIR: join(folder, signal), DATABASE_URL: url }
    const program = startProgram({ environment })
    const line = await program.line(/migration lock/)
    assert.ok(line.includes(`process ${rows[0].pid} (\\"psql\\", connected since 20`), line)
    const signalled = performance.now()
    program.child.kill(signal)
    assert.equal(await program.ended, 0)
    assert.ok(performance.now() - signalled < 5_000)
    assert.equal(program.lines.at(-1), 'Stopped.')
    await holder.end()
  })

test('a stop whose output has no reader any more ends in order', async () => {
  const url = await newDatabase('template_of_tests')
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('select pg_advisory_lock(7316401)')
  const environment = { DATA_DIR: join(folder, 'unread'), DATABASE_URL: url }
  const program = startProgram({ environment })
  await program.line(/migration lock/)
  program.child.stdout?.destroy()
  program.child.stderr?.destroy()
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  await holder.end()
})

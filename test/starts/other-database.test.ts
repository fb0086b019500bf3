// An empty database beside a data folder that knows another one: not started unless the setting
// says so.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { compose } from '../../src/compose.ts'
import { readSettings, SettingError } from '../../src/config/config.ts'
import { newDatabase } from '../support/database.ts'
import { endpointsOf } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-other-'))
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
after(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(DATABASE_URL: string, NEW_DATABASE = 'false') {
  const settings = readSettings({
    PORT: '0',
    DNS_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL,
    NEW_DATABASE,
    LOG_LEVEL: 'silent',
  })
  return compose(settings, { endpoints: endpointsOf(sandbox), control: sandbox.control })
}

const head = () => JSON.parse(readFileSync(join(folder, 'audit-head.json'), 'utf8'))

/** Runs until a block is noted. */
async function runOnce(url: string, setting?: string): Promise<string[]> {
  const service = await start(url, setting)
  for (let noted = false; !noted; await sleep(20))
    noted = readdirSync(folder).includes('audit-head.json')
  await service.stop()
  return service.notes
}

async function tablesOf(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as n from pg_tables where schemaname = 'public'`,
  )
  await client.end()
  return rows[0].n
}

test('a known folder starts with its own database, and with an empty one only by a setting', async () => {
  const own = await newDatabase('template0')
  await runOnce(own)
  const noted = head()
  await runOnce(own)

  for (const template of ['template0', 'template_of_tests'] as const) {
    const empty = await newDatabase(template)
    const before = await tablesOf(empty)
    await assert.rejects(start(empty), (error) => {
      assert.ok(error instanceof SettingError)
      assert.match(
        error.message,
        /leads to an empty database, but .* belongs to another one \(audit block/,
      )
      assert.match(error.message, /NEW_DATABASE=true/)
      assert.doesNotMatch(error.message, /\n/)
      return true
    })
    assert.equal(await tablesOf(empty), before, 'nothing was made in it')
  }
  assert.ok(Number(head().number) >= Number(noted.number))

  const fresh = await newDatabase('template0')
  const notes = await runOnce(fresh, 'true')
  assert.ok(notes.some((note) => note.includes('replaces the one')))
  assert.ok(
    readdirSync(folder).some((name) => /^audit-head\..+\.json$/.test(name)),
    'kept aside',
  )
  const again = await runOnce(fresh, 'true')
  assert.ok(
    again.some((note) => note.includes('NEW_DATABASE is set and the database is not empty')),
  )
  assert.deepEqual(
    (await runOnce(fresh)).filter((note) => note.includes('NEW_DATABASE')),
    [],
  )
})

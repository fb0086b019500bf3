// No value of a row or of a request gets into the log by way of an error of the database.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { newDatabase, testDatabase } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { openLog } from './open-log.ts'

const { query } = await testDatabase()
const secret = 'MARKER-of-a-secret'

/** The logged fields of an error. */
async function logged(failing: () => Promise<unknown>): Promise<string> {
  const lines: string[] = []
  const log = openLog(pino({}, { write: (line: string) => lines.push(line) }))
  const cause = await failing().then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
  log.error({ err: cause }, 'bare')
  log.error({ err: new Error('outer', { cause }) }, 'as a cause')
  log.error({ err: new AggregateError([cause], 'several') }, 'among others')
  log.error({ err: Object.assign(new Error('beside'), { other: cause }) }, 'as a field')
  assert.equal(lines.length, 4)
  return lines.join('')
}

const failures: Record<string, { text: string; params: unknown[]; says: RegExp }> = {
  'a row that is there already': {
    text: `with made as (values (1)) insert into customers (id, email, name, created_at, updated_at)
      select 'cus_${'0'.repeat(26)}', $1, 'x', now(), now() from generate_series(1, 2)`,
    params: [`${secret}@example.net`],
    says: /duplicate key.*"23505".*"constraint"/,
  },
  'a row that breaks a rule': {
    text: 'insert into oauth_models (model, id_hash, payload) values ($1, $2, $3)',
    params: ['no model', Buffer.alloc(32), JSON.stringify({ secret })],
    says: /check constraint/,
  },
  'a document that cannot be kept': {
    text: 'select $1::jsonb',
    params: [`{"state": "${secret}\\u0000"}`],
    says: /"22P05"/,
  },
  'a document that is none': { text: 'select $1::jsonb', params: [secret], says: /type json/ },
  'a number that is none': { text: 'select $1::int', params: [secret], says: /type integer/ },
  'a number that is too large': {
    text: 'select $1::int',
    params: ['9876543210123'],
    says: /out of range/,
  },
  'a time that is none': {
    text: 'select $1::timestamptz',
    params: ['9876543210123-01-01'],
    says: /time/,
  },
  'what a function says': {
    text: `do $$ begin
      raise exception 'refused' using detail = '${secret}', hint = '${secret}';
    end $$`,
    params: [],
    says: /refused/,
  },
}

for (const [name, { text, params, says }] of Object.entries(failures))
  test(`${name} is logged without its values`, async () => {
    const lines = await logged(() => query(text, params))
    assert.match(lines, says)
    for (const value of [secret, '9876543210123']) assert.ok(!lines.includes(value), lines)
  })

test('a service logs its errors in that way', async () => {
  const database_url = await newDatabase('template_of_tests')
  const registrar = await startService({ database_url, worker: false })
  const owner = new pg.Client(database_url)
  await owner.connect()
  await owner.query(`create function refuse() returns trigger language plpgsql as
    $$ begin
      raise exception 'not today' using errcode = '23514', detail = new.payload::text;
    end $$`)
  await owner.query(`create trigger refuses before insert on oauth_models
    for each row execute function refuse()`)
  await owner.end()
  const body = { client_name: secret, redirect_uris: ['https://client.example/callback'] }
  const { status } = await registrar.request('POST', '/oauth/register', { body })
  assert.equal(status, 500)
  const lines = registrar.logs.join('')
  assert.match(lines, /not today/)
  assert.ok(!lines.includes(secret), lines)
})

test('a log that cannot be written neither ends the process nor keeps it from ending', () => {
  const program = `
    import { openLog } from ${JSON.stringify(new URL('./open-log.ts', import.meta.url).href)}
    for (const log_format of ['json', 'text']) {
      const log = openLog({ log_level: 'info', log_format })
      for (let line = 0; line < 3; line += 1) log.info('x')
    }
    setTimeout(() => { console.error('alive'); process.exit(7) }, 100)`
  const words = ['--input-type=module-typescript', '-e', program]
  const command = 'exec "$0" "$@" > /dev/full'
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, ...words], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  assert.deepEqual([status, stderr], [7, 'alive\n'])
})

// The sandbox's time over a restart of the whole service, with the sandbox registries as its child.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { newDatabase } from '../../../test/support/database.ts'
import { compose, type Service } from '../../compose.ts'
import { readSettings } from '../../config/config.ts'

const day_ms = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-time-'))
const OPERATOR_KEY = `op_${'t'.repeat(40)}`
let running: Service | undefined
after(async () => {
  await running?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(DATABASE_URL: string): Promise<Service> {
  await running?.stop()
  const ports = { PORT: '0', DNS_PORT: '0' }
  const settings = readSettings({ ...ports, DATA_DIR: folder, DATABASE_URL, OPERATOR_KEY })
  running = await compose(settings, { log: pino({ level: 'silent' }), worker: false })
  return running
}

// The service goes by the database's clock, which may differ a little from this process's.
function assertAhead({ app }: Service, days: number): void {
  const ahead_ms = app.calendar.now().getTime() - Date.now()
  assert.ok(Math.abs(ahead_ms - days * day_ms) < 10_000, `${ahead_ms} ms ahead, not ${days} days`)
}

test('a restart finds the time as it was, also with a database that knows nothing of it', async () => {
  const database = await newDatabase('template_of_tests')
  const first = await start(database)
  assertAhead(first, 0)
  const answer = await fetch(`${first.settings.base_url}/v1/sandbox/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ advance: 'P45D' }),
  })
  assert.equal(answer.status, 200)
  assertAhead(first, 45)
  assertAhead(await start(database), 45)
  assertAhead(await start(await newDatabase('template_of_tests')), 45)
})

// The published head over HTTP: signed, noted before it is published, and refused while the log is
// inconsistent.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../../../test/support/database.ts'
import { startService } from '../../../../test/support/service.ts'
import { runCommand } from '../../../surfaces/cli.ts'
import { readPublicKey } from '../chain/block.ts'
import { notedHead } from '../chain/noted-head.ts'
import { headProblem, signedHead } from '../chain/signed-head.ts'

const folder = mkdtempSync(join(tmpdir(), 'audit-head-'))
const database_url = await newDatabase('template_of_tests')
const owner = new pg.Client({ connectionString: database_url })
await owner.connect()
after(async () => {
  await owner.end()
  rmSync(folder, { recursive: true })
})
const registrar = await startService({ database_url })
const { settings } = registrar.service
const customer = await registrar.customer({ funds_cents: 0, contact: false, scopes: [] })
const read = (query = '', token = customer.key) =>
  registrar.request('GET', `/v1/audit/head${query}`, { token })

async function sealedHead() {
  for (;;) {
    const answer = await read()
    if (answer.status === 200) return answer
    assert.equal(answer.body.code, 'audit_head_not_found', answer.text)
  }
}

function keep(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function command(...words: string[]) {
  Object.assign(process.env, { DATABASE_URL: database_url, DATA_DIR: settings.data_dir })
  const lines: string[] = []
  const code = await runCommand(words, (line) => lines.push(line))
  return { code, lines }
}

test('the head is that of the newest block, signed, and noted by the node that publishes it', async () => {
  const { text, body } = await sealedHead()
  const { rows } = await owner.query(
    `select encode(block_hash, 'hex') as hash, created_at from audit_blocks where number = $1`,
    [body.number],
  )
  assert.equal(body.block_hash, rows[0].hash)
  assert.equal(body.created_at, rows[0].created_at.toISOString())
  assert.deepEqual([body.kind, body.era], ['block', 1])
  const key = new Map([[body.key_id, readPublicKey(body.public_key)]])
  const head = signedHead(text)
  assert.ok(head)
  assert.equal(headProblem(head, key), null)
  for (const change of [{ number: '99' }, { era: 2 }, { created_at: '2020-01-01T00:00:00.000Z' }])
    assert.notEqual(headProblem({ ...head, ...change }, key), null, JSON.stringify(change))
  const noted = notedHead({ settings })
  assert.ok(noted && Number(noted.number) >= Number(body.number))
})

test('an older head is found by its number, and an invalid number is refused', async () => {
  await sealedHead()
  const first = await read('?number=1', registrar.operatorKey)
  assert.equal(first.body.number, '1')
  assert.equal((await read('?number=999999')).status, 404)
  for (const number of ['0', '-1', 'x', '1e3'])
    assert.equal((await read(`?number=${number}`)).status, 422)
})

test('a saved head shows a rewrite, and none is published until an operator accepts it', async () => {
  const kept = keep('kept.json', (await sealedHead()).text)
  assert.equal((await command('verify-audit', '--head', kept)).code, 0)
  await owner.query('truncate audit_logs, audit_blocks')
  const shown = await command('verify-audit', '--head', kept)
  assert.equal(shown.code, 1)
  assert.match(shown.lines[0] ?? '', /BAD newest block \d+ was noted and is missing/)
  const disputed = await read()
  assert.deepEqual([disputed.status, disputed.body.code], [503, 'audit_log_disputed'])

  assert.equal((await command('accept-restored-audit')).code, 2, 'no reason')
  assert.equal((await command('accept-restored-audit', '--reason', '  ')).code, 2)
  const { code, lines } = await command('accept-restored-audit', '--reason', 'a drill')
  assert.equal(code, 0, lines.join('\n'))
  const after = await sealedHead()
  assert.equal(after.body.era, 2)
  const again = await command('verify-audit', '--head', kept)
  assert.match(again.lines[0] ?? '', /was abandoned by the restoration of .*: a drill/)
  assert.match((await command('verify-audit')).lines.join('\n'), /^Restored: .* a drill$/m)
  for (;;) {
    const { body } = await registrar.request('GET', '/v1/health')
    if (body.audit.state === 'up') break
  }
})

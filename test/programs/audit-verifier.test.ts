// The audit verifier as its users get it: packed, and run by npx in an empty folder without a
// network, a service or a database.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const folder = mkdtempSync(join(tmpdir(), 'audit-verifier-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(program, args, { cwd: folder, encoding: 'utf8' })

test('npx runs the packed verifier in an empty folder', async () => {
  const { id, key: token } = await registrar.customer({ scopes: ['audit:read'] })
  const path = `/v1/customers/${id}/audit-logs/export?limit=200`
  let page = await registrar.request('GET', path, { token })
  for (let tries = 0; page.body.entries?.length === 0 && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    page = await registrar.request('GET', path, { token })
  }
  assert.ok(page.body.entries.length > 0, page.text)
  writeFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(page.body)}\n`)
  const source = join(import.meta.dirname, '../../audit-verifier')
  const packed = await run('npm', 'pack', source, '--silent')
  const { stdout } = await run(
    ...(['npx', '--yes', '--offline', `./${packed.stdout.trim()}`, 'log.jsonl'] as const),
    ...['--key', page.body.statement.key_id],
  )
  assert.match(stdout, new RegExp(`^Valid: \\d+ entries of ${id}`))
})

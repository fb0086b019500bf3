// The audit verifier as its users get it: packed, and run by npx in an empty folder without a
// network, a service or a database.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const folder = mkdtempSync(join(tmpdir(), 'audit-verifier-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A command of its README, without a network. */
function inShell(command: string, cwd: string) {
  const { PATH } = process.env
  const npm = { npm_config_offline: 'true', npm_config_pack_destination: folder }
  const options = { cwd, env: { PATH, HOME: folder, ...npm }, encoding: 'utf8' } as const
  return promisify(execFile)('/bin/sh', ['-euc', command], options)
}

test('npx runs the packed verifier in an empty folder, as its README says', async () => {
  const { id, key: token } = await registrar.customer({ scopes: ['audit:read'] })
  const path = `/v1/customers/${id}/audit-logs/export?limit=200`
  let page = await registrar.request('GET', path, { token })
  // Sealed once older transactions have ended, also those of other files on this PostgreSQL.
  for (let tries = 0; page.body.entries?.length === 0 && tries < 800; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    page = await registrar.request('GET', path, { token })
  }
  assert.ok(page.body.entries.length > 0, page.text)
  writeFileSync(join(folder, 'export.jsonl'), `${JSON.stringify(page.body)}\n`)
  const readme = readFileSync(join(root, 'audit-verifier/README.md'), 'utf8')
  const [, pack = ''] = /`(npm pack [^`]+)`/.exec(readme) ?? []
  const [, verify = ''] = /^ {4}(npx .*)$/m.exec(readme) ?? []
  await inShell(pack, root)
  const { stdout } = await inShell(verify.replace('KEY_ID', page.body.statement.key_id), folder)
  assert.match(stdout, new RegExp(`^Valid: \\d+ entries of ${id}`))
})

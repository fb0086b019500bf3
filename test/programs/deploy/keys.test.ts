// The commands of docs/production/keys.md that make keys: each value is one that the service takes,
// and a node trusts a key of the audit log that was appended before it signs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openAuditSigner, trustedKeys } from '../../../src/capabilities/audit/chain/signer.ts'
import { readSettings } from '../../../src/config/config.ts'
import { root } from '../../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-keys-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const page = readFileSync(join(root, 'docs/production/keys.md'), 'utf8')
const data_dir = join(folder, 'data')
mkdirSync(data_dir)

function inShell(command: string): string {
  const env = { PATH: process.env.PATH, DATA_DIR: data_dir }
  return execFileSync('/bin/sh', ['-euc', command], { cwd: folder, env, encoding: 'utf8' }).trim()
}

test('a random value is an encryption key', () => {
  const [, command = ''] = /`(openssl rand [^`]+)`/.exec(page) ?? []
  const value = inShell(command)
  const { encryption_key } = readSettings({ ENCRYPTION_KEY: value })
  assert.equal(Buffer.from(encryption_key ?? '', 'base64').length, 32)
})

test('a signing key is trusted at a node that does not sign with it yet', () => {
  const commands = [...page.matchAll(/^ {4}(.*openssl.*)$/gm)].map(([, one = '']) => one)
  assert.equal(commands.length, 2)
  const settings = { audit_signing_key: null, data_dir }
  const own = openAuditSigner({ settings })
  for (const command of commands) inShell(command)
  const audit_signing_key = readFileSync(join(folder, 'audit_signing_key'), 'utf8')
  const elsewhere = { audit_signing_key, data_dir: join(folder, 'another') }
  const { key_id } = openAuditSigner({ settings: elsewhere })
  assert.deepEqual([...trustedKeys({ settings }).keys()], [own.key_id, key_id])
})

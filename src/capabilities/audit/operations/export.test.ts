// Exports of an account's log, verified by the offline verifier as a customer does.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { byBoth, byNumber, encodeCursor } from '../../../lists/cursor.ts'
import {
  act,
  customerWithLog,
  exported,
  fileOf,
  registrar,
  sealed,
  signer,
  verified,
} from './export.fixture.ts'

const { key_id } = signer
const folder = mkdtempSync(join(tmpdir(), 'audit-export-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const customer = await customerWithLog()
const pages = await exported(customer)

describe('an export', () => {
  it('has every entry once, of one state of the log, also while others are made', async () => {
    const { id, key: token } = customer
    const before = await exported(customer, {
      between: async () => {
        assert.equal((await act(customer, 'Later')).status, 201)
        await sealed(customer)
      },
    })
    const listed = await registrar.request('GET', `/v1/customers/${id}/audit-logs?limit=500`, {
      token,
    })
    const all: { id: number }[] = listed.body.audit_logs
    const ids = before.flatMap(({ entries }) => entries.map((entry) => entry.id))
    assert.deepEqual(
      ids,
      all
        .map((entry) => entry.id)
        .toReversed()
        .slice(0, ids.length),
    )
    assert.ok(ids.length >= 8 && all.length > ids.length)
    assert.equal(verified(before).hashes.size, ids.length)
  })

  it('is of an account alone, needs audit:read, and takes only cursors that it gave', async () => {
    const other = await registrar.customer({ funds_cents: 0, scopes: ['audit:read'] })
    const path = `/v1/customers/${customer.id}/audit-logs/export`
    assert.equal((await registrar.request('GET', path, { token: other.key })).status, 404)
    const reader = await registrar.customer({ funds_cents: 0, scopes: ['keys:read'] })
    const own = `/v1/customers/${reader.id}/audit-logs/export`
    assert.equal((await registrar.request('GET', own, { token: reader.key })).status, 403)
    for (const cursor of ['x', '0-0', '1', '1-2-3', '1-0'])
      assert.equal(
        (await registrar.request('GET', `${path}?cursor=${cursor}`, { token: customer.key }))
          .status,
        422,
        cursor,
      )
    const ofBlocks = byBoth(byNumber, byNumber)
    const later = encodeCursor('export_audit_logs', ofBlocks, [999_999_999n, 0n])
    const none = await registrar.request('GET', `${path}?cursor=${later}`, {
      token: customer.key,
    })
    assert.deepEqual([none.status, none.body.code], [404, 'audit_head_not_found'])
  })

  it('of an account without an entry is one page', async () => {
    const made = await registrar.request('POST', '/v1/customers', {
      token: registrar.operatorKey,
      body: { email: `none-${key_id.slice(0, 6)}@example.net`, name: 'None' },
    })
    const path = `/v1/customers/${made.body.id}/audit-logs/export`
    const { body } = await registrar.request('GET', path, { token: registrar.operatorKey })
    assert.ok(verified([body]).hashes.size <= 1)
  })
})

describe('the command', () => {
  const command = join(import.meta.dirname, '../../../../audit-verifier/main.js')
  const run = (...args: string[]) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      execFile(process.execPath, [command, ...args], { env: {} }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr })
      })
    })
  const save = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  it('reports a valid export, one that is not, and a wrong command', async () => {
    const file = save('export.jsonl', fileOf(pages))
    const good = await run(file, '--key', key_id, '--older', file)
    assert.equal(good.code, 0, good.text)
    assert.match(good.text, new RegExp(`^Valid: \\d+ entries of ${customer.id}, from 20`))
    assert.match(good.text, /All \d+ entries of .* are unchanged/)
    const copy = structuredClone(pages)
    copy.pop()
    const bad = await run(save('cut.jsonl', fileOf(copy)))
    assert.deepEqual([bad.code, bad.text], [1, 'Not valid: the last page is missing.\n'])
    assert.equal((await run(file, '--key', signer.public_key)).code, 0)
    for (const args of [[], ['absent.jsonl'], [file, file], [file, '--key', 'x'], ['--what']])
      assert.equal((await run(...args)).code, 2, args.join(' '))
  })
})

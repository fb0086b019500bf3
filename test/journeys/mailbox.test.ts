// The embedded default: without SMTP_URL, mails are stored in a folder, which the start names.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { newDatabase } from '../support/database.ts'
import { startProgram } from '../support/program.ts'
import { startService } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-mailbox-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function start() {
  const DATABASE_URL = await newDatabase('template_of_tests')
  const program = startProgram({ environment: { DATA_DIR: folder, DATABASE_URL } })
  after(async () => {
    program.child.kill('SIGTERM')
    await program.ended
  })
  return { link: (await program.line(/\/password\?token=/)).trim(), lines: program.lines }
}

test('the first start stores its mails in DATA_DIR, and says how its owner logs in', async () => {
  const { link, lines } = await start()
  const mails = join(folder, 'sandbox-mailbox')
  assert.ok(lines.some((line) => line.includes(`mails are not sent but kept in ${mails}`)))
  const names = readdirSync(mails).filter((one) => one.endsWith('.eml'))
  const read = await Promise.all(
    names.map((name) => PostalMime.parse(readFileSync(join(mails, name)))),
  )
  const setup = read.find(({ subject }) => subject === 'Set your password')
  assert.equal(setup?.to?.[0]?.address, 'owner@example.net')
  assert.ok(setup?.text?.includes(link))
  const page = await (await fetch(link)).text()
  assert.ok(page.includes('Set your password') && page.includes('owner@example.net'))
})

test('production without SMTP_URL starts with one warning about it, and is not healthy', async () => {
  const settings = { ENVIRONMENT: 'production', SMTP_URL: '' }
  const { service, request } = await startService({ settings })
  const warned = service.notes.filter((note) => note.includes('SMTP_URL is not set'))
  assert.deepEqual(warned, ['WARNING: SMTP_URL is not set: mails wait in the outbox'])
  const seller = 'WARNING: INVOICE_SELLER_NAME is not set: invoices and receipts name no seller'
  assert.ok(service.notes.includes(seller), service.notes.join('\n'))
  const { body } = await request('GET', '/v1/health')
  assert.equal(body.status, 'degraded')
  assert.deepEqual(body.mail, {
    state: 'down',
    waiting: 0,
    failed: 0,
    detail: 'SMTP_URL is not set',
  })
})

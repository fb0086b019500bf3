// The embedded default: without SMTP_URL, mails are stored in a folder, which the start names.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { newDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-mailbox-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function start() {
  const { PATH = '' } = process.env
  const database = await newDatabase('template_of_tests')
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, PORT: '0', DATA_DIR: folder, DATABASE_URL: database },
  })
  const lines: string[] = []
  const ended = once(child, 'exit')
  after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes('/password?token=')) break
  }
  return lines
}

test('the first start stores its mails in DATA_DIR, and says how its owner logs in', async () => {
  const lines = await start()
  const mails = join(folder, 'sandbox-mailbox')
  assert.ok(lines.some((line) => line.includes(`mails are not sent but kept in ${mails}`)))
  const names = readdirSync(mails).filter((one) => one.endsWith('.eml'))
  const read = await Promise.all(
    names.map((name) => PostalMime.parse(readFileSync(join(mails, name)))),
  )
  const setup = read.find(({ subject }) => subject === 'Set your password')
  assert.equal(setup?.to?.[0]?.address, 'owner@example.net')
  const link = lines.at(-1)?.trim() ?? ''
  assert.ok(setup?.text?.includes(link))
  const page = await (await fetch(link)).text()
  assert.ok(page.includes('Set your password') && page.includes('owner@example.net'))
})

test('production without SMTP_URL starts with one warning, and is not healthy', async () => {
  const settings = { ENVIRONMENT: 'production', SMTP_URL: '' }
  const { service, request } = await startService({ settings })
  const warned = service.notes.filter((note) => note.includes('SMTP_URL is not set'))
  assert.deepEqual(warned, ['WARNING: SMTP_URL is not set: mails wait in the outbox'])
  const { body } = await request('GET', '/v1/health')
  assert.equal(body.status, 'degraded')
  assert.deepEqual(body.mail, {
    state: 'down',
    waiting: 0,
    failed: 0,
    detail: 'SMTP_URL is not set',
  })
})

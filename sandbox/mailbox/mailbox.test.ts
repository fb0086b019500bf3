// The simulated mail server: stored mails, restart, control plane.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTransport } from 'nodemailer'
import { startMailControl } from './control.ts'
import { startMailServer } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-mail-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function send(port: number, subject: string) {
  const transport = createTransport({ host: '127.0.0.1', port })
  const text = 'First line\n.second begins with a dot\n'
  await transport.sendMail({ from: 'a@example.net', to: 'b@example.net', subject, text })
  transport.close()
}

test('keeps mails in order, with their envelope, and finds them after a restart', async () => {
  const first = await startMailServer({ data_dir: folder })
  await send(first.port, 'one')
  await send(first.port, 'two')
  const before = first.list()
  await first.close()
  const second = await startMailServer({ data_dir: folder })
  after(() => second.close())
  assert.deepEqual(second.list(), before)
  assert.deepEqual(
    before.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1]),
    ['one', 'two'],
  )
  const [mail] = before
  assert.ok(mail)
  assert.deepEqual([mail.from, mail.to], ['a@example.net', ['b@example.net']])
  assert.match(mail.raw, /\r\n\.second begins with a dot\r\n/)
  assert.deepEqual(second.read(mail.id), mail)
  assert.equal(second.read('../../etc/passwd'), null)
  second.clear()
  assert.deepEqual(second.list(), [])
})

test('resolves a wait for a mail that arrives or is there already', async () => {
  const server = await startMailServer({ data_dir: null })
  after(() => server.close())
  const waiting = server.until((mails) => mails.find(({ raw }) => raw.includes('awaited')))
  await send(server.port, 'another')
  await send(server.port, 'awaited')
  assert.equal((await waiting).id, '2')
  assert.equal(await server.until((mails) => mails.length), 2)
})

test('the control plane reads mails and arms faults, with the token only', async () => {
  const server = await startMailServer({ data_dir: null })
  const control = await startMailControl(server, 'token')
  after(() => Promise.all([server.close(), control.close()]))
  const ask = async (at: string, body?: object, token = 'token') => {
    const [method = '', path = ''] = at.split(' ')
    const response = await fetch(control.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: Object(await response.json()) }
  }
  assert.equal((await ask('GET /mails', undefined, 'other')).status, 401)
  await send(server.port, 'seen')
  const { body } = await ask('GET /mails')
  assert.equal(body.mails.length, 1)
  assert.match((await ask(`GET /mails/${body.mails[0].id}`)).body.raw, /seen/)
  assert.equal((await ask('GET /mails/9')).status, 404)
  assert.equal((await ask('POST /faults', { name: 'no such' })).status, 400)
  assert.equal((await ask('POST /faults', { name: 'slow', times: 'x' })).status, 400)
  assert.equal((await ask('POST /faults', { name: 'refuse_content', code: 200 })).status, 400)
  const armed = await ask('POST /faults', { name: 'refuse_content', code: 452, times: null })
  assert.deepEqual(armed.body.armed, [{ name: 'refuse_content', code: 452, times: null }])
  await assert.rejects(send(server.port, 'refused'), /452/)
  await ask('DELETE /faults')
  await send(server.port, 'taken')
  assert.deepEqual((await ask('DELETE /mails')).body, { mails: [] })
  assert.equal((await ask('PUT /mails')).status, 404)
})

// The operator's message when the database cannot be reached or used: one line, and never the
// password.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { adminUrl, newDatabase } from '../../../test/support/database.ts'
import { DatabaseSettingError, DatabaseUnavailable, openDatabase } from '../database.ts'
import { clientConfig, connectTimeoutMs, shownUrl } from './connection-config.ts'

let url: string
before(async () => {
  url = await newDatabase('template_of_tests')
})

type Kind = typeof DatabaseSettingError | typeof DatabaseUnavailable

async function refuses(options: { url: string; app_role?: string }, kind: Kind, words: RegExp) {
  await assert.rejects(openDatabase(options), (error: unknown) => {
    assert.ok(error instanceof kind, String(error))
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /secret|\n/)
    return true
  })
}

/** The URL of the test's server with some of it replaced. */
function other(change: (url: URL) => void): string {
  const changed = new URL(url)
  change(changed)
  return changed.href
}

describe('a URL that cannot be used', () => {
  test('is refused for its scheme, its form or its files', async () => {
    await refuses({ url: 'mysql://a/b' }, DatabaseSettingError, /must begin with postgres/)
    await refuses({ url: 'postgres://a:secret@[b/c' }, DatabaseSettingError, /cannot be used/)
    const absent = 'postgres://a:secret@b/c?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
    await refuses({ url: absent }, DatabaseSettingError, /nowhere\/ca\.pem/)
  })

  test('names a database or a role that is not there', async () => {
    const nowhere = other((one) => {
      one.pathname = '/nowhere'
    })
    await refuses({ url: nowhere }, DatabaseSettingError, /"nowhere" does not exist/)
    await refuses(
      { url, app_role: 'no_such_role' },
      DatabaseSettingError,
      /cannot work as no_such_role/,
    )
  })

  test('asks for TLS where there is none', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end('N')))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const target = `postgres://a:secret@127.0.0.1:${port}/b?sslmode=verify-full`
    await refuses({ url: target }, DatabaseSettingError, /does not support SSL/)
    server.close()
  })
})

describe('a server that does not answer', () => {
  test('is unavailable: no listener, or no socket', async () => {
    await refuses({ url: 'postgres://a:secret@127.0.0.1:1/b' }, DatabaseUnavailable, /ECONNREFUSED/)
    await refuses({ url: 'postgres://a@/b?host=/nowhere' }, DatabaseUnavailable, /ENOENT/)
  })

  test('is unavailable after two seconds when it accepts a connection and sends nothing', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    await refuses({ url: `postgres://a@127.0.0.1:${port}/b` }, DatabaseUnavailable, /timeout/)
    server.close()
  })
})

test('sslmode means what it means to libpq', () => {
  const tls = (mode: string) => new pg.Client(clientConfig(`postgres://a@b/c?sslmode=${mode}`)).ssl
  assert.equal(tls('disable'), false)
  assert.deepEqual(tls('require'), { rejectUnauthorized: false })
  assert.deepEqual(tls('verify-full'), {})
})

test('connect_timeout is in seconds, and two where it is missing or endless', () => {
  const wait = (query: string) => connectTimeoutMs(`postgres://a@b/c${query}`)
  assert.equal(wait('?connect_timeout=5'), 5_000)
  assert.equal(wait('?sslmode=disable&connect_timeout=30&application_name=x'), 30_000)
  for (const query of ['', '?connect_timeout=0', '?connect_timeout=', '?connect_timeout=-1'])
    assert.equal(wait(query), 2_000, query)
  const { connectionTimeoutMillis } = clientConfig('postgres://a@b/c?connect_timeout=5')
  assert.equal(connectionTimeoutMillis, 5_000)
})

test('messages show where the database is, without user and password', () => {
  assert.equal(shownUrl('postgres://u:secret@h:5/d?sslmode=require'), 'postgres://h:5/d')
  assert.equal(shownUrl('postgres://u@/d?host=/run/pg'), 'postgres:///run/pg/d')
  assert.ok(!shownUrl(adminUrl()).includes('postgres@'))
})

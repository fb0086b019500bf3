// The watch over secrets finds each leak that is made here: in the log of a node, and in answers.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { newSecret, randomBase62 } from '../../src/kit/random.ts'
import { exchange, watchedFetch } from '../support/http.ts'
import { sharedService } from '../support/service.ts'

import { addSecret, assertNothingLeaked } from './secret-watch.ts'

const registrar = await sharedService({ worker: false })
const { log } = registrar.service.app
const newKey = () => newSecret('key_').value
const isFound = (wanted: RegExp) => {
  assert.throws(assertNothingLeaked, wanted)
  assertNothingLeaked()
}

describe('a secret in a log is found', () => {
  test('that a client sent', async () => {
    const { key } = await registrar.customer({ funds_cents: 0, contact: false })
    assertNothingLeaked()
    log.info({ authorization: `Bearer ${key}` }, 'request')
    isFound(new RegExp(`in a log: .*${key}`))
  })

  test('that becomes known after it was logged', () => {
    const secret = newKey()
    log.info(`opened ${secret}`)
    assertNothingLeaked()
    addSecret('a late one', secret)
    isFound(/a late one in a log/)
  })

  test('within an escaped text, a URL, or an object', () => {
    const secret = newKey()
    addSecret('a key', secret)
    for (const text of [`line\n${secret}`, `/x?a=1%3D${secret}&b`, JSON.stringify({ secret })]) {
      log.warn({ err: new Error(text) })
      isFound(/a key in a log/)
    }
  })

  test('of several words, and one in base64', () => {
    // Known to no other file of this process.
    const phrase = `one horse & ${randomBytes(6).toString('hex')} staples`
    log.info(`refused: ${phrase} again`)
    assertNothingLeaked()
    for (const secret of [phrase, 'kJ1nHs5wDTrOugHzhAx/2LW5i3XOIct7jSqTihKn4aE=']) {
      addSecret('a secret', secret)
      log.info(`refused: ${secret} again`)
      isFound(/a secret in a log/)
    }
  })

  test('that has the form of ours, though no client knows it', () => {
    log.info({ token: newSecret('ses_').value })
    isFound(/a secret in a log/)
    log.info({ secret: `whsec_${randomBytes(33).toString('hex')}` })
    isFound(/a secret in a log/)
  })

  test('only by its checksum, where it has the form by chance', () => {
    log.info({ code: `mm7op_${randomBase62(37)}`, state: `op_${'x'.repeat(40)}` })
    assertNothingLeaked()
    log.info({ code: `x=${newSecret('op_').value}` })
    isFound(/a secret in a log/)
  })
})

describe('an answer', () => {
  let answers: string[] = []
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(answers.shift())
  })
  let url = ''
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  after(() => server.close())
  const send = async (at: string, text: string, body: string | URLSearchParams = '') => {
    const [method = '', path = ''] = at.split(' ')
    answers = [text]
    await exchange(url + path, { method, body, headers: { cookie: '__Host-session=none' } })
  }

  test('may give a key once, and is found when it shows it again', async () => {
    const api_key = newSecret('ar_test_').value
    const shown = JSON.stringify({ api_key, key: {} })
    await send('POST /v1/customers/cus_1/api-keys', shown)
    assertNothingLeaked()
    await send('POST /v1/customers/cus_1/api-keys', shown)
    isFound(/given before in POST/)
    await send('GET /v1/customers/cus_1/api-keys', JSON.stringify([{ key_prefix: api_key }]))
    isFound(/the answer of POST .* in GET/)
  })

  test('is found when it repeats a secret of its request', async () => {
    const password = `pass-${newKey()}`
    const body = JSON.stringify({ email: 'a@example.net', password })
    await send('POST /v1/dashboard/login', JSON.stringify({ detail: body }), body)
    isFound(/a secret of a request in POST/)
    const code = newKey()
    await send('POST /oauth/token', `{"error":"no ${code}"}`, new URLSearchParams({ code }))
    isFound(/the code of a form in POST/)
  })

  test('over MCP is watched, too, also where a client of others asks', async () => {
    const token = newSecret('ar_test_').value
    answers = [JSON.stringify({ result: { content: [{ text: `{"key":"${token}"}` }] } })]
    const headers = { authorization: `Bearer ${token}` }
    const sent = { method: 'POST', headers, body: '{"method":"tools/call"}' }
    const response = await watchedFetch(`${url}/mcp`, sent)
    assert.ok((await response.text()).includes(token), 'the client still reads the answer')
    isFound(/a bearer token in POST .mcp/)
  })

  test('may show the code of a transfer on its own routes alone', async () => {
    const auth_code = 'aB3aB3aB3aB3aB3aB3aB3-xY!'
    const shown = JSON.stringify({ auth_code })
    await send('POST /v1/domains/transfer', '{}', shown)
    for (let i = 0; i < 2; i += 1) await send('GET /v1/domains/a.com/transfer-auth-code', shown)
    assertNothingLeaked()
    await send('GET /v1/domains/a.com', shown)
    isFound(/a secret of a request in GET/)
  })
})

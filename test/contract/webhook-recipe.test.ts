// The commands and the verification of a webhook that the documentation shows, as they would be
// copied.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import {
  newSigningSecret,
  signatureHeaders,
} from '../../src/capabilities/events/webhooks/sending/signature.ts'
import { sharedService } from '../support/service.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const [, source = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? []
const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`)

const [secret, older] = [newSigningSecret(), newSigningSecret()]
const body = '{"id":"evt_x"}'
const headersAt = (sent_at: Date) =>
  signatureHeaders([secret, older], { id: 'evt_x', sent_at, body })

it('accepts our signatures by the new secret and by the old one', () => {
  const headers = headersAt(new Date())
  assert.equal(isGenuine(secret, headers, body), true)
  assert.equal(isGenuine(older, headers, body), true)
})

it('rejects another secret, body, id or time', () => {
  const headers = headersAt(new Date())
  assert.equal(isGenuine(newSigningSecret(), headers, body), false)
  assert.equal(isGenuine(secret, headers, `${body} `), false)
  assert.equal(isGenuine(secret, { ...headers, 'webhook-id': 'evt_y' }, body), false)
  assert.equal(isGenuine(secret, headersAt(new Date(Date.now() - 400_000)), body), false)
  assert.equal(isGenuine(secret, { ...headers, 'webhook-timestamp': 'now' }, body), false)
  assert.equal(isGenuine(secret, { ...headers, 'webhook-signature': 'v2,x v1,' }, body), false)
})

it('makes a webhook by the line of the page', async () => {
  const registrar = await sharedService()
  const named = /The key needs the scope([^.]*)\./.exec(page)?.[1] ?? ''
  const scopes = [...named.matchAll(/`(\w+:\w+)`/g)].map(([, scope = '']) => scope)
  const { key: API_KEY } = await registrar.customer({ scopes })
  const [block = ''] = /(?:^ {4}curl.*\n)(?:^ {6}.*\n)+/m.exec(page) ?? []
  const line = block.replace('https://registrar.example', registrar.url)
  const env = { PATH: process.env.PATH, API_KEY }
  const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', line], { env })
  const made = JSON.parse(stdout)
  assert.match(made.secret, /^whsec_/, stdout)
  assert.deepEqual(made.webhook.types, ['domain.*', 'payment.credited'])
})

// The verification of a webhook that the documentation shows, as a receiver would copy it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import {
  newSigningSecret,
  signatureHeaders,
} from '../../src/capabilities/events/webhooks/sending/signature.ts'

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

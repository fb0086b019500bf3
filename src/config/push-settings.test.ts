// Settings of web push: a key of P-256 in either form, with a subject, and no secret in an error.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readSettings, SettingError } from './config.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64 = (type: 'pkcs8' | 'sec1') =>
  privateKey.export({ format: 'der', type }).toString('base64')
const VAPID_SUBJECT = 'mailto:push@example.net'

test('a key is of P-256, as PKCS #8 or SEC 1, which versions of OpenSSL write', () => {
  for (const type of ['pkcs8', 'sec1'] as const) {
    const read = readSettings({ VAPID_PRIVATE_KEY: base64(type), VAPID_SUBJECT })
    assert.ok(read.vapid_private_key?.equals(privateKey), type)
  }
  assert.equal(readSettings({}).vapid_private_key, null)
})

test('another key is refused, and is not echoed', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  const wrong = [
    ...[other, ed25519].map((key) => key.export({ format: 'der', type: 'pkcs8' })),
    ...[randomBytes(32), Buffer.from('hush')],
  ].map((der) => der.toString('base64'))
  for (const VAPID_PRIVATE_KEY of wrong)
    assert.throws(
      () => readSettings({ VAPID_PRIVATE_KEY, VAPID_SUBJECT }),
      (error) =>
        error instanceof SettingError &&
        error.message === 'VAPID_PRIVATE_KEY must be a P-256 private key: DER in base64',
    )
})

test('key and subject are set together, and a subject is an address or an https URL', () => {
  const VAPID_PRIVATE_KEY = base64('pkcs8')
  assert.throws(() => readSettings({ VAPID_PRIVATE_KEY }), /VAPID_SUBJECT must be set/)
  assert.throws(() => readSettings({ VAPID_SUBJECT }), /VAPID_PRIVATE_KEY must be set/)
  for (const subject of ['push@example.net', 'http://example.net', 'mailto:', 'x'])
    assert.throws(
      () => readSettings({ VAPID_PRIVATE_KEY, VAPID_SUBJECT: subject }),
      /VAPID_SUBJECT must be like/,
      subject,
    )
  const url = 'https://registrar.example/contact'
  assert.equal(readSettings({ VAPID_PRIVATE_KEY, VAPID_SUBJECT: url }).vapid_subject, url)
})

test('push services are those of the browsers unless others are named', () => {
  assert.ok(readSettings({}).push_services.includes('fcm.googleapis.com'))
  assert.deepEqual(readSettings({ PUSH_SERVICES: 'push.example, *' }).push_services, [
    'push.example',
    '*',
  ])
})

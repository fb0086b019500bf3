// Settings that could harm are refused with one line that repeats no secret.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, SettingError } from './config.ts'

test('a mail server is smtp or smtps, and a wrong one is not repeated', () => {
  for (const url of ['smtps://user:pw@mail.example.net', 'smtp://[::1]:2525'])
    assert.equal(readSettings({ SMTP_URL: url }).smtp_url, url)
  for (const url of [
    'http://user:hush@a.example',
    'user:hush@a',
    'smtp://hush?pool=1',
    'smtp:hush',
  ])
    assert.throws(
      () => readSettings({ SMTP_URL: url }),
      (error) => error instanceof SettingError && !error.message.includes('hush'),
    )
})

test('production sends mail from an address of its own, or not at all', () => {
  const production = { ENVIRONMENT: 'production', SMTP_URL: 'smtps://mail.example.net' }
  assert.throws(() => readSettings(production), /MAIL_FROM must be set/)
  const from = 'post@registrar.example'
  assert.equal(readSettings({ ...production, MAIL_FROM: from }).mail_from, from)
  assert.throws(
    () => readSettings({ MAIL_FROM: 'A <a@b.example>\nBcc: c@d.example' }),
    SettingError,
  )
  assert.equal(readSettings({ ENVIRONMENT: 'production' }).smtp_url, null)
})

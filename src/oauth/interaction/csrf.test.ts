// CSRF protection of the consent form.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csrfToken, isCrossSite, isCsrfToken } from './csrf.ts'

const facts = { uid: 'uid', cid: 'known to the server', session: 'session' }

describe('the CSRF token', () => {
  it('is valid only for its interaction and login', () => {
    const token = csrfToken(facts)
    assert.ok(isCsrfToken(facts, token))
    assert.match(token, /^[\w-]{43}$/)
    for (const other of [{ uid: 'other' }, { cid: 'other' }, { session: '' }])
      assert.equal(isCsrfToken({ ...facts, ...other }, token), false)
    for (const wrong of ['', 'uid', `${token}x`, token.slice(1)])
      assert.equal(isCsrfToken(facts, wrong), false)
  })

  it('does not exist without a secret of the interaction', () => {
    const open = { ...facts, cid: '' }
    assert.equal(isCsrfToken(open, csrfToken(open)), false)
  })
})

describe('a submission', () => {
  const base = 'https://registrar.example'
  const own = [
    {},
    { origin: base },
    { origin: base, 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ]
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'http://registrar.example' },
    { origin: `${base}:8443` },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: base, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  const roots = { base_url: base, environment: 'production' } as const

  it('is cross-site if the browser says so, or hides its origin', () => {
    for (const headers of own)
      assert.equal(isCrossSite(headers, roots), false, JSON.stringify(headers))
    for (const headers of foreign)
      assert.equal(isCrossSite(headers, roots), true, JSON.stringify(headers))
  })
})

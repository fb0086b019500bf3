// Internationalized domain names as people write them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toUnicode } from '../src/lib/domains/idn.ts'

describe('an internationalized domain name', () => {
  it('is shown in Unicode, alone and within a text', () => {
    assert.equal(toUnicode('xn--80ajpngj0i.xn--p1ai'), 'пекарня.рф')
    assert.equal(toUnicode('XN--P1AI'), 'рф')
    assert.equal(
      toUnicode('Registration of xn--bcher-kva.com, 1 year'),
      'Registration of bücher.com, 1 year',
    )
  })

  it('is unchanged where it is no A-label', () => {
    for (const text of ['bücher.com', 'plain.com', 'xn--', 'xn--a-', 'xn--paypal-', 'xn--99999999'])
      assert.equal(toUnicode(text), text)
  })

  it('is unchanged where its Unicode form is no host name, or another one', () => {
    // U+202E and "a", "a", U+200B and "b", "a", U+2024 and "com", "a", U+2044 and "b".
    for (const label of ['xn--a-pin', 'xn--ab-g1t', 'xn--acom-gc7a', 'xn--abx-pt0a'])
      assert.equal(toUnicode(`${label}.com`), `${label}.com`)
  })
})

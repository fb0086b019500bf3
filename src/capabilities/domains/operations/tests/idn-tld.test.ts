// A TLD in A-labels whose zone takes one script: it has prices, its names are checked and bought,
// and a name in another script fails only its own entry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toASCII } from 'tr46'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService()
const { call, owner } = registrar
const a = (unicode: string) => toASCII(unicode) ?? assert.fail(unicode)

test('an internationalised TLD is in the price list', async () => {
  const { tlds } = await call('200', 'GET /v1/pricing/tlds?tlds=xn--p1ai')
  assert.deepEqual([tlds[0].tld, tlds[0].register, tlds[0].renew], ['xn--p1ai', '8.00', '8.00'])
})

test('a name that the registry refuses is invalid in its words; the others keep theirs', async () => {
  const domains = [
    'free-one.io',
    'latin.рф',
    'google.io',
    'пример.рф',
    'free-two.test',
    'plain-name.com',
  ]
  const found = await call('200', 'POST /v1/domains/check', { domains })
  type Entry = Record<'domain' | 'reason' | 'detail', string> & { available: boolean | null }
  const entries: Entry[] = found.domains
  assert.deepEqual(
    entries.map(({ domain, available, reason }) => [domain, available, reason]),
    [
      ['free-one.io', true, null],
      ['latin.xn--p1ai', false, 'invalid'],
      ['google.io', false, 'registered'],
      [a('пример.рф'), true, null],
      ['free-two.test', true, null],
      ['plain-name.com', true, null],
    ],
  )
  assert.match(entries[1]?.detail ?? '', /^The registry refuses the name: .*script of \.рф/)
  const one = await call('200', 'GET /v1/domains/check/latin.xn--p1ai')
  assert.equal(one.domains[0].reason, 'invalid')
})

test('a name of it is bought, renewed and locked', async () => {
  const bought = await call('200', 'POST /v1/domains', { domain: 'покупка.рф' })
  assert.deepEqual([bought.domain, bought.status], [a('покупка.рф'), 'active'])
  assert.equal(bought.domain_unicode, 'покупка.рф')
  await call('200', `POST /v1/domains/${bought.domain}/renew`, { period_years: 1 })
  await call('200', `POST /v1/domains/${bought.domain}/lock`)
})

test('a purchase of a name that the registry refuses is refused in its words', async () => {
  const before = await registrar.balance(owner)
  const body = { domain: 'latin.xn--p1ai' }
  const { detail } = await call('409 registry_refused', 'POST /v1/domains', body)
  assert.match(detail, /script of \.рф/)
  const moving = { ...body, auth_code: 'Any-code-1' }
  await call('409 registry_refused', 'POST /v1/domains/transfer', moving)
  assert.equal(await registrar.balance(owner), before)
})

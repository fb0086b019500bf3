// Names that IDNA 2008 forbids (RFC 5892), in every place that takes a name: refused with the
// character, and the plain name where there is one; nothing is charged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../../../test/support/service.ts'
import { operations } from '../../../../catalog.ts'
import { parseHost } from '../../../../kit/net/host.ts'
import { propertiesOf } from '../../../../surfaces/pipeline/validate.ts'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService(await sharedService({ worker: false }))
const { call, owner } = registrar
const domain = 'my\u2011agent.com'
const a_label = parseHost(domain) ?? assert.fail('UTS 46 takes the hyphen')
const held = 'idna-held.com'
await call('200', 'POST /v1/domains', { domain: held })
const keys = `POST /v1/customers/${owner.id}/api-keys`

const quote = { domain, period_years: 1 }
const servers = { nameservers: ['ns1.example.net', `ns2.${domain}`] }
const own = `ns\u2011x.${held}`
const glued = { nameservers: [`ns1.${held}`, own], glue: { [own]: ['192.0.2.7'] } }
type Place = { at: string; body: object; field: string }
/** Each place that takes a name, by its operation, and the field that its error names. */
const places: Record<string, Place[]> = {
  'POST /v1/domains': [
    { at: 'POST /v1/domains', body: { domain }, field: 'domain' },
    { at: 'POST /v1/domains', body: { domain: a_label }, field: 'domain' },
    { at: 'POST /v1/domains', body: { domain: 'a.com', ...servers }, field: 'nameservers.1' },
  ],
  'POST /v1/domains/transfer': [
    { at: 'POST /v1/domains/transfer', body: { domain, auth_code: 'Any-1' }, field: 'domain' },
  ],
  'POST /v1/quotes': [
    { at: 'POST /v1/quotes', body: { action: 'register', ...quote }, field: 'domain' },
    { at: 'POST /v1/quotes', body: { action: 'transfer', ...quote }, field: 'domain' },
  ],
  'PATCH /v1/domains/{domain}': [
    { at: `PATCH /v1/domains/${held}`, body: servers, field: 'nameservers.1' },
    { at: `PATCH /v1/domains/${held}`, body: glued, field: 'nameservers.1' },
  ],
  'PATCH /v1/account/default-nameservers': [
    {
      at: 'PATCH /v1/account/default-nameservers',
      body: { default_nameservers: servers.nameservers },
      field: 'default_nameservers.1',
    },
  ],
  'POST /v1/domains/{domain}/dns-record': [
    {
      at: `POST /v1/domains/${held}/dns-record`,
      body: { host: 'my\u2011www', record_value: '192.0.2.1' },
      field: 'host',
    },
  ],
  'PUT /v1/domains/{domain}/records/{host}/{type}': [
    {
      at: `PUT /v1/domains/${held}/records/my%E2%80%91www/A`,
      body: { values: ['192.0.2.1'] },
      field: 'host',
    },
  ],
  'POST /v1/customers/{customer_id}/api-keys': [
    { at: keys, body: { allowed_domains: [domain] }, field: 'allowed_domains.0' },
    { at: keys, body: { allowed_domains: [`*.${domain}`] }, field: 'allowed_domains.0' },
    { at: keys, body: { allowed_tlds: ['co\u2011m'] }, field: 'allowed_tlds.0' },
  ],
}
/** These answer about names, and refuse none: the test below, and those of a search. */
const asked = [
  'POST /v1/domains/check',
  'GET /v1/domains/check/{domain}',
  'GET /v1/pricing/tlds',
  'GET /v1/domain-audit-logs',
  'POST /v1/sandbox/faults',
]
/** The same fields, read by the same code. */
const alike = [
  'PATCH /v1/account/oauth-grants/{id}',
  'PATCH /v1/customers/{customer_id}/api-keys/{api_key_id}',
  'DELETE /v1/domains/{domain}/records/{host}/{type}',
  'GET /v1/domains/{domain}/records',
]

for (const { at, body, field } of Object.values(places).flat())
  test(`${at} refuses a name that IDNA forbids in ${field}`, async () => {
    const before = await registrar.balance(owner)
    const { detail } = await call('422', at, body)
    assert.match(detail[0].msg, /has U\+201[01] (NON-BREAKING )?HYPHEN, which no name may have/)
    assert.match(detail[0].msg, /: the plain name is "[a-z0-9.-]+"$/)
    assert.equal(detail[0].loc.slice(1).join('.'), field)
    assert.equal(await registrar.balance(owner), before)
  })

test('each field of the catalog that takes a name is among these', () => {
  const named = /^(domains?|nameservers|default_nameservers|host|allowed_domains|tlds)$/
  const taking = operations.flatMap(({ at, takes }) => {
    const fields = Object.keys(propertiesOf(takes)).filter((field) => named.test(field))
    const isKept = at.includes('{domain}') && fields.join() === 'domain'
    return isKept || fields.length === 0 ? [] : [at]
  })
  const known = [...Object.keys(places), ...asked, ...alike]
  assert.deepEqual(
    taking.filter((at) => !known.includes(at)),
    [],
  )
})

test('a check says why, and leaves the other names alone', async () => {
  const domains = [domain, 'idna-free.com', a_label, 'i\u2764.com', '\u05d0a.com']
  const found = await call('200', 'POST /v1/domains/check', { domains })
  type Entry = { available: boolean; reason: string | null; detail: string | null }
  const entries: Entry[] = found.domains
  assert.deepEqual(
    entries.map(({ available, reason }) => [available, reason]),
    [[false, 'invalid'], [true, null], ...Array(3).fill([false, 'invalid'])],
  )
  const plain = ': the plain name is "my-agent.com"'
  const hyphen = `"${domain}" has U+2011 NON-BREAKING HYPHEN, which no name may have (IDNA 2008)`
  assert.equal(entries[0]?.detail, `${hyphen}${plain}`)
  assert.match(entries[2]?.detail ?? '', /stands for .* U\+2010 HYPHEN.*"my-agent\.com"$/)
  assert.match(entries[3]?.detail ?? '', /U\+2764 HEAVY BLACK HEART, which no name may have/)
  assert.match(entries[4]?.detail ?? '', /mixes directions of writing \(RFC 5893\)/)
  const one = await call('200', `GET /v1/domains/check/${encodeURIComponent(domain)}`)
  assert.equal(one.domains[0].detail, entries[0]?.detail)
})

test('a name that was sold before is still read by its path', async () => {
  await call('404 domain_not_found', `GET /v1/domains/${a_label}`)
  await call('404 domain_not_found', `POST /v1/domains/${a_label}/lock`)
})

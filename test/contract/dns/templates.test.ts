// Templates of DNS records: the data, what they set, and the records that stand against them.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { fillRecords } from '../../../src/capabilities/domains/dns/templates/plan-template.ts'
import { templates } from '../../../src/capabilities/domains/dns/templates/template-data.ts'
import { startBuyerService } from '../support/buyer-service.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'

const { request, buyer, buy } = await startBuyerService()
const token = buyer.key
type Set = { host: string; type: string; ttl?: number; values: string[]; managed?: boolean }

async function bought(sets: readonly Set[] = []): Promise<string> {
  const domain = `${fresh()}.com`
  await must(buy({ domain }))
  const at = `/v1/domains/${domain}/records`
  if (sets.length > 0) await must(request('PATCH', at, { token, body: { sets } }))
  return domain
}
const apply = (domain: string, body: object, headers = {}) =>
  request('POST', `/v1/domains/${domain}/records/apply-template`, { token, body, headers })
async function setsOf(domain: string) {
  const { body, headers } = await must(request('GET', `/v1/domains/${domain}/records`, { token }))
  const own = body.sets.filter((one: Set) => !one.managed)
  const lines = own.map(({ host, type, values }: Set) => [host, type, ...values].join(' '))
  return { lines, etag: headers.get('etag') ?? '' }
}
const noMail = ['@ MX 0 .', '@ TXT "v=spf1 -all"', '_dmarc TXT "v=DMARC1; p=reject"']

describe('the list', () => {
  it('is public, and each template has its sources and the day on which they were read', async () => {
    const { body } = await must(request('GET', '/v1/dns/templates'))
    const ids = body.templates.map(({ id }: { id: string }) => id)
    assert.deepEqual(
      ids,
      templates.map(({ id }) => id),
    )
    for (const { sources, checked_at } of body.templates) {
      assert.match(checked_at, /^\d{4}-\d\d-\d\d$/)
      assert.ok(sources.length > 0)
      for (const source of sources) assert.match(source, /^https:\/\//)
    }
  })

  for (const { id, records, parameters } of templates)
    it(`has records of ${id} that are records, with each of its parameters`, () => {
      const params = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
      assert.ok(fillRecords(records, params, 'example.com').every(({ rdata }) => rdata.length > 0))
      const text = JSON.stringify(records)
      for (const { name } of parameters) assert.ok(text.includes(`{${name}}`), name)
    })
})

test('sets the records of an empty domain, which a revert takes away', async () => {
  const domain = await bought()
  const dry = (await must(apply(domain, { template: 'no-mail', dry_run: true }))).body
  assert.equal(dry.diff.length, 3)
  assert.deepEqual((await setsOf(domain)).lines, [])
  const { body } = await must(apply(domain, { template: 'no-mail' }))
  assert.equal(body.digest, dry.digest)
  assert.deepEqual(body.conflicts, [])
  assert.equal(body.served.length, 3)
  assert.deepEqual((await setsOf(domain)).lines, noMail)
  const again = await must(apply(domain, { template: 'no-mail' }))
  assert.deepEqual(again.body.diff, [])
  const at = `/v1/domains/${domain}/changes`
  const [change] = (await must(request('GET', at, { token }))).body.changes
  assert.equal(change.action, 'apply_dns_template')
  const options = { token, body: { prune: true } }
  await must(request('POST', `${at}/${change.id}/revert`, options))
  assert.deepEqual((await setsOf(domain)).lines, [])
})

test('puts parameters into the values, and understands what people paste', async () => {
  const domain = await bought()
  const params = { user: 'Octo-Cat' }
  await must(apply(domain, { template: 'github-pages', params }))
  const { lines } = await setsOf(domain)
  assert.ok(lines.includes('www CNAME octo-cat.github.io.'), lines.join('\n'))
  assert.equal(lines.filter((line: string) => line.startsWith('@ A')).length, 2, lines.join())
  const refused = async (given: object, expected: string[]) =>
    assertInvalid(await apply(domain, { template: 'github-pages', ...given }), expected)
  await refused({}, ['body.params.user missing'])
  await refused({ params: { user: 'a', site: 'b' } }, ['body.params.site extra_forbidden'])
  await refused({ params: { user: 'a.b' } }, ['body.params.user dns_label'])
  const pasted = await apply(domain, { template: 'github-pages', params: { user: 'a.github.io' } })
  assert.match(pasted.body.detail[0].msg, /without "\.github\.io": "a"/)
  await refused({ template: 'elsewhere' }, ['body.template literal_error'])
})

describe('records that stand against a template', () => {
  const spf = '"v=spf1 include:_spf.google.com ~all"'
  const proof = '"google-site-verification=abc"'
  const mail: Set[] = [
    { host: '@', type: 'MX', values: ['1 smtp.google.com.'] },
    { host: '@', type: 'TXT', values: [proof, spf] },
  ]
  const asked = { template: 'proton-mail' }

  it('refuse it, are named, and go only where that is asked for', async () => {
    const domain = await bought(mail)
    const before = await setsOf(domain)
    const refused = await apply(domain, asked)
    assertProblem(refused, '409 dns_template_conflict')
    const conflicts = [
      { host: '@', type: 'MX', values: ['1 smtp.google.com.'] },
      { host: '@', type: 'TXT', values: [spf] },
    ]
    assert.deepEqual(refused.body.conflicts, conflicts)
    assert.deepEqual(await setsOf(domain), before)
    const dry = await must(apply(domain, { ...asked, dry_run: true }))
    assert.deepEqual(dry.body.conflicts, conflicts)
    assert.deepEqual(await setsOf(domain), before)
    const { body } = await must(apply(domain, { ...asked, replace: true }))
    assert.deepEqual(body.conflicts, conflicts)
    assert.deepEqual((await setsOf(domain)).lines, [
      '@ MX 10 mail.protonmail.ch. 20 mailsec.protonmail.ch.',
      `@ TXT ${proof} "v=spf1 include:_spf.protonmail.ch ~all"`,
    ])
  })

  it('are an alias at a host of the template, and addresses beside those of a site', async () => {
    const domain = await bought([
      { host: '@', type: 'AAAA', values: ['2001:db8::1'] },
      { host: '@', type: 'MX', values: ['10 mail.example.net.'] },
      { host: 'www', type: 'A', values: ['192.0.2.1'] },
      { host: 'www', type: 'TXT', values: ['"kept"'] },
    ])
    const refused = await apply(domain, { template: 'vercel' })
    assert.deepEqual(
      refused.body.conflicts.map(({ host, type }: Set) => `${host} ${type}`),
      ['@ AAAA', 'www A', 'www TXT'],
    )
    await must(apply(domain, { template: 'vercel', replace: true }))
    assert.deepEqual((await setsOf(domain)).lines, [
      '@ A 76.76.21.21',
      '@ MX 10 mail.example.net.',
      'www CNAME cname.vercel-dns-0.com.',
    ])
  })

  it('are none where the same values are there already', async () => {
    const domain = await bought([{ host: '@', type: 'MX', ttl: 600, values: ['0 .'] }])
    const { body } = await must(apply(domain, { template: 'no-mail' }))
    assert.deepEqual(body.conflicts, [])
    assert.equal(body.diff.length, 2)
  })
})

test('applies to the zone that the caller read, and within the limits of a key', async () => {
  const domain = await bought()
  const { etag } = await setsOf(domain)
  const stale = { 'if-match': '"1"' }
  assertProblem(await apply(domain, { template: 'no-mail' }, stale), '412 precondition_failed')
  await must(apply(domain, { template: 'no-mail' }, { 'if-match': etag }))
  const elsewhere = `${fresh()}.com`
  const refused = await apply(elsewhere, { template: 'no-mail' })
  assertProblem(refused, '404 domain_not_found')
})

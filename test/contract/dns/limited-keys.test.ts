// A key whose owner limited it to some DNS records: nothing else, however a host, a type or a
// change is written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recentSessionOf } from '../../support/sign-in.ts'
import { must } from '../support/fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'
import { type Body, held, registrar } from './records.fixture.ts'

const { request, buyer } = registrar
const session = await recentSessionOf(registrar, buyer)
const refused = '403 dns_record_not_allowed'

/** A domain, and calls about it with a key that is limited like this. */
async function limited(dns: Body) {
  const one = await held()
  const body = { name: 'limited', scopes: ['dns:write', 'domains:read'], dns }
  const path = `/v1/customers/${buyer.id}/api-keys`
  const { body: made } = await must(request('POST', path, { token: session, body }), 201)
  const token: string = made.api_key
  const call = (method: string, at: string, more: object = {}) =>
    request(method, `/v1/domains/${one.domain}${at}`, { ...more, token })
  return { ...one, limited: call }
}

const a = { values: ['192.0.2.66'] }
const text = { values: ['x'] }

/** A key for TXT at _acme-challenge*, and one set that it may not change. */
async function challenges() {
  const one = await limited({ hosts: ['_acme-challenge*'], types: ['TXT'] })
  await must(one.patch({ sets: [{ host: 'www', type: 'A', values: ['192.0.2.1'] }] }))
  const put = (host: string, type: string, body: Body) =>
    one.limited('PUT', `/records/${encodeURIComponent(host)}/${type}`, { body })
  return { ...one, put, before: await one.sets() }
}

describe('a key for TXT at _acme-challenge*', () => {
  it('is refused other hosts and types in every spelling', async () => {
    const { put, ...one } = await challenges()
    const hex = { values: ['\\# 4 c0000242'] }
    const others: [string, string, Body][] = [
      ['_acme-challenge', 'A', a],
      ['_acme-challenge', 'TYPE1', hex],
      ['_acme-challenge', 'type1', hex],
      ['_ACME-CHALLENGE', 'cname', { values: ['evil.example.net.'] }],
      ['_acme-challenge', 'NS', { values: ['ns.evil.example.net.'] }],
      ['_acme-challenge', 'TYPE99', { values: ['\\# 2 0178'] }],
      ['@', 'TXT', text],
      ['*', 'TXT', text],
      ['*._acme-challenge', 'TXT', text],
      ['www', 'TXT', text],
      ['x_acme-challenge', 'TXT', text],
      ['www._acme-challenge', 'TXT', text],
      ['WWW', 'A', a],
    ]
    for (const [host, type, body] of others) assertProblem(await put(host, type, body), refused)
    assert.deepEqual(await one.sets(), one.before)
  })

  it('is refused hosts that are no host of the domain', async () => {
    const one = await challenges()
    const hosts = [
      ...['_acme-challenge.', '_acme-challenge\\.www', '_acme-challenge..www', '_acme-challenge*'],
      ...[`_acme-challenge.${one.domain}`, `_acme-challenge.${one.domain}.`, '_acme-challenge www'],
      ...['_acme-challenge/../www', '_acme-challenge\u0000', '\uff0a', '\uff20'],
    ]
    for (const host of hosts) {
      const add = [{ host, type: 'TXT', value: 'x' }]
      const answer = await one.limited('PATCH', '/records', { body: { add } })
      assert.equal(answer.status, 422, `${host}: ${answer.text}`)
    }
    assert.deepEqual(await one.sets(), one.before)
  })

  it('may set its own, also by number, in upper case and below deeper labels', async () => {
    const { put, ...one } = await challenges()
    await must(put('_ACME-Challenge', 'TYPE16', text))
    await must(put('_acme-challenge.a.b', 'txt', text))
    await must(put('_acme-challenge-www', 'TXT', text))
    await must(one.limited('DELETE', '/records/_acme-challenge-www/TXT'))
    assert.deepEqual(await one.sets(), [
      '_acme-challenge TXT 3600 "x"',
      '_acme-challenge.a.b TXT 3600 "x"',
      ...one.before,
    ])
  })

  it('changes all of a request or nothing', async () => {
    const one = await challenges()
    const own = { host: '_acme-challenge', type: 'TXT' }
    const bodies = [
      { add: [{ ...own, value: 'y' }], sets: [{ host: 'www', type: 'A', values: [] }] },
      { add: [{ ...own, value: 'y' }], remove: [{ host: 'www', type: 'A', value: '192.0.2.1' }] },
      { add: [{ ...own, value: 'y' }], sets: [{ host: 'www', type: 'A', ttl: 60, ...a }] },
    ]
    for (const body of bodies)
      for (const dry_run of [true, false])
        assertProblem(
          await one.limited('PATCH', '/records', { body: { ...body, dry_run } }),
          refused,
        )
    assert.deepEqual(await one.sets(), one.before)
  })
})

describe('a key for TXT at _acme-challenge*', () => {
  it('replaces no zone, imports no other set, and takes no other change back', async () => {
    const one = await challenges()
    const { body } = await must(one.patch({ sets: [{ host: 'www', type: 'A', ...a }] }))
    const now = await one.sets()
    const etag = (await must(one.call('GET', '/records'))).headers.get('etag')
    const headers = { 'if-match': etag }
    const own = { host: '_acme-challenge', type: 'TXT', values: ['z'] }
    const replace = { zonefile: '_acme-challenge TXT z', mode: 'replace' }
    const back = `/changes/${body.change_id}/revert`
    const calls: [string, string, object][] = [
      ['PUT', '/records', { body: { sets: [own] }, headers }],
      ['PUT', '/records', { body: { sets: [own] }, headers: { 'if-match': '*' } }],
      ['POST', '/zonefile', { body: replace, headers }],
      ['POST', '/zonefile', { body: { zonefile: 'www TXT z' } }],
      ['POST', back, { body: {} }],
      ['POST', back, { body: { prune: true } }],
      ['POST', '/dns-record', { body: { record_value: '192.0.2.66' } }],
    ]
    for (const [method, path, given] of calls) {
      const answer = await one.limited(method, path, given)
      const expected = path === '/dns-record' ? '403 insufficient_scope' : refused
      assertProblem(answer, expected)
    }
    assert.deepEqual(await one.sets(), now)
  })
})

describe('patterns of hosts', () => {
  it('"*" below a label binds to what is below it', async () => {
    const one = await limited({ hosts: ['*.app', 'bücher'] })
    const put = (host: string) =>
      one.limited('PATCH', '/records', { body: { add: [{ host, type: 'TXT', value: 'x' }] } })
    for (const host of ['a.app', 'A.b.APP', '*.app', 'b\u00fccher', 'xn--bcher-kva'])
      await must(put(host))
    for (const host of ['app', 'aapp', 'app.a', '*', '@', 'a.b\u00fccher', 'bucher'])
      assertProblem(await put(host), refused)
  })

  it('types are numbers, whatever they are called', async () => {
    const one = await limited({ types: ['TYPE28', 'mx'] })
    const put = (type: string, value: string) =>
      one.limited('PATCH', '/records', { body: { add: [{ host: 'a', type, value }] } })
    await must(put('AAAA', '2001:db8::1'))
    await must(put('TYPE15', '10 mail.example.net.'))
    assertProblem(await put('TYPE1', '192.0.2.1'), refused)
    assertInvalid(await put('TYPE028', '2001:db8::1'), ['body.add.0.type dns_type'])
  })
})

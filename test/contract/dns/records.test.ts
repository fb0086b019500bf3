// The records of a domain, of every type: reading, changing in whole or in part, preconditions and
// dry runs.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { fresh, must } from '../support/fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'
import { type Body, everything, held, type SetGiven } from './records.fixture.ts'

const stored = [
  '@ A 3600 192.0.2.1 192.0.2.2',
  '@ MX 3600 0 first.example.net. 10 mail.example.net.',
  '@ TXT 3600 "v=spf1 mx -all"',
  '@ AAAA 3600 2001:db8::1',
  '@ HTTPS 3600 1 . alpn=h2,h3',
  '@ CAA 3600 0 issue "letsencrypt.org"',
  '* TXT 3600 "wild"',
  `_443._tcp TLSA 3600 3 1 1 ${'cd'.repeat(32)}`,
  '_dns SVCB 3600 1 dns.example.net. alpn=dot',
  '_sip._tcp SRV 600 10 5 5060 sip.example.net.',
  'odd TYPE65400 3600 \\# 2 abcd',
  `ssh SSHFP 3600 4 2 ${'ef'.repeat(32)}`,
  'sub NS 3600 ns1.example.net.',
  `sub DS 3600 1 13 2 ${'ab'.repeat(32)}`,
  'www CNAME 3600 example.net.',
]

test('every type is set, read, and answered by the name server', async () => {
  const { patch, sets, call } = await held()
  const { body, headers } = await must(patch({ sets: everything }))
  assert.equal(body.diff.length, everything.length)
  assert.equal(body.served.length, everything.length)
  for (const { host, type, values } of body.served)
    assert.ok(values.length > 0, `${host} ${type} is not served`)
  assert.deepEqual((await sets()).map((one: string) => one.toLowerCase()).sort(), [
    ...stored.map((one) => one.toLowerCase()).sort(),
  ])
  const read = await must(call('GET', '/records'))
  assert.equal(read.headers.get('etag'), `"${body.serial}"`)
  assert.equal(headers.get('etag'), null)
  const managed = read.body.sets.filter((one: { managed: boolean }) => one.managed)
  assert.deepEqual(
    managed.map(({ type }: { type: string }) => type),
    ['SOA', 'NS'],
  )
  const one = await must(call('GET', '/records?host=@&type=mx'))
  assert.deepEqual(
    one.body.sets.map(({ host, type }: SetGiven) => `${host} ${type}`),
    ['@ MX'],
  )
})

describe('a change of several sets', () => {
  it('is all or nothing, with each problem at its place', async () => {
    const { patch, sets } = await held()
    const bad = await patch({
      sets: [
        { host: 'a', type: 'A', values: ['192.0.2.1'] },
        { host: 'b', type: 'MX', values: ['10 mail.example.net.', 'mail'] },
        { host: '@', type: 'SOA', values: ['x'] },
        { host: 'x_.', type: 'A', values: ['192.0.2.1'] },
        { host: 'd', type: 'TYPE39', values: ['example.net.'] },
      ],
      add: [{ host: 'c', type: 'WAT', value: 'x' }],
      remove: [{ host: '@', type: 'TYPE2', value: 'ns1.example.net.' }],
    })
    assertInvalid(bad, [
      'body.sets.1.values.1 dns_value',
      'body.sets.2.type dns_type',
      'body.sets.3.host dns_host',
      'body.sets.4.type dns_type',
      'body.remove.0.type dns_type',
      'body.add.0.type dns_type',
    ])
    assert.deepEqual(await sets(), [])
    assertInvalid(await patch({ sets: [{ host: '@', type: 'CNAME', values: ['a.net.'] }] }), [
      'body.sets.0 dns_rule',
    ])
    assertInvalid(await patch({}), ['body too_short'])
  })

  it('adds and removes single values, and deletes sets without values', async () => {
    const { patch, sets } = await held()
    const acme = (value: string) => ({ host: '_acme-challenge', type: 'TXT', value })
    await must(patch({ add: [acme('one'), acme('two')] }))
    assert.deepEqual(await sets(), ['_acme-challenge TXT 3600 "one" "two"'])
    await must(patch({ add: [{ ...acme('two'), ttl: 60 }], remove: [acme('one'), acme('none')] }))
    assert.deepEqual(await sets(), ['_acme-challenge TXT 60 "two"'])
    await must(patch({ remove: [acme('two')] }))
    assert.deepEqual(await sets(), [])
    const none = await must(patch({ sets: [{ host: 'a', type: 'A', values: [] }] }))
    assert.deepEqual([none.body.diff, none.body.change_id, none.body.served], [[], null, null])
  })

  it('keeps both of many that change different hosts, or add different values, at once', async () => {
    const { patch, sets } = await held()
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        must(
          patch({
            sets: [{ host: `h${at}`, type: 'A', values: [`192.0.2.${at}`] }],
            add: [{ host: 'all', type: 'TXT', value: `value ${at}` }],
          }),
        ),
      ),
    )
    const all: string[] = await sets()
    assert.equal(all.length, 21)
    assert.equal(all.find((one) => one.startsWith('all '))?.match(/value/g)?.length, 20)
  })
})

describe('a dry run', () => {
  it('changes nothing, and has the digest of the change', async () => {
    const { patch, sets } = await held()
    const given = { sets: [{ host: '@', type: 'MX', values: [`10 gone.${fresh()}.com.`] }] }
    const dry = await must(patch({ ...given, dry_run: true }))
    assert.deepEqual([dry.body.dry_run, dry.body.change_id, await sets()], [true, null, []])
    const done = await must(patch(given))
    assert.equal(done.body.digest, dry.body.digest)
    assert.deepEqual(done.body.diff, dry.body.diff)
  })

  it('warns of what leads nowhere, and of what is not served', async () => {
    const { patch, domain } = await held()
    const mail = { sets: [{ host: '@', type: 'MX', values: [`10 mail.${domain}`] }] }
    const { body } = await must(patch({ ...mail, dry_run: true }))
    assert.deepEqual(
      body.warnings.map(({ code }: { code: string }) => code),
      ['dangling_target'],
    )
    const elsewhere = await held({ nameservers: ['ns1.example.net', 'ns2.example.net'] })
    const kept = await must(
      elsewhere.patch({ sets: [{ host: '@', type: 'TXT', values: ['kept'] }] }),
    )
    assert.deepEqual([kept.body.hosted, kept.body.served], [false, null])
    assert.deepEqual(kept.body.warnings.at(-1)?.code, 'not_served')
    assert.deepEqual(await elsewhere.sets(), ['@ TXT 3600 "kept"'])
  })
})

describe('a precondition', () => {
  const value = { values: ['192.0.2.1'] }

  it('guards one set by its own etag', async () => {
    const { call } = await held()
    const put = (body: Body, etag?: string) =>
      call('PUT', '/records/www/A', { body, ...(etag && { headers: { 'If-Match': etag } }) })
    const absent = await put(value, '"x"')
    assertProblem(absent, '412 precondition_failed')
    assert.equal(absent.body.etag, null)
    await must(put(value))
    const { etag } = (await must(call('GET', '/records?host=www'))).body.sets[0]
    await must(call('PUT', '/records/other/A', { body: value }))
    await must(put({ values: ['192.0.2.2'] }, etag))
    const late = await put({ values: ['192.0.2.3'] }, etag)
    assertProblem(late, '412 precondition_failed')
    assert.notEqual(late.body.etag, etag)
    const gone = await call('DELETE', '/records/www/A', { headers: { 'If-Match': etag } })
    assertProblem(gone, '412 precondition_failed')
    await must(call('DELETE', '/records/www/A', { headers: { 'If-Match': late.body.etag } }))
    await must(call('DELETE', '/records/www/A'))
  })

  it('is needed to replace the whole zone', async () => {
    const { call, sets, patch } = await held()
    await must(patch({ sets: everything }))
    const body = { sets: [{ host: 'only', type: 'A', values: ['192.0.2.9'] }] }
    const put = (headers: object) => call('PUT', '/records', { body, headers })
    assertProblem(await put({}), '428 precondition_required')
    assertProblem(await put({ 'If-Match': '"1"' }), '412 precondition_failed')
    const etag = (await must(call('GET', '/records'))).headers.get('etag')
    await must(put({ 'If-Match': etag }))
    assert.deepEqual(await sets(), ['only A 3600 192.0.2.9'])
    assertProblem(await put({ 'If-Match': etag }), '412 precondition_failed')
  })
})

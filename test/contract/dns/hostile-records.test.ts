// Records at the edges: names, texts, managed types, and rules of several sets of one request.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { must } from '../support/fixture.ts'
import { assertInvalid } from '../support/problem.ts'
import { type Body, held } from './records.fixture.ts'

type Held = Awaited<ReturnType<typeof held>>
const imported = ({ call }: Held, lines: readonly string[], more: Body = {}) =>
  call('POST', '/zonefile', { body: { zonefile: lines.join('\n'), ...more } })
const txt = (host: string, ...values: string[]) => ({ host, type: 'TXT', values })

describe('names and texts', () => {
  it('texts are split at 255 octets, and octets beyond ASCII survive', async () => {
    const { patch, call } = await held()
    const long = 'k'.repeat(600)
    const { body } = await must(
      patch({ sets: [txt('a', long), txt('b', 'grüße 🎉'), txt('c', '"a;b\\"c\\\\d\\000\\255"')] }),
    )
    const of = (host: string) => body.served.find((one: Body) => one.host === host).values.join(' ')
    assert.equal(of('a'), `"${'k'.repeat(255)}" "${'k'.repeat(255)}" "${'k'.repeat(90)}"`)
    const read = (await must(call('GET', '/records?host=b'))).body.sets[0]
    assert.equal(of('b'), read.values[0])
    assert.match(read.values[0], /^"gr\\195\\188\\195\\159e \\240\\159\\142\\137"$/)
    await must(patch({ sets: [txt('b', read.values[0])] }))
    assert.equal(of('c'), '"a;b\\"c\\\\d\\000\\255"')
  })

  it('a host makes a name of at most 255 octets with labels of at most 63', async () => {
    const { patch, domain } = await held()
    const label = 'l'.repeat(63)
    await must(patch({ sets: [txt(`${label}.${label}`, 'x')] }))
    assertInvalid(await patch({ sets: [txt(`${label}l`, 'x')] }), ['body.sets.0.host dns_host'])
    const left = 253 - domain.length - 1
    const longest = `${label}.${label}.${label}.`.padEnd(left, 'm')
    const { body } = await must(patch({ sets: [txt(longest, 'x')] }))
    assert.deepEqual(body.served[0].values, ['"x"'])
    assertInvalid(await patch({ sets: [txt(`${longest}m`, 'x')] }), ['body.sets.0.host dns_host'])
  })
})

describe('managed types', () => {
  it('are refused by name and by number, at every host and in every way to ask', async () => {
    const { patch, call, sets } = await held()
    const dnssec = [24, 25, 30, 46, 47, 48, 50, 51, 59, 60, 62, 63]
    const meta = [41, 128, 200, 249, 250, 251, 252, 253, 254, 255, 65_535]
    const numbers = [6, 39, ...dnssec, ...meta]
    const types = [...numbers.map((one) => `TYPE${one}`), 'SOA', 'type6', 'TYPE0', 'TYPE65536']
    const given = (host: string) => [
      ...types.map((type) => ({ host, type, values: ['\\# 1 00'] })),
      ...types.map((type) => ({ host, type, values: [] })),
    ]
    for (const host of ['@', 'a'])
      for (const set of given(host))
        assertInvalid(await patch({ sets: [set] }), ['body.sets.0.type dns_type'])
    for (const type of ['NS', 'TYPE2', 'ns'])
      assertInvalid(await patch({ add: [{ host: '@', type, value: 'ns1.example.net.' }] }), [
        'body.add.0.type dns_type',
      ])
    assertInvalid(await call('DELETE', '/records/@/TYPE2'), ['path.type dns_type'])
    assert.deepEqual(await sets(), [])
  })
})

describe('several sets of one request', () => {
  it('are checked as they are together', async () => {
    const { patch, sets } = await held()
    const cname = { host: 'www', type: 'CNAME', values: ['example.net.'] }
    const a = { host: 'www', type: 'A', values: ['192.0.2.1'] }
    assertInvalid(await patch({ sets: [cname, a] }), [
      'body.sets.0 dns_rule',
      'body.sets.1 dns_rule',
    ])
    assertInvalid(await patch({ sets: [cname], add: [{ host: 'www', type: 'TXT', value: 'x' }] }), [
      'body.sets.0 dns_rule',
      'body.add.0 dns_rule',
    ])
    await must(patch({ sets: [a] }))
    await must(patch({ sets: [cname], remove: [{ host: 'www', type: 'A', value: '192.0.2.1' }] }))
    assert.deepEqual(await sets(), ['www CNAME 3600 example.net.'])
  })

  it('a delegation hides nothing, and its glue goes with what needs it', async () => {
    const { patch, domain, sets } = await held()
    const ns = (host: string, ...values: string[]) => ({ host, type: 'NS', values })
    const a = (host: string, ...values: string[]) => ({ host, type: 'A', values })
    const other = `ns1.a.${domain}.`
    await must(
      patch({ sets: [ns('a', 'ns.example.net.'), ns('b', other), a('ns1.a', '192.0.2.1')] }),
    )
    // The only set that makes ns1.a a name server: without it, its address is hidden below "a".
    for (const set of [ns('b'), ns('b', 'ns.example.net.')])
      assertInvalid(await patch({ sets: [set] }), ['body.sets.0 dns_rule'])
    await must(patch({ sets: [ns('b'), a('ns1.a')] }))
    assert.deepEqual(await sets(), ['a NS 3600 ns.example.net.'])
    const ds = { host: 'b', type: 'DS', values: [`1 13 2 ${'ab'.repeat(32)}`] }
    assertInvalid(await patch({ sets: [ds] }), ['body.sets.0 dns_rule'])
    assertInvalid(await patch({ sets: [{ ...ds, host: '@' }] }), ['body.sets.0 dns_rule'])
  })
})

describe('the place of a broken rule', () => {
  it('is that of the value that breaks it, in sets, in additions and by lines', async () => {
    const one = await held()
    const mail = `10 mail.${one.domain}.`
    await must(one.patch({ sets: [{ host: 'mail', type: 'CNAME', values: ['example.net.'] }] }))
    const mx = (...values: string[]) => ({ host: '@', type: 'MX', values })
    const ok = { host: 'ok', type: 'A', values: ['192.0.2.1'] }
    assertInvalid(
      await one.patch({ sets: [ok, mx('0 a.example.net.', mail, '5 b.example.net.')] }),
      ['body.sets.1.values.1 dns_rule'],
    )
    const add = (value: string, type = 'MX') => ({ host: '@', type, value })
    assertInvalid(await one.patch({ add: [add('0 a.example.net.'), add(mail), add('9 z.net.')] }), [
      'body.add.1.value dns_rule',
    ])
    await must(one.patch({ add: [add('v=spf1 -all', 'TXT'), add('other', 'TXT')] }))
    assertInvalid(await one.patch({ add: [add('v=spf1 mx -all', 'TXT'), add('x', 'TXT')] }), [
      'body.add.0.value dns_rule',
    ])
    const ns = `sub NS ns1.sub.${one.domain}.`
    const file = await imported(one, ['sub NS ns1.example.net.', 'ok A 192.0.2.1', ns])
    assertInvalid(file, ['body.zonefile dns_rule'])
    assert.match(file.body.detail[0].msg, /^Line 3: The name server/)
  })

  it('is that of the set where no single value does', async () => {
    const { patch } = await held()
    const cname = { host: 'a', type: 'CNAME', values: ['example.net.'] }
    assertInvalid(await patch({ sets: [cname, { host: 'a', type: 'A', values: ['192.0.2.1'] }] }), [
      'body.sets.0 dns_rule',
      'body.sets.1 dns_rule',
    ])
  })
})

// Each rule of a zone: a set that breaks it is refused at its place, and others are not.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InvalidInput } from '../../../../kit/fault.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { domain, recordSet, zoneSets } from '../records/records.fixture.ts'
import { planRecords } from './plan-records.ts'

/** The problem of changing these sets of a zone, in the order of the sets; undefined: none. */
function problemOf(zone: readonly string[], ...changes: string[]): string | undefined {
  const reader = new FieldReader()
  const sets = changes.map((line, at) => ({ ...recordSet(line), loc: ['sets', at] }))
  planRecords(reader, { domain, before: zoneSets(...zone), edits: { sets } })
  try {
    reader.finish()
    return undefined
  } catch (error) {
    assert.ok(error instanceof InvalidInput)
    return error.fields.map(({ path, msg }) => `${path.join('.')} ${msg}`).join(' ~ ')
  }
}
const ds = `DS 1 13 2 ${'ab'.repeat(32)}`

type Row = [title: string, zone: string[], changes: string[], problem: RegExp | null]
const rows: Row[] = [
  ['a CNAME alone', [], ['www CNAME example.net.'], null],
  ['a CNAME of the domain', [], ['@ CNAME example.net.'], /^sets\.0 The domain itself cannot be/],
  ['a CNAME beside another set', ['www A 192.0.2.1'], ['www CNAME a.'], /also has A/],
  ['another set beside a CNAME', ['www CNAME a.'], ['www TXT "x"'], /CNAME stands alone/],
  ['a CNAME in place of another set', ['www A 192.0.2.1'], ['www A', 'www CNAME a.'], null],
  ['two CNAME', [], ['www CNAME a. | b.'], /one CNAME only/],
  ['a CNAME at a wildcard', [], ['* CNAME a.'], null],
  ['one SPF policy beside other texts', [], ['@ TXT "v=spf1 -all" | "x"'], null],
  ['two SPF policies', [], ['@ TXT "v=spf1 -all" | "v=spf1 mx -all"'], /one SPF policy only/],
  ['a text that begins like one', [], ['@ TXT "v=spf10" | "v=spf1 -all"'], null],
  ['a delegation elsewhere', [], ['sub NS ns1.example.net.'], null],
  ['a delegation of a wildcard', [], ['* NS ns1.example.net.'], /wildcard cannot be delegated/],
  ['a delegation without glue', [], ['sub NS ns1.sub.example.com.'], /needs an A or AAAA set/],
  ['one to itself', [], ['sub NS sub.example.com.', 'sub A 192.0.2.1'], null],
  ['one with glue', [], ['sub NS ns1.sub.example.com.', 'ns1.sub AAAA 2001:db8::1'], null],
  ['one that hides', ['a.sub A 192.0.2.1'], ['sub NS ns1.example.net.'], /would hide.*a\.sub\.ex/],
  ['a record below one', ['sub NS a.'], ['x.sub A 192.0.2.1'], /^sets\.0 "sub" is delegated/],
  ['a record deep below one', ['sub NS a.'], ['x.y.sub TXT "x"'], /is delegated/],
  ['a record beside one', ['sub NS a.'], ['sub TXT "x"'], /only DS and glue/],
  ['a delegation below one', ['sub NS a.'], ['x.sub NS a.'], /is delegated/],
  ['DS beside a delegation', ['sub NS a.'], [`sub ${ds}`], null],
  ['DS of the domain', [], [`@ ${ds}`], /belong to its registry/],
  ['DS without a delegation', [], [`sub ${ds}`], /is not delegated/],
  ['NS that leaves DS', ['sub NS a.', `sub ${ds}`], ['sub NS'], /^sets\.0 DS stands only/],
  ['NS and DS that go', ['sub NS a.', `sub ${ds}`], ['sub NS', `sub DS`], null],
  [
    'glue that is needed',
    ['sub NS ns1.sub.example.com.', 'ns1.sub A 192.0.2.1'],
    ['ns1.sub A'],
    /^sets\.0 The name server "ns1\.sub\.example\.com"/,
  ],
  [
    'glue with another beside it',
    ['sub NS ns1.sub.example.com.', 'ns1.sub A 192.0.2.1', 'ns1.sub AAAA 2001:db8::1'],
    ['ns1.sub A'],
    null,
  ],
  [
    'an address that was glue below another delegation',
    ['a NS x.', 'b NS ns1.a.example.com.', 'ns1.a A 192.0.2.1'],
    ['b NS'],
    /^sets\.0 No NS record would point to "ns1\.a\.example\.com"/,
  ],
  [
    'it where the delegation points elsewhere',
    ['a NS x.', 'b NS ns1.a.example.com.', 'ns1.a A 192.0.2.1'],
    ['b NS x.'],
    /^sets\.0 No NS record would point to "ns1\.a\.example\.com"/,
  ],
  [
    'one that goes with it',
    ['a NS x.', 'b NS ns1.a.example.com.', 'ns1.a A 192.0.2.1'],
    ['b NS', 'ns1.a A'],
    null,
  ],
  [
    'one that is glue of another',
    ['a NS x.', 'b NS ns1.a.example.com.', 'c NS ns1.a.example.com.', 'ns1.a A 192.0.2.1'],
    ['b NS'],
    null,
  ],
  ['one that is in no delegation', ['b NS ns1.example.com.', 'ns1 A 192.0.2.1'], ['b NS'], null],
  ['MX to an alias', ['m CNAME a.'], ['@ MX 10 m.example.com.'], /may not point to a CNAME/],
  ['SRV to an alias', ['m CNAME a.'], ['_x._tcp SRV 0 0 1 m.example.com.'], /may not point/],
  ['an alias that MX points to', ['@ MX 10 m.example.com.'], ['m CNAME a.'], /"@" MX points here/],
  ['a CNAME to an alias', ['m CNAME a.'], ['www CNAME m.example.com.'], null],
  ['as many values as may be', [], [`a TXT ${texts(100)}`], null],
  ['more values', [], [`a TXT ${texts(101)}`], /at most 100 values/],
  ['a large set', [], [`a TXT ${texts(70, 'x'.repeat(240))}`], /at most 16384 octets/],
]

function texts(count: number, more = ''): string {
  return Array.from({ length: count }, (_, at) => `"${at}${more}"`).join(' | ')
}

describe('the rules of a zone', () => {
  for (const [title, zone, changes, problem] of rows)
    it(`${problem ? 'refuse' : 'allow'} ${title}`, () => {
      const found = problemOf(zone, ...changes)
      if (problem) assert.match(found ?? '', problem)
      else assert.equal(found, undefined)
    })

  it('blame what the request changes alone', () => {
    const broken = ['www CNAME a.', 'www A 192.0.2.1']
    assert.equal(problemOf(broken, 'x A 192.0.2.2'), undefined)
  })

  it('refuse the same set twice in one request', () => {
    assert.match(problemOf([], 'a A 192.0.2.1', 'a A 192.0.2.2') ?? '', /^sets\.1 The same host/)
  })
})

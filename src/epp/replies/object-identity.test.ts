// Every answer that names an object counts only for the requested object.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toUnicode } from 'tr46'
import { contactCheck, contactCreate, contactInfo } from '../commands/contact.ts'
import { domainCheck, domainInfo } from '../commands/domain-query.ts'
import {
  transferApprove,
  transferCancel,
  transferQuery,
  transferReject,
  transferRequest,
} from '../commands/domain-transfer.ts'
import { domainCreate, domainRenew } from '../commands/domain-transform.ts'
import { hostCheck, hostCreate, hostInfo } from '../commands/host.ts'
import { GarbageInput } from '../errors.ts'
import { contactSample, createSample } from '../fixtures/asked.ts'
import { fixture } from '../fixtures/fixtures.ts'
import { ns } from '../xml/xml.ts'
import { momentOf, parseReply, type Reply } from './reply.ts'

/** The sample answer with another name or identifier in it. */
function replyAbout(name: string, object: string): Reply {
  const text = fixture(`${name}.response.xml`).toString()
  const element = /(<(?:\w+:)?(?:name|id)(?: [^>]*)?>)(?:(?:ns1\.)?example\.com|sh8013)</gi
  return parseReply(Buffer.from(text.replace(element, `$1${object}<`)))
}

function hostCreated(object: string): Reply {
  const text = fixture('domain-renew.response.xml').toString()
  const inside = `<host:name>${object}</host:name>`
  const data = `<host:creData xmlns:host="${ns.host}">${inside}</host:creData>`
  return parseReply(Buffer.from(text.replace(/<domain:renData[\s\S]*<.domain:renData>/, data)))
}

const renewal = { cur_exp_date: '2028-04-03', period_years: 1, fee: null }
const transfer = { auth_info: 'x', period_years: 1, fee: null }

/** Reads an answer about one object as the answer to a question about another. */
const readers: Record<string, (asked: string, object: string) => unknown> = {
  'domain create': (asked, object) =>
    domainCreate.parse(replyAbout('domain-create', object), createSample(asked)),
  'domain renew': (name, object) =>
    domainRenew.parse(replyAbout('domain-renew', object), { name, ...renewal }),
  'domain info': (name, object) =>
    domainInfo.parse(replyAbout('domain-info', object), { name, auth_info: null }),
  'transfer request': (name, object) =>
    transferRequest.parse(replyAbout('domain-transfer', object), { name, ...transfer }),
  ...Object.fromEntries(
    [transferQuery, transferCancel, transferApprove, transferReject].map((command) => [
      command.name,
      (name: string, object: string) =>
        command.parse(replyAbout('domain-transfer', object), { name, auth_info: null }),
    ]),
  ),
  'host info': (name, object) => hostInfo.parse(replyAbout('host-info', object), { name }),
  'host create': (name, object) => hostCreate.parse(hostCreated(object), { name, addresses: [] }),
}

for (const [name, read] of Object.entries(readers)) {
  test(`${name}: an answer about another name is garbage`, () => {
    assert.throws(() => read('example.com', 'other.com'), GarbageInput)
    assert.throws(() => read('example.com', 'example.com.org'), GarbageInput)
    assert.throws(() => read('example.com', 'www.example.com'), GarbageInput)
  })

  test(`${name}: case, a final dot and U-labels make no other name`, () => {
    for (const object of ['example.com', 'EXAMPLE.Com', 'example.com.']) read('example.com', object)
    read('xn--bcher-kva.com', 'b\u00fccher.com')
    read('b\u00fccher.com', 'XN--BCHER-KVA.com')
  })
}

test('contacts: an answer about another identifier is garbage, in another case it is not', () => {
  const create = (object: string) =>
    contactCreate.parse(replyAbout('contact-create', object), contactSample('sh8013'))
  const info = (object: string) =>
    contactInfo.parse(replyAbout('contact-info', object), { id: 'sh8013', auth_info: null })
  for (const read of [create, info]) {
    assert.throws(() => read('sh8014'), GarbageInput)
    read('SH8013')
  }
})

test('checks: an answer about a name that was not requested is ignored', () => {
  const names = ['example.com']
  const domains = (object: string) =>
    domainCheck.parse(replyAbout('domain-check', object), { names: ['free.example'], fees: null })
      .names
  assert.deepEqual([...domains('x.com').keys()], ['free.example'])
  const answer = domainCheck.parse(replyAbout('domain-check', 'x'), { names, fees: null })
  assert.deepEqual(answer.names, new Map())
  const hosts = hostCheck.parse(replyAbout('host-check', 'other.net'), {
    names: ['ns1.example.com'],
  })
  assert.deepEqual(hosts, new Map())
  const ids = { ids: ['sh8013'] }
  assert.deepEqual(contactCheck.parse(replyAbout('contact-check', 'sh9'), ids), new Map())
  assert.equal(contactCheck.parse(replyAbout('contact-check', 'SH8013'), ids).get('sh8013'), true)
})

test('checks: a name that is answered in two ways is not known to be free', () => {
  const text = fixture('domain-check.response.xml').toString()
  const both = parseReply(Buffer.from(text.replace('taken.example', 'FREE.example.')))
  const { names } = domainCheck.parse(both, { names: ['free.example'], fees: null })
  assert.equal(names.get('free.example')?.available, null)
})

test('any two names are the same exactly when their A-labels are', () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9]{0,8})$/)
  fc.assert(
    fc.property(label, label, fc.constantFrom('', '.'), (a, b, dot) => {
      const asked = `${a}.com`
      const written = `${dot ? b.toUpperCase() : toUnicode(b).domain}.com${dot}`
      const read = () => readers['domain renew']?.(asked, written)
      if (a === b) read()
      else assert.throws(read, GarbageInput)
    }),
  )
})

test('dates: impossible dates are rejected, and none is read as local time', () => {
  for (const text of [
    '',
    'not-a-date',
    '12026-11-21T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-21T25:00:00Z',
    '0000-00-00 00:00:00',
  ])
    assert.equal(momentOf(text), null, text)
  for (const text of ['2026-11-21T10:00:00', '2026-11-21 10:00:00', '2026-11-21T12:00:00+02:00'])
    assert.equal(Date.parse(momentOf(text) ?? ''), Date.UTC(2026, 10, 21, 10), text)
  assert.equal(momentOf('2028-02-29T22:00:00.0Z'), '2028-02-29T22:00:00.0Z')
  assert.equal(momentOf('2028-02-29'), '2028-02-29')
})

test('dates: an unreadable expiry is left out of an answer, and invalidates an info', () => {
  const with_ = (name: string, date: string) => {
    const text = fixture(`${name}.response.xml`).toString()
    return parseReply(Buffer.from(text.replace(/(exDate>)[^<]*</, `$1${date}<`)))
  }
  for (const date of ['not-a-date', '', '12026-11-21T00:00:00Z']) {
    const renewed = domainRenew.parse(with_('domain-renew', date), {
      name: 'example.com',
      ...renewal,
    })
    assert.equal(renewed.expires_at, null)
    const asked = { name: 'example.com', auth_info: null }
    assert.throws(() => domainInfo.parse(with_('domain-info', date), asked), GarbageInput)
  }
})

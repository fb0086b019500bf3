// Results of the parsers for the sample answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactCheck, contactCreate, contactInfo } from '../commands/contact.ts'
import { domainCheck, domainInfo } from '../commands/domain-query.ts'
import { transferQuery } from '../commands/domain-transfer.ts'
import { domainCreate, domainRenew } from '../commands/domain-transform.ts'
import { sumOf } from '../commands/fee-check.ts'
import { hostCheck, hostInfo } from '../commands/host.ts'
import { pollRequest } from '../commands/poll.ts'
import { GarbageInput } from '../errors.ts'
import { contactSample, createSample } from '../fixtures/asked.ts'
import { fixture } from '../fixtures/fixtures.ts'
import { parseGreeting, parseReply } from './reply.ts'
import { classOf, endsSession, result } from './result-codes.ts'

const example = { name: 'example.com', auth_info: null }
const creation = createSample('example.com')
const renewal = { name: 'example.com', cur_exp_date: '2028-04-03', period_years: 1, fee: null }
const person = contactSample('sh8013')
const reply = (name: string) => parseReply(fixture(`${name}.response.xml`))

test('a greeting gives the menu', () => {
  const greeting = parseGreeting(fixture('greeting.xml'))
  assert.equal(greeting.server, 'Example Registry EPP')
  assert.equal(greeting.objects.length, 3)
  assert.ok(greeting.extensions.includes('urn:ietf:params:xml:ns:epp:fee-1.0'))
  assert.throws(() => parseGreeting(fixture('poll-empty.response.xml')), GarbageInput)
  assert.throws(() => parseReply(fixture('greeting.xml')), GarbageInput)
})

test('a refusal gives its code, its reasons and both identifiers', () => {
  const refused = reply('refused')
  assert.equal(refused.code, result.value_policy)
  assert.equal(refused.message, 'Parameter value policy error: At most ten years')
  assert.deepEqual(
    refused.blamed.map(({ local }) => local),
    ['name', 'period'],
  )
  assert.deepEqual([refused.cl_trid, refused.sv_trid], ['ABC-12345', '54321-XYZ'])
})

test('a check gives names in lower case, reasons, and exact fees', () => {
  const { names, fees } = domainCheck.parse(reply('domain-check'), {
    names: ['free.example', 'taken.example', 'gold.example'],
    fees: null,
  })
  assert.deepEqual(names.get('taken.example'), {
    name: 'taken.example',
    available: false,
    reason: 'In use',
  })
  assert.equal(names.get('gold.example')?.available, true)
  assert.deepEqual(fees.get('free.example'), {
    name: 'free.example',
    currency: 'USD',
    fee_class: 'standard',
    standard: true,
    totals: { create: '5.00', renew: '6.50' },
    reason: null,
  })
  assert.equal(fees.get('taken.example')?.reason, 'No fee for it')
  const gold = fees.get('gold.example')
  assert.deepEqual(gold?.totals, { create: '120.000', restore: '40.00' })
  assert.deepEqual([gold.standard, gold.fee_class], [false, 'premium-tier1'])
})

test('a fee of another period than the one asked about answers nothing (RFC 8748 section 3.3)', () => {
  const totals = (years: number) => {
    const commands = [
      { verb: 'create', years },
      { verb: 'restore', years: null },
    ] as const
    const asked = { names: ['gold.example'], fees: { currency: 'USD', commands } }
    return domainCheck.parse(reply('domain-check'), asked).fees.get('gold.example')?.totals
  }
  assert.deepEqual(totals(1), { create: '120.000', restore: '40.00' })
  assert.deepEqual(totals(2), { restore: '40.00' })
})

test('sums of fees are exact decimals', () => {
  assert.equal(sumOf(['0.1', '0.2']), '0.30')
  assert.equal(sumOf(['12345678901234567890.10', '-0.105']), '12345678901234567889.995')
  assert.equal(sumOf(['1', '-2']), '-1.00')
  assert.equal(sumOf(['-0.05']), '-0.05')
  for (const text of ['', '1e3', 'ab.cd', '+1', 'NaN', '.5', '１']) {
    assert.throws(() => sumOf([text]), GarbageInput, text)
  }
})

test('an info gives everything that the registry shows', () => {
  const info = domainInfo.parse(reply('domain-info'), example)
  assert.equal(info.name, 'example.com')
  assert.deepEqual(info.statuses, ['ok', 'clientTransferProhibited'])
  assert.deepEqual(info.rgp_statuses, ['renewPeriod'])
  assert.deepEqual(info.nameservers, ['ns1.example.com', 'ns1.example.net'])
  assert.deepEqual(info.subordinates, ['ns1.example.com'])
  assert.deepEqual(info.contacts[1], { type: 'tech', id: 'sh8014' })
  assert.equal(info.auth_info, '2fooBAR <x>')
  assert.equal(info.expires_at, '2027-04-03T22:00:00.0Z')
  assert.equal(info.ds_records[0]?.key_tag, 12345)
  const bare = domainInfo.parse(reply('domain-info-prefixed'), example)
  assert.deepEqual(bare.nameservers, ['ns1.example.net', 'ns1.example.com'])
  assert.deepEqual(bare.glue, { 'ns1.example.com': ['192.0.2.2', '2001:db8::1'] })
  assert.deepEqual(info.glue, {}, 'host objects have their own')
  assert.deepEqual([bare.auth_info, bare.expires_at, bare.ds_records], [null, null, []])
})

test('create, renew and transfer give their dates', () => {
  const created = domainCreate.parse(reply('domain-create'), creation)
  assert.equal(created.expires_at, '2028-11-21T06:00:00.0Z')
  assert.equal(
    domainRenew.parse(reply('domain-renew'), renewal).expires_at,
    '2029-04-03T22:00:00.0Z',
  )
  const transfer = transferQuery.parse(reply('domain-transfer'), example)
  assert.deepEqual([transfer.status, transfer.requested_by], ['pending', 'ClientX'])
})

test('a success without its data is garbage, not a success', () => {
  const empty = reply('poll-empty')
  const check = { names: ['example.com'], fees: null }
  for (const parse of [
    () => domainCreate.parse(empty, creation),
    () => domainRenew.parse(empty, renewal),
    () => domainInfo.parse(empty, example),
    () => domainCheck.parse(empty, check),
    () => contactCreate.parse(empty, person),
  ])
    assert.throws(parse, GarbageInput)
})

test('poll messages name the object that they are about', () => {
  const moved = pollRequest.parse(reply('poll-transfer'), null)
  assert.deepEqual([moved?.id, moved?.count, moved?.text], ['12345', 5, 'Transfer requested.'])
  assert.equal(moved?.about.kind === 'transfer' && moved.about.transfer.status, 'serverApproved')
  const ended = pollRequest.parse(reply('poll-pending'), null)
  assert.deepEqual(ended?.about, {
    kind: 'pending_action',
    action: {
      name: 'example.com',
      done: true,
      cl_trid: 'order-1-aa',
      sv_trid: '54322-XYZ',
      at: '2026-06-13T22:00:00.0Z',
    },
  })
  assert.equal(pollRequest.parse(reply('poll-empty'), null), null)
})

test('a poll message that cannot be read still has its id, and its name where it has one', () => {
  const poll = (name: string, from: string | RegExp, to: string) =>
    pollRequest.parse(parseReply(Buffer.from(fixture(name).toString().replace(from, to))), null)
  const half = poll('poll-transfer.response.xml', /<domain:acID>.*<.domain:acDate>/, '')
  assert.deepEqual([half?.id, half?.about], ['12345', { kind: 'other', name: 'example.com' }])
  const nameless = poll('poll-transfer.response.xml', /<domain:name>.*<.domain:name>/, '')
  assert.deepEqual([nameless?.id, nameless?.about], ['12345', { kind: 'other', name: null }])
  const bare = poll('poll-transfer.response.xml', /<resData>[\s\S]*<.resData>/, '')
  assert.deepEqual([bare?.id, bare?.about], ['12345', { kind: 'other', name: null }])
  const renewed = poll(
    'poll-transfer.response.xml',
    /<domain:trnData[\s\S]*<.domain:trnData>/,
    '<domain:renData xmlns:domain="urn:ietf:params:xml:ns:domain-1.0">' +
      '<domain:name>Example.com</domain:name>' +
      '<domain:exDate>2028-06-08T22:00:00.0Z</domain:exDate></domain:renData>',
  )
  const expires_at = '2028-06-08T22:00:00.0Z'
  assert.deepEqual(renewed?.about, { kind: 'renewal', name: 'example.com', expires_at })
})

test('contacts and hosts', () => {
  assert.equal(
    contactCheck.parse(reply('contact-check'), { ids: ['sah8013'] }).get('sah8013'),
    false,
  )
  assert.equal(contactCreate.parse(reply('contact-create'), person).id, 'sh8013')
  const contact = contactInfo.parse(reply('contact-info'), person)
  assert.deepEqual(contact.street, ['Piotrkowska 1', 'Suite 100'])
  assert.deepEqual([contact.organization, contact.country_code], ['Los & Co', 'PL'])
  assert.equal(
    hostCheck.parse(reply('host-check'), { names: ['ns2.example.com'] }).get('ns2.example.com')
      ?.available,
    false,
  )
  assert.deepEqual(hostInfo.parse(reply('host-info'), { name: 'ns1.example.com' }).addresses, [
    '192.0.2.2',
    '2001:db8::1',
  ])
})

test('every code has its class, and a strange one counts as a failed server', () => {
  assert.equal(classOf(1001), 'pending')
  assert.equal(classOf(2104), 'credit')
  assert.equal(classOf(2502), 'session_limit')
  assert.equal(classOf(1999), 'server_failed')
  assert.deepEqual([1500, 2500, 2501, 2502, 2400, 1000].map(endsSession), [
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})

// Commands are valid by the IETF's schemas, and equal their fixtures byte for byte.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { contactCreate, contactUpdate } from '../commands/contact.ts'
import { domainCheck } from '../commands/domain-query.ts'
import { domainCreate, domainRenew, domainUpdate } from '../commands/domain-transform.ts'
import { pollAck } from '../commands/poll.ts'
import { login } from '../commands/session-management.ts'
import { UnwritableCommand } from '../errors.ts'
import { fixture, fixtureNames } from '../fixtures/fixtures.ts'
import { contact, samples } from '../fixtures/samples.ts'
import { assertValid, schemasMissing } from '../fixtures/schema.ts'
import { ns } from './xml.ts'

test('each command writes what its fixture holds', () => {
  const held = fixtureNames.filter((name) => name.endsWith('.request.xml'))
  assert.deepEqual(
    held.sort(),
    Object.keys(samples)
      .map((name) => `${name}.request.xml`)
      .sort(),
  )
  for (const [name, frame] of Object.entries(samples)) {
    assert.equal(frame, fixture(`${name}.request.xml`).toString(), name)
  }
})

test('every fixture is valid by the schemas', { skip: schemasMissing }, () => {
  assert.ok(fixtureNames.length > 50)
  for (const name of fixtureNames) assertValid(fixture(name))
  const spoilt = fixture('domain-renew.request.xml').toString().replace('unit="y"', '')
  assert.throws(() => assertValid(spoilt), /unit/)
})

/** The frame is valid, or it was refused before it was written and is undefined. */
function validOrRefused(write: () => string): string | undefined {
  let frame: string
  try {
    frame = write()
  } catch (error) {
    assert.ok(error instanceof UnwritableCommand, String(error))
    return undefined
  }
  assertValid(frame)
  return frame
}

const anyText = fc.oneof(
  unicodeText({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    ']]>',
    '<!--',
    '&amp;',
    'a  b',
    ' a',
    'PL',
    '+48.501234567',
    'ab\u00a0c',
  ),
)
const contactFacts = fc.record({
  id: anyText,
  name: anyText,
  organization: fc.option(anyText),
  street: fc.array(anyText, { maxLength: 4 }),
  city: anyText,
  state: fc.option(anyText),
  postal_code: anyText,
  country_code: anyText,
  voice: anyText,
  email: anyText,
  auth_info: anyText,
})
const runs = { numRuns: 500 }

test('contacts with any text in one field are valid or refused', { skip: schemasMissing }, () => {
  const fields = [
    'id',
    'name',
    'city',
    'state',
    'postal_code',
    'country_code',
    'voice',
    'email',
  ] as const
  let written = 0
  const onField = fc.property(fc.constantFrom(...fields, 'auth_info'), anyText, (field, text) => {
    const facts = { ...contact, [field]: text }
    if (validOrRefused(() => contactCreate.frame(facts, 'ABC-12345'))) written += 1
  })
  fc.assert(onField, runs)
  assert.ok(written > 50, `only ${written} could be written`)
})

test('contacts with any text in all fields are valid or refused', { skip: schemasMissing }, () => {
  let tried = 0
  const onAll = fc.property(contactFacts, (facts) => {
    tried += 1
    validOrRefused(() => contactCreate.frame(facts, 'ABC-12345'))
    validOrRefused(() => contactUpdate.frame({ ...contact, street: facts.street }, 'ABC-12345'))
  })
  fc.assert(onAll, runs)
  assert.equal(tried, runs.numRuns)
})

test('names, ids, dates, fees and periods are valid or refused', { skip: schemasMissing }, () => {
  const id = 'ABC-12345'
  const none = { nameservers: [], contacts: [], statuses: [] }
  let written = 0
  const count = (frame: string | undefined) => {
    if (frame) written += 1
  }
  const number = fc.oneof(fc.integer({ min: -1, max: 101 }), fc.double())
  const date = fc.oneof(
    anyText,
    fc.date({ noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10)),
  )
  const amount = fc.oneof(
    anyText,
    fc.double().map(String),
    fc.nat().map((cents) => `${cents}.00`),
  )
  const values = fc.record({ text: anyText, period_years: number, day: date, money: amount })
  const property = fc.property(values, ({ text, period_years, day, money }) => {
    const fee = { currency: 'USD', amount: money }
    const renew = { name: 'example.com', cur_exp_date: day, period_years, fee }
    count(validOrRefused(() => domainCheck.frame({ names: [text], fees: null }, id)))
    count(validOrRefused(() => domainCheck.frame({ names: ['a.com'], fees: null }, text)))
    count(validOrRefused(() => pollAck.frame({ id: text }, id)))
    count(validOrRefused(() => domainRenew.frame(renew, id)))
    count(validOrRefused(() => domainRenew.frame({ ...renew, fee: null, period_years: 1 }, id)))
    const change = { name: 'example.com', host_model: 'hostObj' as const, add: none, remove: none }
    count(validOrRefused(() => domainUpdate.frame({ ...change, auth_info: text }, id)))
    count(validOrRefused(() => domainUpdate.frame({ ...change, registrant: text }, id)))
    const create = { ...change, period_years: 1, nameservers: [text], registrant: null }
    const rest = { contacts: [], auth_info: text, fee, ds_records: [] }
    count(validOrRefused(() => domainCreate.frame({ ...create, ...rest }, id)))
    const who = { client_id: 'ClientX', password: text, language: 'en', objects: [ns.domain] }
    const extensions = [ns.loginSec]
    for (const secured of [true, false])
      count(validOrRefused(() => login.frame({ ...who, extensions, secured }, id)))
  })
  fc.assert(property, runs)
  assert.ok(written > 500, `only ${written} could be written`)
})

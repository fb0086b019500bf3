// The limits of a contact's fields, at each of their edges.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startService } from '../../support/service.ts'
import { assertEdges, bad, type Edge, good } from '../support/edges.ts'
import { aContact } from '../support/examples.ts'
import { fresh } from '../support/fixture.ts'
import { assertInvalid } from '../support/problem.ts'

const registrar = await startService()
const customer = await registrar.customer({ contact: false })
const create = (body: object) =>
  registrar.request('POST', `/v1/customers/${customer.id}/contacts`, { token: customer.key, body })
const edges = (base: object, all: readonly Edge[]) => assertEdges(create, base, all)

describe('contact fields', () => {
  const characters = (count: number) =>
    'Abcdefgh '
      .repeat(count)
      .slice(0, count - 1)
      .concat('z')
  const lengths: [string, number, number][] = [
    ['name', 1, 200],
    ['address', 1, 300],
    ['city', 1, 120],
    ['zip', 1, 32],
    ['handle', 1, 120],
    ['company_name', 0, 200],
    ['address_line_2', 0, 300],
  ]
  for (const [field, least, most] of lengths)
    it(`${field} has ${least} to ${most} characters`, () =>
      edges(aContact, [
        field === 'handle' ? good(field, fresh('h')) : good(field, 'z'),
        good(field, field === 'handle' ? fresh('h'.repeat(100)) : characters(most)),
        bad(field, characters(most + 1), `body.${field} string_too_long`),
        least === 0 ? good(field, '') : bad(field, '', `body.${field} string_too_short`),
        bad(field, 5, `body.${field} string_type`),
      ]))

  it('handle takes exactly 120', () =>
    edges(aContact, [good('handle', fresh('h').padEnd(120, 'x'))]))

  it('state, country, telephone code and number keep their lengths and their sense', () =>
    edges(
      {
        ...aContact,
        country: 'NL',
        state: 'Utrecht',
        phone_country_code: '31',
        phone_number: '201234567',
      },
      [
        bad('state', '', 'body.state string_too_short'),
        good('state', characters(120)),
        bad('state', characters(121), 'body.state string_too_long'),
        bad('country', 'N', 'body.country string_too_short'),
        good('country', 'Netherlands'),
        bad('country', 'n'.repeat(120), 'body.country value_error'),
        bad('country', 'n'.repeat(121), 'body.country string_too_long'),
        bad('phone_country_code', '', 'body.phone_country_code string_too_short'),
        bad('phone_country_code', '1'.repeat(9), 'body.phone_country_code string_too_long'),
        bad('phone_number', '', 'body.phone_number string_too_short'),
        bad('phone_number', '2'.repeat(33), 'body.phone_number string_too_long'),
        bad('phone_number', 201234567, 'body.phone_number string_type'),
      ],
    ))
})

describe('contacts as a whole', () => {
  it('an email address has 3 to 320 characters and is one', () => {
    const host = `${`${'d'.repeat(60)}.`.repeat(4)}net`
    const most = `${'m'.repeat(320 - host.length - 1)}@${host}`
    assert.equal(most.length > 300, true)
    return edges(aContact, [
      bad('email', 'ab', 'body.email string_too_short'),
      good('email', 'a@b.co'),
      bad('email', `${'m'.repeat(321)}`, 'body.email string_too_long'),
      bad('email', 'a@b', 'body.email value_error'),
      bad('email', 'a b@example.net', 'body.email value_error'),
      bad('email', 'a@example.net\r\nBcc: b@example.net', 'body.email value_error'),
    ])
  })

  it('a default is true or false, never a text or a number', () =>
    edges(aContact, [
      good('default_admin', true),
      bad('default_admin', 'true', 'body.default_admin bool_type'),
      bad('default_admin', 1, 'body.default_admin bool_type'),
      good('default_admin', null),
    ]))

  it('all failing fields are reported at once', async () => {
    const answer = await create({
      name: '',
      email: 7,
      country: 'X',
      zip: null,
      colour: 'red',
    })
    const missing = ['address', 'city', 'state', 'phone_country_code', 'phone_number']
    assertInvalid(answer, [
      'body.name string_too_short',
      'body.email string_type',
      'body.country string_too_short',
      'body.zip string_type',
      'body.colour extra_forbidden',
      ...missing.map((field) => `body.${field} missing`),
    ])
  })
})

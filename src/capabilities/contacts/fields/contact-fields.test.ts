// Field rules of contacts, on many inputs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../kit/arbitrary-text.fixture.ts'
import { parseEmail } from '../../../kit/net/email.ts'
import { registryContactId, registryContactOf } from '../registry/registry-contact.ts'
import { folded, withoutAccents } from './ascii.ts'
import { type Facts, readFacts } from './contact-fields.ts'
import { countries, countryCodeOf } from './countries.ts'
import { handleCandidates, initialsOf } from './handle.ts'
import { eppVoice, readPhone } from './phone.ts'
import { isState, statesOf } from './states.ts'

const anyText = unicodeText({ maxLength: 60 })
const facts: Facts = {
  name: 'Łukasz Müller',
  email: 'a@example.net',
  company_name: 'Société Générale',
  address: `${'Straße '.repeat(43)}`.slice(0, 300),
  address_line_2: 'x'.repeat(300),
  city: 'København',
  state: 'Île-de-France',
  country: 'FR',
  zip: '1'.repeat(32),
  phone_country_code: '33',
  phone_number: '612345678',
}

describe('handles', () => {
  it('have the form of the contract for any name', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const [first = []] = handleCandidates(name, 'NL')
        for (const handle of first) assert.match(handle, /^[A-Z]{1,2}[0-9]{4}-NL$/)
      }),
    )
  })

  it('take the first letters of the first and the last word', () => {
    const cases = { 'John Doe': 'JD', 'Mary Ann Smith': 'MS', Łukasz: 'L', 'Émile Ång': 'EA' }
    for (const [name, initials] of Object.entries({
      ...cases,
      李: 'XX',
      '42': 'XX',
      "d'Arc": 'DA',
    }))
      assert.equal(initialsOf(name), initials)
  })
})

describe('email addresses', () => {
  const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z0-9])?$/)
  const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\.[A-Za-z0-9]{1,10})?$/)

  it('stay unchanged when they are plain', () => {
    fc.assert(
      fc.property(local, label, label, (name, host, tld) => {
        const address = `${name}@${host}.${tld}`
        assert.equal(parseEmail(address), address)
      }),
    )
  })

  it('are rejected with anything that could end a mail header', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const parsed = parseEmail(`${before}@${after}`)
        if (parsed !== undefined) assert.match(parsed, /^[\x21-\x3f\x41-\x7e]{1,64}@[a-z0-9.-]+$/)
      }),
    )
    for (const unsafe of ['\r', '\n', '\0', ' ', ',', ';', '<', '>', '"', '\u2028', '@'])
      for (const address of [
        `a${unsafe}b@example.net`,
        `a@exa${unsafe}mple.net`,
        `a@example.net${unsafe}`,
      ])
        assert.equal(parseEmail(address), undefined, JSON.stringify(address))
  })

  it('have A-labels, two or more, and no dots at wrong places', () => {
    assert.equal(parseEmail('Ada@BÜCHER.example'), 'Ada@xn--bcher-kva.example')
    const wrong = [
      'a@b',
      '.a@b.example',
      'a.@b.example',
      'a..b@c.example',
      'a@b.example.',
      'a@.b.example',
    ]
    wrong.push('a@192.0.2.1', 'a@[192.0.2.1]', '@b.example', 'a@', `${'a'.repeat(65)}@b.example`)
    for (const address of wrong) assert.equal(parseEmail(address), undefined, address)
  })
})

describe('telephone numbers', () => {
  it('are normalised to the EPP form, however they are written', () => {
    const cases: [string, string, string][] = [
      ['31', '20 123 4567', '+31.201234567'],
      ['+31', '0612345678', '+31.612345678'],
      ['0048', '501-234-567', '+48.501234567'],
      ['1', '(212) 555-1234', '+1.2125551234'],
      ['1', '555 123 4567', '+1.5551234567'],
      ['+1-242', '3221234', '+1.2423221234'],
      ['39', '06 12345678', '+39.0612345678'],
      ['31', '+31 6 12345678', '+31.612345678'],
      ['+44', '+44 (0)20 7946 0958', '+44.2079460958'],
      ['+44', '0044 20 7946 0958', '+44.2079460958'],
      ['+49', '0049 30 123456', '+49.30123456'],
      ['+49', '(0)30 123456', '+49.30123456'],
      ['+36', '06 1 234 5678', '+36.12345678'],
      ['+225', '01 23 45 67 89', '+225.0123456789'],
    ]
    for (const [phone_country_code, phone_number, voice] of cases) {
      assert.deepEqual(readPhone({ phone_country_code, phone_number }), { voice })
      assert.equal(eppVoice({ phone_country_code, phone_number }), voice)
    }
  })

  it('are stored as they are written, but without a prefix that is dialed within a country', () => {
    const cases: [string, string, string][] = [
      ['+31', '20 123 4567', '20 123 4567'],
      ['+31', '020 123 4567', '201234567'],
      ['+44', '+44 (0)20 7946 0958', '2079460958'],
      ['+49', '0049 30 123456', '30123456'],
      ['+1', '1 212 555 1234', '2125551234'],
      ['+39', '06 12345678', '06 12345678'],
      ['+1-242', '322 1234', '322 1234'],
    ]
    for (const [phone_country_code, phone_number, stored] of cases) {
      const changed = { phone_country_code, phone_number }
      const read = readFacts({ ...facts, ...changed }, new Set(Object.keys(changed)))
      assert.equal(read.phone_number, stored)
      const voice = eppVoice({ phone_country_code, phone_number })
      assert.equal(eppVoice({ phone_country_code, phone_number: stored }), voice)
    }
  })
})

describe('telephone numbers that are rejected', () => {
  it('begin with a 0 that no number of the country has, and the rest is offered', () => {
    for (const [phone_country_code, phone_number, offered] of [
      ['+31', '00201234567', '201234567'],
      ['+49', '00 30 123456', '30123456'],
      ['+44', '002079460958', '2079460958'],
    ] as const) {
      const { msg } = Object(readPhone({ phone_country_code, phone_number }))
      assert.equal(
        msg,
        `Value begins with a prefix that is dialed within a country; write "${offered}"`,
      )
      assert.ok('voice' in readPhone({ phone_country_code, phone_number: offered }))
    }
  })

  it('are so at the invalid field', () => {
    for (const code of ['0', '999', '+', 'NL', '31 ', '+031', '1-000'])
      assert.ok('wrong' in readPhone({ phone_country_code: code, phone_number: '612345678' }), code)
    for (const phone_number of [
      '1',
      '+48501234567',
      '612345678 ext 5',
      '٦١٢٣٤٥٦٧٨',
      '61234567890123456',
      'x',
    ])
      assert.deepEqual(
        Object(readPhone({ phone_country_code: '31', phone_number })).wrong,
        'phone_number',
        phone_number,
      )
  })

  it('never throw, and never give a voice that RFC 5733 forbids', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.stringMatching(/^[0-9+() -]{1,20}$/), (a, b, digits) => {
        for (const [phone_country_code, phone_number] of [
          [a, b],
          ['31', digits],
          [digits, digits],
        ] as const) {
          const answer = readPhone({ phone_country_code, phone_number })
          if ('voice' in answer) assert.match(answer.voice, /^\+[0-9]{1,3}\.[0-9]{1,14}$/)
        }
      }),
    )
  })
})

describe('places', () => {
  it('are found by code, by alpha-3 and by the name that is listed', () => {
    for (const { code, name, alpha3 } of countries)
      for (const text of [code, code.toLowerCase(), alpha3, name])
        assert.equal(countryCodeOf(text), code, text)
  })

  it('accept every listed state by code and by name, everywhere', () => {
    for (const { code } of countries)
      for (const state of statesOf(code))
        for (const text of [state.code, state.name]) assert.ok(isState(code, text), text)
  })

  it('accept customary abbreviations that the standard does not have', () => {
    const customary: Readonly<Record<string, string>> = {
      MX: 'NL BC BCS QR DF EM GTO JAL NAY SLP',
      AT: 'W NOE OOE KTN STM',
      CL: 'RM V',
      DE: 'NRW RLP NDS',
      FR: '75 IDF',
      GB: 'SRY YKS HAM',
      IN: 'UT TG CG OR',
      IT: 'AO MI RM',
      MY: 'JHR SGR PNG',
      PL: 'MZ DS SL',
      ZA: 'NL KZN GT',
    }
    for (const [country, texts] of Object.entries(customary))
      for (const text of texts.split(' ')) assert.ok(isState(country, text), `${country} ${text}`)
  })

  it('accept the initials and the first letters of every listed name, where any name is', () => {
    const strict = ['AU', 'BR', 'CA', 'US']
    for (const { code } of countries.filter((one) => !strict.includes(one.code)))
      for (const { name } of statesOf(code)) {
        const words = folded(name).toUpperCase().split(' ')
        const initials = words.map((word) => word[0]).join('')
        for (const text of [initials.slice(0, 3), words[0]?.slice(0, 2) ?? ''])
          assert.ok(isState(code, text), `${code} ${text} of ${name}`)
      }
  })

  it('refuse every code of another country, in each that has codes', () => {
    const listed = countries.filter(({ code }) => statesOf(code).length > 0)
    for (const { code } of listed)
      for (const other of listed)
        if (other.code !== code)
          assert.ok(!isState(code, statesOf(other.code)[0]?.code ?? ''), `${other.code} in ${code}`)
  })

  it('are strict where the list has the names in use, and lenient elsewhere', () => {
    for (const text of ['CA', 'ca', 'california', 'New York', 'D.C.', 'AE'])
      assert.ok(isState('US', text), text)
    for (const text of ['Bavaria', 'ZZ', 'CA-ON', 'Ontario']) assert.ok(!isState('US', text), text)
    for (const text of ['Bavaria', 'Bayern', 'BY', 'DE-BY']) assert.ok(isState('DE', text), text)
    assert.ok(!isState('DE', 'US-CA') && isState('JP', 'Fukuoka') && isState('HK', 'Kowloon'))
  })

  it('refuse a code that the country does not have, and name those that it has', () => {
    for (const text of ['BE', 'DE-BE', 'Berlin']) assert.ok(isState('DE', text), text)
    for (const text of ['ZZ', 'DE-ZZ', 'NYC', '99']) assert.ok(!isState('DE', text), text)
    // Hong Kong has no parts in the list.
    assert.ok(isState('HK', 'NT'))
    const given = { ...facts, country: 'DE', state: 'ZZ' }
    const sixteen = /DE-BB, DE-BE, .*DE-TH; .*\/v1\/contact-states\?country=DE/
    assert.throws(() => readFacts(given, new Set(['state'])), sixteen)
    const few = /Its states are AU-ACT, AU-NSW, /
    assert.throws(() => readFacts({ ...given, country: 'AU' }, new Set(['state'])), few)
  })
})

describe('a contact at a registry', () => {
  it('is ASCII where accents can be removed, and unchanged where they cannot', () => {
    const { name, organization, city, state } = registryContactOf('AR1', facts)
    assert.deepEqual(
      [name, organization, city, state],
      ['Lukasz Muller', 'Societe Generale', 'Kobenhavn', 'Ile-de-France'],
    )
    assert.equal(withoutAccents('日本語 ガ'), '日本語 ガ')
    assert.equal(withoutAccents('Şişli / Đà Nẵng'), 'Sisli / Da Nang')
  })

  it('fits the lengths of RFC 5733, losing no word of an address that fits', () => {
    const { street, postal_code } = registryContactOf('AR1', facts)
    assert.ok(street.length <= 3 && street.every((line) => line.length <= 255 && line.length > 0))
    assert.equal(postal_code.length, 16)
    const two = registryContactOf('AR1', { ...facts, address_line_2: null }).street
    assert.equal(two.join(' '), withoutAccents(facts.address).trim())
  })

  it('has an id of 3 to 16 characters that differs between customers', () => {
    const ids = [1n, 35n, 36n ** 9n - 1n].map((id) => registryContactId(id, 'cus_a'))
    for (const id of ids) assert.match(id, /^AR[0-9A-Z]{1,9}-[0-9A-Z]{4}$/)
    assert.notEqual(registryContactId(1n, 'cus_a'), registryContactId(1n, 'cus_b'))
  })
})

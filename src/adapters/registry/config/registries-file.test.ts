// The registries file: the parsed profiles, and the errors for invalid entries.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import pino from 'pino'
import { type Endpoint, openRegistries } from '../registries.ts'
import { loadRegistriesFile, parseRegistries, RegistriesFileError } from './registries-file.ts'

const silent = pino({ level: 'silent' })

const oneRegistry = `
currencies: [USD, EUR]
exchange_rates: { USD: { EUR: "0.92" } }
registries:
  - name: alpha
    adapter: epp
    tlds: [com, co.uk]
    currency: USD
    contacts: prohibited
    host_model: hostAttr
    endpoint:
      host: \${ALPHA_HOST}
      port: \${ALPHA_PORT}
      client_id: registrar
      password: \${ALPHA_PASSWORD}
      tls: { ca_file: tls/ca.pem, servername: epp.example }
    margin: { basis_points: 500 }
    overrides:
      co.uk: { margin: { fixed: "1.05" }, costs: { restore: "80.00" } }
`
const oneReseller = `
currencies: [USD]
registries:
  - name: reseller
    adapter: openprovider
    tlds: [shop, co.uk]
    currency: USD
    endpoint:
      username: \${OP_USERNAME}
      password: \${OP_PASSWORD}
`
const environment = {
  OP_USERNAME: 'us',
  OP_PASSWORD: 'a long password',
  ALPHA_HOST: 'epp.example',
  ALPHA_PORT: '7001',
  ALPHA_PASSWORD: 'a long password',
}

const variable = (name: string) => Object.entries(environment).find(([key]) => key === name)?.[1]

function problemsOf(text: string, variables: Record<string, string> = environment): string[] {
  try {
    parseRegistries(text, { path: 'registries.yaml', variable: (name) => variables[name] })
  } catch (error) {
    assert.ok(error instanceof RegistriesFileError)
    for (const problem of error.problems) assert.ok(error.message.includes(`\n  ${problem}`))
    return [...error.problems]
  }
  return []
}

const sandboxEndpoint = {
  host: '127.0.0.1',
  port: 7000,
  client_id: 'registrar-a',
  password: 'secret',
  tls: { ca_file: null, cert_file: null, key_file: null, servername: null },
}

it('has life cycles of country codes as facts of the entry', () => {
  const written = (facts: string) =>
    oneRegistry.replace('    margin: {', `    ${facts}\n    margin: {`)
  const rulesOf = (facts: string) =>
    parseRegistries(written(facts), { path: 'registries.yaml', variable }).registries[0]?.rules
  const usual = rulesOf('')
  assert.deepEqual([usual?.transfer, usual?.expiry], [{ years: 1, send_period: true }, 'shown'])
  const own = rulesOf('transfer: { years: 0, send_period: false }\n    expiry: computed')
  assert.deepEqual([own?.transfer, own?.expiry], [{ years: 0, send_period: false }, 'computed'])
  assert.deepEqual(problemsOf(written('transfer: { years: 0 }')), [
    'registries[0].transfer: no period of 0 years can be sent: send_period must be false',
  ])
})

it('reads code points that a TLD takes beside those of IDNA 2008', () => {
  const withIdn = (also: string) =>
    oneRegistry.replace('    margin: {', `    idn: { com: { also: [${also}] } }\n    margin: {`)
  const text = withIdn('"2764", "1F600-1F64F"')
  const file = parseRegistries(text, { path: 'registries.yaml', variable })
  const registries = openRegistries(file, { endpoints: new Map(), log: silent })
  const also = registries.idn_exceptions.get('com')
  assert.deepEqual(
    ['\u2764', '\u{1f600}', '\u{1f650}', '\u2011'].map((one) => also?.test(one)),
    [true, true, false, false],
  )
  assert.deepEqual([...registries.idn_exceptions.keys()], ['com'])
  const bounds = 'registries[0].idn.com.also: a code point is above 10FFFF, or a range is empty'
  assert.deepEqual(problemsOf(withIdn('"1F64F-1F600"')), [bounds])
  assert.deepEqual(problemsOf(withIdn('"110000"')), [bounds])
  assert.match(problemsOf(withIdn('"\u2764"'))[0] ?? '', /idn\.com\.also\[0\]: must match pattern/)
  const other = withIdn('"2764"').replace('idn: { com', 'idn: { ws')
  assert.deepEqual(problemsOf(other), ["registries[0].idn.ws: not one of this registry's tlds"])
})

describe('the registries file of this repository', () => {
  const file = loadRegistriesFile(
    resolve(import.meta.dirname, '../../../../registries.yaml'),
    () => undefined,
  )

  it('describes the three sandbox registries', () => {
    const [thin, thick, reseller] = file.registries
    assert.deepEqual(thin?.rules.tlds, ['com', 'net', 'org', 'dev', 'app'])
    assert.deepEqual(thick?.rules.tlds, ['test', 'example', 'io', 'ai', 'xyz', 'co', 'xn--p1ai'])
    assert.deepEqual(reseller?.rules.tlds, ['shop', 'online', 'site', 'store'])
    assert.deepEqual(
      [reseller?.rules.adapter, reseller?.rules.contacts, reseller?.rules.fee],
      ['openprovider', 'required', true],
    )
    assert.equal(thin?.endpoint, null)
    assert.equal(thick?.rules.contacts, 'required')
    assert.equal(thick?.terms.get('io')?.rates.get('EUR'), 920_000n)
  })

  it('opens with the addresses of the running registries, and maps each TLD to its registry', () => {
    const base_url = 'http://127.0.0.1:7002/v1beta'
    const endpoints = new Map<string, Endpoint>([
      ['thin', sandboxEndpoint],
      ['thick', { ...sandboxEndpoint, port: 7001 }],
      ['openprovider', { base_url, client_id: 'reseller-a', password: 'secret' }],
    ])
    const registries = openRegistries(file, { endpoints, log: silent })
    const io = registries.byTld.get('io')?.registry.profile
    assert.equal(io?.adapter === 'epp' && io.port, 7001)
    assert.equal(registries.byTld.get('com')?.registry.profile.name, 'thin')
    assert.equal(registries.byTld.get('nl'), undefined)
    const shop = registries.byTld.get('shop')?.registry.profile
    assert.equal(shop?.adapter === 'openprovider' && shop.base_url, base_url)
    assert.equal(registries.tlds.length, 16)
    assert.deepEqual(registries.tlds, registries.tlds.toSorted())
  })

  it('does not open where no sandbox runs, and says which registry lacks an address', () => {
    assert.throws(
      () => openRegistries(file, { endpoints: new Map(), log: silent }),
      /Registry "thin" is a sandbox one/,
    )
  })
})

const refused: [string, string, string][] = [
  [
    'a TLD sold twice',
    oneRegistry.replace('co.uk]', 'co.uk, com]'),
    '"com" is already sold by "alpha"',
  ],
  [
    'an override of a TLD that is not there',
    oneRegistry.replace('co.uk: {', 'nl: {'),
    'overrides.nl',
  ],
  [
    'a price probe of a TLD that is not there',
    oneRegistry.replace('tlds:', 'price_probes: { nl: plain }\n    tlds:'),
    'price_probes.nl',
  ],
  [
    'no address',
    oneRegistry.replace(/endpoint:[\s\S]*epp.example }/, ''),
    'needs either "endpoint"',
  ],
  ['both', oneRegistry.replace('currency: USD', 'currency: USD\n    sandbox: true'), 'not both'],
  ['no rate', oneRegistry.replace('{ USD: { EUR: "0.92" } }', '{}'), 'exchange_rates.USD.EUR'],
  ['a rate of zero', oneRegistry.replace('0.92', '0.00'), 'exchange_rates.USD.EUR'],
  ['an unknown currency', oneRegistry.replace('[USD, EUR]', '[USD, GBP]'), 'currencies[1]'],
  ['half a client certificate', oneRegistry.replace('ca_file', 'cert_file'), 'go together'],
  ['periods that do not fit', `${oneRegistry}    max_term_years: 5\n`, 'registries[0].periods'],
  ['no fees and no costs', `${oneRegistry}    fee: false\n`, 'overrides.com.costs.create: needed'],
  ['a key twice', `${oneRegistry}    fee: true\n    fee: true\n`, 'unique'],
  ['a dot before a TLD', oneRegistry.replace('[com,', '[.com,'), 'registries[0].tlds[0]'],
  [
    'part of a value',
    oneRegistry.replace('client_id: registrar', `client_id: us-\${X}`),
    'the whole',
  ],
  ['nothing', '', 'the file: must be object'],
  ['a third protocol', oneRegistry.replace('epp', 'rrp'), 'must be one of epp, openprovider'],
  [
    'a reseller without a password',
    oneReseller.replace(/password: \S+/, ''),
    'registries[0].endpoint: "password" is missing',
  ],
  [
    'an EPP setting at a reseller',
    `${oneReseller}    host_model: hostAttr\n`,
    'registries[0]: unknown key "host_model"',
  ],
  [
    'a password over plain HTTP',
    oneReseller.replace('username', 'base_url: http://api.example/v1beta\n      username'),
    'registries[0].endpoint.base_url: must be https',
  ],
  [
    'a log-in within an address',
    oneReseller.replace('username', 'base_url: https://u:p@api.example/v1\n      username'),
    'without log-in',
  ],
]

describe('a registries file', () => {
  it('gives profile, margins, overrides and rates', () => {
    const { registries } = parseRegistries(oneRegistry, {
      path: '/etc/r/registries.yaml',
      variable,
    })
    const [alpha] = registries
    assert.deepEqual(alpha?.endpoint, {
      host: 'epp.example',
      port: 7001,
      client_id: 'registrar',
      password: 'a long password',
      tls: {
        ca_file: '/etc/r/tls/ca.pem',
        cert_file: null,
        key_file: null,
        servername: 'epp.example',
      },
    })
    assert.equal(alpha?.rules.names_per_check, 10)
    assert.deepEqual(alpha?.rules.periods, { min: 1, max: 10 })
    assert.deepEqual(alpha?.terms.get('com')?.margin, { basis_points: 500n, fixed: 0n })
    assert.deepEqual(alpha?.terms.get('co.uk')?.margin, { basis_points: 0n, fixed: 105n })
    assert.deepEqual(alpha?.terms.get('co.uk')?.costs, { restore: 8000n })
  })

  it('gives a reseller its address, and the parameters that its API requires', () => {
    const { registries } = parseRegistries(oneReseller, { path: 'r.yaml', variable })
    const [reseller] = registries
    assert.deepEqual(reseller?.endpoint, {
      base_url: 'https://api.openprovider.eu/v1beta',
      client_id: 'us',
      password: 'a long password',
    })
    const { contacts, fee, sessions } = reseller.rules
    assert.deepEqual([contacts, fee, sessions], ['required', true, 4])
  })

  it('does not open with an endpoint of another kind', () => {
    const file = parseRegistries(oneReseller.replace(/endpoint[\s\S]*/, 'sandbox: true'), {
      path: 'r.yaml',
      variable,
    })
    const endpoints = new Map([['reseller', sandboxEndpoint]])
    assert.throws(() => openRegistries(file, { endpoints, log: silent }), /speaks openprovider/)
  })

  it('reports every problem at once, each with its path', () => {
    const text = oneRegistry
      .replace('contacts: prohibited', 'contacts: maybe\n    colour: red')
      .replace('host_model: hostAttr', '')
      .replace('"1.05"', '1.05')
    assert.deepEqual(problemsOf(text).toSorted(), [
      'registries[0].contacts: must be one of required, prohibited, optional',
      'registries[0].overrides.co.uk.margin.fixed: must be string (amounts stand in quotes)',
      'registries[0]: "host_model" is missing',
      'registries[0]: unknown key "colour"',
    ])
  })

  for (const [what, text, expected] of refused)
    it(`with ${what} is refused`, () => {
      const problems = problemsOf(text)
      assert.ok(
        problems.join('\n').includes(expected),
        problems.join('\n') || 'no problem was reported',
      )
    })

  it('names the variable that the environment lacks, once', () => {
    const { ALPHA_PASSWORD: _, ...rest } = environment
    assert.deepEqual(problemsOf(oneRegistry, rest), [
      'registries[0].endpoint.password: the environment has no ALPHA_PASSWORD',
    ])
  })

  it('is reported when it does not exist', () => {
    assert.throws(
      () => loadRegistriesFile('/nowhere/registries.yaml', variable),
      RegistriesFileError,
    )
  })
})

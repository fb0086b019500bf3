// Settings that could do harm are refused with one line that repeats no secret.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { documentedSettings, readCallSettings, readSettings, SettingError } from './config.ts'

test('a mail server is smtp or smtps, and an invalid one is not echoed', () => {
  for (const url of ['smtps://user:pw@mail.example.net', 'smtp://[::1]:2525'])
    assert.equal(readSettings({ SMTP_URL: url }).smtp_url, url)
  for (const url of [
    'http://user:hush@a.example',
    'user:hush@a',
    'smtp://hush?pool=1',
    'smtp:hush',
  ])
    assert.throws(
      () => readSettings({ SMTP_URL: url }),
      (error) => error instanceof SettingError && !error.message.includes('hush'),
    )
})

test('production sends mail from an address of its own, or not at all', () => {
  const production = { ENVIRONMENT: 'production', SMTP_URL: 'smtps://mail.example.net' }
  assert.throws(() => readSettings(production), /MAIL_FROM must be set/)
  const from = 'post@registrar.example'
  assert.equal(readSettings({ ...production, MAIL_FROM: from }).mail_from, from)
  assert.throws(
    () => readSettings({ MAIL_FROM: 'A <a@b.example>\nBcc: c@d.example' }),
    SettingError,
  )
  assert.equal(readSettings({ ENVIRONMENT: 'production' }).smtp_url, null)
})

test('allowed origins are those that browsers send, or all', () => {
  const { allowed_origins } = readSettings({ ALLOWED_ORIGINS: 'https://a.example, http://[::1]:3' })
  assert.deepEqual(allowed_origins, ['https://a.example', 'http://[::1]:3'])
  assert.deepEqual(readSettings({ ALLOWED_ORIGINS: '*' }).allowed_origins, ['*'])
  const wrong = ['a.example', 'https://a.example/', 'https://A.example', 'null', 'ftp://a.example']
  for (const one of [...wrong, 'https://*.example', 'https://a.example:443'])
    assert.throws(() => readSettings({ ALLOWED_ORIGINS: one }), /ALLOWED_ORIGINS must be/, one)
})

test('sign-up is open, by invitation or closed, and terms have both a URL and a version', () => {
  assert.equal(readSettings({}).sign_up, 'open')
  assert.equal(readSettings({ SIGN_UP: 'closed' }).sign_up, 'closed')
  assert.throws(() => readSettings({ SIGN_UP: 'Open' }), SettingError)
  const TERMS_URL = 'https://a.example/terms?v=2#top'
  assert.throws(() => readSettings({ TERMS_URL }), /TERMS_VERSION must be set/)
  assert.throws(() => readSettings({ TERMS_VERSION: '2' }), /TERMS_URL must be set/)
  const { terms_url, terms_version } = readSettings({ TERMS_URL, TERMS_VERSION: '2' })
  assert.deepEqual([terms_url, terms_version], [TERMS_URL, '2'])
  for (const url of ['javascript:alert(1)', 'https://a:b@c.example', 'terms.html'])
    assert.throws(() => readSettings({ PRIVACY_URL: url }), SettingError)
})

test('each root has one form, however it was written: clients compare the strings', () => {
  const forms = {
    'HTTPS://Registrar.Example/': 'https://registrar.example',
    'https://registrar.example:443/Agents//': 'https://registrar.example/Agents',
    'https://registrar.example/a/../b': 'https://registrar.example/b',
    'http://[0:0:0:0:0:0:0:1]:8080': 'http://[::1]:8080',
  }
  for (const [written, read] of Object.entries(forms))
    for (const name of ['PUBLIC_URL', 'MCP_URL', 'SITE_URL']) {
      const { base_url, mcp_url, site_url } = readSettings({ [name]: written })
      assert.equal({ PUBLIC_URL: base_url, MCP_URL: mcp_url, SITE_URL: site_url }[name], read)
    }
})

test('identity providers are listed and whole, over https', () => {
  const google = {
    SSO_PROVIDERS: 'google',
    SSO_GOOGLE_CLIENT_ID: 'id',
    SSO_GOOGLE_CLIENT_SECRET: 'hush',
  }
  const acme = {
    SSO_PROVIDERS: 'google, my-idp',
    SSO_MY_IDP_ISSUER: 'https://login.a.example/',
    SSO_MY_IDP_NAME: 'Acme',
    SSO_MY_IDP_CLIENT_ID: 'id',
    SSO_MY_IDP_CLIENT_SECRET: 'hush',
  }
  assert.deepEqual(readSettings({}).sso_providers, [])
  assert.deepEqual(
    readSettings({ ...google, ...acme }).sso_providers.map(({ id, name, issuer }) => [
      id,
      name,
      issuer,
    ]),
    [
      ['google', 'Google', 'https://accounts.google.com'],
      ['my-idp', 'Acme', 'https://login.a.example/'],
    ],
  )
  const wrong: [Record<string, string>, RegExp][] = [
    [{ SSO_PROVIDERS: 'google' }, /SSO_GOOGLE_CLIENT_ID must be set/],
    [{ ...google, SSO_GOOGLE_CLIENT_SECRET: '' }, /SSO_GOOGLE_CLIENT_SECRET must be set/],
    [{ ...google, ...acme, SSO_MY_IDP_ISSUER: '' }, /SSO_MY_IDP_ISSUER must be set/],
    [{ ...google, SSO_PROVIDERS: '' }, /SSO_GOOGLE_CLIENT_\w+ is set, and SSO_PROVIDERS/],
    [{ SSO_PROVIDERS: 'google,google' }, /different ids/],
    [{ SSO_PROVIDERS: 'Google' }, /different ids/],
    [{ SSO_PROVIDERS: '../a' }, /different ids/],
    [{ ...google, ...acme, SSO_MY_IDP_ISSUER: 'http://a.example' }, /must be an https URL/],
    [{ ...google, ...acme, SSO_MY_IDP_ISSUER: 'https://u:hush@a.example' }, /must be an https/],
    [{ ...google, ...acme, SSO_MY_IDP_ISSUER: 'https://a.example/?b' }, /must be an https URL/],
    [{ ...google, SSO_GOOGLE_ISSUER: 'http://127.0.0.1', ENVIRONMENT: 'production' }, /https URL/],
  ]
  for (const [settings, message] of wrong)
    assert.throws(
      () => readSettings(settings),
      (error) =>
        error instanceof SettingError &&
        message.test(error.message) &&
        !error.message.includes('hush'),
    )
})

test('a BTCPay Server is whole or absent, over https, and its key is not repeated', () => {
  const whole = {
    GATEWAY: 'btcpay',
    BTCPAY_URL: 'https://btcpay.example/',
    BTCPAY_STORE_ID: 'store',
    BTCPAY_API_KEY: 'hush',
  }
  const { btcpay_url, btcpay_methods, btcpay_invoice_routes } = readSettings(whole)
  assert.deepEqual([btcpay_url, btcpay_invoice_routes], ['https://btcpay.example', 'invoices'])
  const bitcoin = { asset: 'BTC', network: 'bitcoin', decimals: 8, pegged_to: null }
  assert.deepEqual(btcpay_methods, [{ id: 'BTC-CHAIN', ...bitcoin }])
  const methods = readSettings({ BTCPAY_METHODS: 'USDT-TRON=USDT/tron/6/USD' }).btcpay_methods
  assert.equal(methods[0]?.pegged_to, 'USD')
  for (const BTCPAY_METHODS of ['BTC', 'A=B/c/8/GBP', 'A=B/c/99', 'A=B/c/8,D=B/c/8', 'A=B/c/-1'])
    assert.throws(() => readSettings({ BTCPAY_METHODS }), /BTCPAY_METHODS must/)
  for (const wrong of [
    { BTCPAY_API_KEY: '' },
    { GATEWAY: '' },
    { GATEWAY: 'other' },
    { BTCPAY_URL: 'http://btcpay.example' },
  ])
    assert.throws(
      () => readSettings({ ...whole, ...wrong }),
      (error) => error instanceof SettingError && !error.message.includes('hush'),
    )
  assert.equal(readSettings({}).gateway, null)
})

test('the key of Stripe is of test mode in the sandbox and a live one in production', () => {
  const STRIPE_WEBHOOK_SECRET = 'whsec_hush'
  const wrong = [
    { STRIPE_SECRET_KEY: 'sk_live_hush' },
    { STRIPE_SECRET_KEY: 'pk_test_hush' },
    { STRIPE_SECRET_KEY: 'sk_test_hush', ENVIRONMENT: 'production' },
    { STRIPE_WEBHOOK_SECRET, ENVIRONMENT: 'production' },
    { STRIPE_API_URL: 'http://stripe.example/hush' },
  ]
  for (const settings of wrong)
    assert.throws(
      () => readSettings(settings),
      (error) => error instanceof SettingError && !error.message.includes('hush'),
    )
  const { stripe_secret_key, stripe_api_url } = readSettings({
    STRIPE_SECRET_KEY: 'rk_live_abc',
    STRIPE_WEBHOOK_SECRET,
    ENVIRONMENT: 'production',
  })
  assert.deepEqual([stripe_secret_key, stripe_api_url], ['rk_live_abc', 'https://api.stripe.com'])
  const simulated = readSettings({ STRIPE_WEBHOOK_SECRET })
  assert.deepEqual(
    [simulated.stripe_secret_key, simulated.stripe_webhook_secret],
    [null, STRIPE_WEBHOOK_SECRET],
  )
})

test('x402 needs the EVM gateway and one way to settle, and a key of 32 bytes', () => {
  const evm = {
    GATEWAY: 'evm',
    EVM_XPUB: `xpub${'1'.repeat(107)}`,
    EVM_NETWORKS_FILE: 'networks.json',
  }
  const X402_GAS_KEY = `0x${'2'.repeat(64)}`
  const X402_FACILITATOR_URL = 'https://facilitator.example'
  const { x402_gas_key, x402_facilitator_url } = readSettings({ ...evm, X402_GAS_KEY })
  assert.deepEqual([x402_gas_key, x402_facilitator_url], [X402_GAS_KEY, null])
  const wrong = [
    { X402_GAS_KEY },
    { X402_FACILITATOR_URL },
    { ...evm, X402_GAS_KEY, X402_FACILITATOR_URL },
    { ...evm, X402_GAS_KEY: '2'.repeat(64) },
    { ...evm, X402_GAS_KEY: `0x${'2'.repeat(63)}` },
    { ...evm, X402_GAS_KEY: `0x${'0'.repeat(64)}` },
    { ...evm, X402_FACILITATOR_URL: 'http://facilitator.example' },
  ]
  for (const settings of wrong)
    assert.throws(
      () => readSettings(settings),
      (error) => error instanceof SettingError && !error.message.includes('2'.repeat(63)),
    )
})

test('payments on EVM chains need a public key and their networks, and exchanges over https', () => {
  const EVM_XPUB = `xpub${'1'.repeat(107)}`
  const whole = { GATEWAY: 'evm', EVM_XPUB, EVM_NETWORKS_FILE: 'networks.json' }
  const { gateway, evm_xpub, kraken_url } = readSettings(whole)
  assert.deepEqual([gateway, evm_xpub, kraken_url], ['evm', EVM_XPUB, 'https://api.kraken.com'])
  const secret = `prv${'2'.repeat(107)}`
  for (const wrong of [
    { EVM_XPUB: '' },
    { EVM_XPUB: `x${secret}` },
    { EVM_XPUB: `y${secret}` },
    { EVM_XPUB: 'xpub' },
    { EVM_NETWORKS_FILE: '' },
    { GATEWAY: '' },
    { KRAKEN_URL: 'http://api.kraken.com' },
  ])
    assert.throws(
      () => readSettings({ ...whole, ...wrong }),
      (error) => error instanceof SettingError && !error.message.includes(secret),
    )
})

describe('NAME_FILE in place of NAME', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-secrets-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (text: string) => {
    const path = join(folder, `secret-${text.length}`)
    writeFileSync(path, text)
    return path
  }

  test('gives any setting, without the line break at its end', () => {
    const { smtp_url } = readSettings({ SMTP_URL_FILE: fileOf('smtps://u:p@mail.example\n') })
    assert.equal(smtp_url, 'smtps://u:p@mail.example')
    assert.equal(readSettings({ SMTP_URL_FILE: '' }).smtp_url, null)
    assert.equal(readCallSettings({ API_KEY_FILE: fileOf('op_key\r\n') }).token, 'op_key')
  })

  test('is rejected when the file is empty: an unset key would be regenerated silently', () => {
    for (const text of ['', '\n', ' \r\n'])
      assert.throws(
        () => readSettings({ ENCRYPTION_KEY_FILE: fileOf(text) }),
        (error) =>
          error instanceof SettingError &&
          /ENCRYPTION_KEY_FILE names an empty file/.test(error.message),
      )
  })

  test('gives what the registries file and the identity providers name', () => {
    const { variable, sso_providers } = readSettings({
      EPP_PASSWORD_FILE: fileOf('hush'),
      SSO_PROVIDERS: 'google',
      SSO_GOOGLE_CLIENT_ID: 'id',
      SSO_GOOGLE_CLIENT_SECRET_FILE: fileOf('secret of the client'),
    })
    assert.equal(variable('EPP_PASSWORD'), 'hush')
    assert.equal(variable('EPP_USER'), undefined)
    assert.equal(sso_providers[0]?.client_secret, 'secret of the client')
    const unlisted = { SSO_GOOGLE_CLIENT_SECRET_FILE: fileOf('hush') }
    assert.throws(() => readSettings(unlisted), /SSO_PROVIDERS does not list/)
  })

  test('is refused beside NAME, and where the file cannot be read, without its content', () => {
    const SMTP_URL_FILE = fileOf('smtp://hush')
    assert.throws(
      () => readSettings({ SMTP_URL: 'smtp://a', SMTP_URL_FILE }),
      /SMTP_URL is set, and so is SMTP_URL_FILE/,
    )
    for (const path of [join(folder, 'none'), folder])
      assert.throws(
        () => readSettings({ OPERATOR_KEY_FILE: path }),
        (error) =>
          error instanceof SettingError &&
          error.message.startsWith(`OPERATOR_KEY_FILE names a file that cannot be read: ${folder}`),
      )
    assert.throws(
      () => readSettings({ OPERATOR_KEY_FILE: fileOf('hush') }),
      (error) => error instanceof SettingError && !error.message.includes('hush'),
    )
  })

  test('is no name of another setting', () => {
    const names = documentedSettings().map(({ name }) => name)
    assert.ok(names.includes('REGISTRIES_FILE'))
    assert.deepEqual(
      names.filter((name) => names.includes(`${name}_FILE`)),
      [],
    )
  })
})

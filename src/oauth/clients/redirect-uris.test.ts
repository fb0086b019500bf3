// Validation of redirect URIs, and their comparison in the library.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { webPath, webUrl } from '../../kit/arbitrary-text.fixture.ts'
import { loadLibrary } from '../shared/load-oidc-provider.ts'
import { maxUriLength, parseRedirectUri } from './redirect-uris.ts'

function whyNot(uri: unknown): string {
  const result = parseRedirectUri(uri)
  return result.kind === 'refused' ? result.why : ''
}

test('the callbacks of well-known clients are accepted unchanged', () => {
  const known = {
    'https://claude.ai/api/mcp/auth_callback': 'web',
    'https://vscode.dev/redirect': 'web',
    'https://example.com': 'web',
    'https://example.com:8443/cb?tenant=1': 'web',
    'https://xn--bcher-kva.example/cb': 'web',
    'http://localhost/': 'loopback',
    'http://127.0.0.1:33418': 'loopback',
    'http://localhost:6274/oauth/callback': 'loopback',
    'http://[::1]:8080/cb': 'loopback',
    'cursor://anysphere.cursor-retrieval/oauth/user-abc/callback': 'private_use',
    'vscode://saoudrizwan.claude-dev/auth': 'private_use',
    'com.example.app:/oauth2redirect': 'private_use',
    'vscode-insiders://vscode.github-authentication/did-authenticate': 'private_use',
    'windsurf://codeium.windsurf/oauth/callback': 'private_use',
    'claude://oauth/callback': 'private_use',
    'zed://oauth/callback': 'private_use',
    'goose://oauth/callback': 'private_use',
    'raycast://oauth?package_name=Extension': 'private_use',
    'jetbrains://idea/oauth/callback': 'private_use',
    'x-github-client://oauth': 'private_use',
    'httpie://oauth': 'private_use',
    'teleport://oauth': 'private_use',
    'com.openai.chat://auth': 'private_use',
    'msgmail.example:/cb': 'private_use',
    'https://192.0.2.7/cb': 'web',
    'https://[2001:db8::7]:8443/cb': 'web',
  }
  for (const [uri, kind] of Object.entries(known))
    assert.deepEqual(parseRedirectUri(uri), { kind, uri }, uri)
})

test('URIs that run, open or read something in a browser are rejected', () => {
  for (const uri of [
    'javascript:alert(1)//',
    'JavaScript://%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'vbscript:x',
    'view-source:https://example.com/',
    'about:/blank',
    'filesystem:https://example.com/x',
    'intent://scan/',
    'ms-msdt:/id',
    'search-ms:/query',
    'mailto:/a',
    'ftp://example.com/',
    'ws://localhost/',
    'chrome-extension://abc/cb',
  ])
    assert.notEqual(whyNot(uri), '', uri)
})

test('schemes of pages, calls, payments and common apps are rejected', () => {
  for (const scheme of [
    ...['search', 'search-ms', 'ms-settings', 'ms-word', 'ms-appinstaller', 'microsoft-edge'],
    ...['microsoft-edge-holographic', 'edge', 'chrome', 'googlechrome', 'googlechromes'],
    ...['chrome-untrusted', 'firefox', 'firefox-focus', 'x-safari-https', 'x-web-search', 'opera'],
    ...['moz-extension', 'safari', 'safari-web-extension', 'brave', 'vivaldi', 'shttp'],
    ...['web+x', 'ext+container', 'android-app', 'content', 'intent', 'intents', 'market', 'apk'],
    ...['itms-services', 'itms-apps', 'itmss', 'shortcuts', 'x-apple.systempreferences'],
    ...['prefs', 'app-settings', 'webcal', 'workflow', 'x-callback-url', 'help', 'hcp', 'shell'],
    ...['applescript', 'jscript', 'livescript', 'mocha', 'view-source', 'viewsource', 'jar', 'res'],
    ...['tel', 'telprompt', 'sms', 'mailto', 'facetime', 'skype', 'tg', 'whatsapp', 'zoommtg'],
    ...['msteams', 'sgnl', 'callto', 'sip', 'steam', 'bitcoin', 'ethereum', 'upi', 'otpauth'],
    ...['git', 'git+ssh', 'svn+ssh', 'ssh', 'sftp', 'smb', 'ldap', 'rdp', 'vnc', 'magnet', 'about'],
  ]) {
    assert.match(whyNot(`${scheme}://x/cb`), /not an app's own/, scheme)
    assert.match(whyNot(`${scheme.toUpperCase()}:/cb`), /not an app's own/, scheme)
  }
})

test('a host is a host name or an IP address', () => {
  for (const uri of [
    'https://client.example;script-src/cb',
    'https://a,b.example/cb',
    "https://client.example'/cb",
    'https://client.example./cb',
    'https://a_b.example/cb',
    'cursor://a;b/cb',
    "cursor://a'b/cb",
  ])
    assert.match(whyNot(uri), /place/, uri)
})

test('each problem of a URI has a message of its own', () => {
  const wrong: Record<string, RegExp> = {
    'http://example.com/cb': /uses http/,
    'http://127.0.0.2/cb': /uses http/,
    'http://localhost.evil.test/cb': /uses http/,
    'http://127.0.0.1.evil.test/cb': /uses http/,
    'https://localhost/cb': /loopback/,
    'https://*.example.com/cb': /wildcard/,
    'app://*/cb': /wildcard/,
    'https://user@example.com/cb': /names a user/,
    'https://@example.com/cb': /names a user/,
    'cursor://user:pass@host/cb': /names a user/,
    'https://example.com/cb#x': /fragment/,
    'https://example.com/cb#': /fragment/,
    'https://example.com\\@evil.test/': /RFC 3986/,
    'https://example.com/c b': /RFC 3986/,
    'https://example.com/"><b>': /RFC 3986/,
    'https://bücher.example/': /RFC 3986/,
    'https://example.com/a/../cb': /normal form, https:\/\/example\.com\/cb/,
    'https://example.com/a/%2e%2e/cb': /normal form/,
    'https://EXAMPLE.com/cb': /normal form/,
    'HTTPS://example.com/cb': /normal form/,
    'https://example.com:443/cb': /normal form/,
    'https:example.com/cb': /normal form/,
    'https:///example.com/cb': /normal form/,
    'http://0x7f.1/cb': /normal form, http:\/\/127\.0\.0\.1\/cb/,
    'http://2130706433/cb': /normal form/,
    'Cursor://host/cb': /normal form/,
    'app:callback': /slash/,
    'no scheme': /RFC 3986/,
    '/relative': /RFC 3986/,
    '': /not a text/,
    [`https://example.com/${'a'.repeat(maxUriLength)}`]: /longer/,
  }
  for (const [uri, words] of Object.entries(wrong)) assert.match(whyNot(uri), words, uri)
  assert.match(whyNot(7), /not a text/)
  assert.match(whyNot(null), /not a text/)
})

test('the messages are valid in error_description', () => {
  fc.assert(
    fc.property(uris, (uri) => {
      assert.match(whyNot(uri), /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/)
    }),
  )
})

const scheme = fc.oneof(
  fc.constantFrom('http', 'https', 'javascript', 'data', 'file', 'blob', 'vbscript', 'about'),
  fc.constantFrom('JavaScript', 'HTTP', 'java\tscript', ' javascript', 'cursor', 'com.example.app'),
  fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9+.-]{0,12}$/),
)
const host = fc.oneof(
  fc.constantFrom('localhost', '127.0.0.1', '[::1]', '0x7f.1', '2130706433', '127.1', '127.0.0.2'),
  fc.constantFrom('localhost.', 'LOCALHOST', 'localhost.evil.test', 'evil.test', '*.evil.test', ''),
  fc.constantFrom('user@localhost', 'localhost@evil.test', 'localhost:1@evil.test', 'ⓛocalhost'),
  fc.domain(),
  fc.ipV4(),
)
const separator = fc.constantFrom('://', ':/', ':', ':///', ':\\\\', '://\t', '&#58;//')
const port = fc.oneof(
  fc.constant(''),
  fc.nat(70_000).map((number) => `:${number}`),
)
const tail = fc.oneof(
  fc.constantFrom('', '/', '/cb', '/../x', '/%2e%2e/', '#', '#x', '?a=b', '/\\x', '/ x', '/\u202e'),
  webPath(),
  fc.string({ maxLength: 20 }),
)
const uris = fc.oneof(
  fc.tuple(scheme, separator, host, port, tail).map((parts) => parts.join('')),
  webUrl(),
  fc.string(),
)
const dangerous = new Set(['javascript:', 'data:', 'file:', 'blob:', 'vbscript:', 'about:'])
const isLoopback = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

test('no accepted URI has a dangerous scheme, or is http to another machine', () => {
  let count = 0
  fc.assert(
    fc.property(uris, (uri) => {
      if (parseRedirectUri(uri).kind === 'refused') return
      count += 1
      const url = new URL(uri)
      assert.ok(!dangerous.has(url.protocol), uri)
      assert.ok(url.protocol !== 'http:' || isLoopback(url.hostname), uri)
      assert.ok(uri.startsWith(url.protocol), uri)
      assert.equal(url.username + url.password + url.hash, '', uri)
      assert.ok(!/[#@\\\s<>"*]/.test(`${url.host}${uri.includes('#') ? '#' : ''}`), uri)
      // A browser goes to the displayed address.
      assert.ok(url.href === uri || url.href === `${uri}/`, uri)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(count > 100, 'some are accepted')
})

const reservedSchemes = fc
  .sample(uris, 5_000)
  .filter((uri) => parseRedirectUri(uri).kind !== 'refused')
const web = 'https://app.example.com/cb'
const loopback = 'http://127.0.0.1:3000/cb'
const webPort = 'https://app.example.com:8443/cb'
const own = 'cursor://host:1/cb'
const { Provider } = loadLibrary(pino({ level: 'silent' }))
// One library for all: it has a client for each redirect URI, named after it.
const provider = new Provider('https://as.example', {
  features: { devInteractions: { enabled: false } },
  clients: [...new Set([...reservedSchemes, web, loopback, webPort, own])].map((uri) => ({
    client_id: idOf(uri),
    redirect_uris: [uri],
    token_endpoint_auth_method: 'none',
    application_type: parseRedirectUri(uri).kind === 'web' ? 'web' : 'native',
  })),
})

function idOf(uri: string): string {
  return Buffer.from(uri).toString('hex')
}

/** oidc-provider's own client with this redirect URI, as it is found at an authorization. */
async function clientWith(uri: string) {
  const client = await provider.Client.find(idOf(uri))
  assert.ok(client, uri)
  return client
}

test('the library accepts every URI that we accept, and compares it equal', async () => {
  assert.ok(reservedSchemes.length > 50)
  for (const uri of reservedSchemes) assert.ok((await clientWith(uri)).redirectUriAllowed(uri), uri)
})

test('except on loopback, URIs are compared exactly', async () => {
  const client = await clientWith(web)
  assert.ok(client.redirectUriAllowed('https://app.example.com/cb'))
  for (const other of [
    'https://app.example.com/cb/',
    'https://app.example.com/CB',
    'https://app.example.com/cb?x=1',
    'https://app.example.com/cb?',
    'https://app.example.com/cb#x',
    'https://app.example.com/%63b',
    'https://app.example.com/x/%2e%2e/cb',
    'https://app.example.com/./cb',
    'https://APP.example.com/cb',
    'https://app.example.com./cb',
    'https://user@app.example.com/cb',
    'https://x.app.example.com/cb',
    'https://example.com/cb',
    'https://app.example.com.evil.test/cb',
    'https://app.example.com:443/cb',
    'https://app.example.com:8443/cb',
    'http://app.example.com/cb',
    'https:/app.example.com/cb',
    'https://app.example.com\\cb',
    'https://evil.test\\@app.example.com/cb',
    ' https://app.example.com/cb',
  ])
    assert.ok(!client.redirectUriAllowed(other), other)
})

test('on loopback only the port may vary', async () => {
  const client = await clientWith(loopback)
  for (const same of [
    'http://127.0.0.1:3000/cb',
    'http://127.0.0.1:61234/cb',
    'http://127.0.0.1/cb',
  ])
    assert.ok(client.redirectUriAllowed(same), same)
  for (const other of [
    'http://localhost:3000/cb',
    'http://[::1]:3000/cb',
    'http://127.0.0.2:3000/cb',
    'http://127.1:3000/cb',
    'http://0x7f.1:3000/cb',
    'http://2130706433:3000/cb',
    'http://127.0.0.1.evil.test:3000/cb',
    'http://localhost.evil.test/cb',
    'https://127.0.0.1:3000/cb',
    'http://127.0.0.1:3000/cb/',
    'http://127.0.0.1:3000/CB',
    'http://127.0.0.1:3000/cb?x=1',
    'http://127.0.0.1:3000/cb#x',
    'http://user@127.0.0.1:3000/cb',
    'http://127.0.0.1:3000@evil.test/cb',
    'http://127.0.0.1:3000\\@evil.test/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:3000/%2e/cb',
  ])
    assert.ok(!client.redirectUriAllowed(other), other)
})

test('the port of an https or a private-use URI may not vary', async () => {
  const withPort = await clientWith(webPort)
  assert.ok(!withPort.redirectUriAllowed('https://app.example.com:8444/cb'))
  const privateUse = await clientWith(own)
  assert.ok(!privateUse.redirectUriAllowed('cursor://host:2/cb'))
})

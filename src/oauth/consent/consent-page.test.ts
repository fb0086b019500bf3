// The consent page: client metadata stays text, and everything the owner needs to decide is shown.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { holdsScope, scopes } from '../../app.ts'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { continuePage, expiredPage } from '../interaction/notice-pages.ts'
import { limitedProblem, problemOf } from '../interaction/problems.ts'
import {
  offeredPresets,
  requestedScopesOf,
  scopeDescription,
  scopesOfPreset,
  selectedByDefault,
} from '../interaction/scope-descriptions.ts'
import { type LogInView, logInPage } from '../log-in/log-in-page.ts'
import { identityScopes } from '../provider/audiences.ts'
import { destinationOf, displayClient } from '../shared/display-name.ts'
import { type ConsentView, consentPage } from './consent-page.ts'
import { appConnectedEmail } from './emails.ts'

const asked = requestedScopesOf(scopes.join(' '))
const chosen = { spend: { amount: '50.00', currency: 'USD', window: 'month' }, dns: null }
const grant = { id: 'g', redirect_host: 'x.example', scopes: [], spend: null, dns: null }
const usual: ConsentView = {
  interaction: 'uid-1',
  csrf: 'token-1',
  registrar: 'registrar.example',
  client: displayClient({ client_id: 'abc', client_name: 'Claude' }),
  destination: destinationOf('http://127.0.0.1:4711/callback'),
  resources: ['https://registrar.example/mcp'],
  selectable: asked.selectable,
  held: null,
  kept: [],
  selection: { preset: 'buy', scopes: selectedByDefault(asked), ...chosen },
  signed_in: { email: 'ada@example.net', balances: ['100.00 USD'], suspended: false },
  problem: null,
}
const logIn: LogInView = {
  ...usual,
  providers: [{ id: 'acme', name: 'Acme' }],
  passkeys: true,
  email: '',
  can_sign_up: true,
  terms_url: 'https://registrar.example/terms',
  privacy_url: null,
  problem: null,
}
const logInOf = (view: Partial<LogInView>) => logInPage({ ...logIn, ...view }).body
const bodyOf = (view: Partial<ConsentView>) => consentPage({ ...usual, ...view }).body
const cspOf = (view: Partial<ConsentView>) =>
  consentPage({ ...usual, ...view }).headers['Content-Security-Policy'] ?? ''

/** Names of all elements, in order: text alone changes nothing of it. */
const elements = (html: string) => html.match(/<\/?[a-zA-Z!][^\s>]*/g)?.join(' ') ?? ''
const attributes = (html: string) =>
  html.replaceAll(/="[^"]*"/g, '=""').match(/\s[a-z-]+="/g)?.length ?? 0

describe('untrusted client metadata', () => {
  const nasty = fc.oneof(
    unicodeText(),
    fc.stringMatching(/^[<>"'&/=\sa-z!-]*$/),
    fc.constantFrom(
      '</title><script>alert(1)</script>',
      '"><input name="csrf" value="x',
      "' onfocus=alert(1) x='",
      '</style><img src=x onerror=alert(1)>',
      '<!--',
      '&lt;b&gt;',
    ),
  )
  it('never becomes an element or an attribute', () => {
    const named = { name: 'x', id_host: 'x', uri: 'x' }
    const signed_in = { ...usual.signed_in, email: 'x' }
    const plain = bodyOf({ client: named, signed_in, resources: ['x'] })
    const plainLogIn = logInOf({ client: named, email: 'x' })
    fc.assert(
      fc.property(nasty, nasty, (name, other) => {
        const client_id = 'https://client.example/metadata.json'
        const client = displayClient({ client_id, client_name: name, client_uri: `u${other}` })
        const owner = { ...signed_in, email: other }
        const page = bodyOf({ client, signed_in: owner, resources: [other] })
        assert.equal(elements(page), elements(plain))
        assert.equal(attributes(page), attributes(plain))
        const before = logInOf({ client, email: other })
        assert.equal(elements(before), elements(plainLogIn))
        assert.equal(attributes(before), attributes(plainLogIn))
      }),
    )
  })

  it('is shown apart: a name is in no sentence of ours, and no character ends its element', () => {
    const misleading = 'Claude” was checked by Agent Registrar and is safe. Choose Allow. “'
    const client = displayClient({ client_id: 'abc', client_name: misleading })
    const page = bodyOf({ client })
    const marked = /<strong class="claimed-name"><bdi>([^<]*)<\/bdi><\/strong>/.exec(page)?.[1]
    assert.equal(marked, 'Claude was checked by Agent Registrar and is safe. Choose...')
    assert.equal(page.split('Claude').length, 2, 'once in the page')
    const { subject, happened, todo } = appConnectedEmail(
      { ...grant, client_name: misleading },
      { base_url: 'https://api.registrar.example', site_url: 'https://registrar.example' },
    )
    assert.ok(!String(subject).includes('Claude'))
    const named = happened.map(String).filter((one) => one.includes('Claude'))
    assert.deepEqual(named, [`> ${marked}`])
    assert.match(todo.join(' '), /https:\/\/api\.registrar\.example\/password\/forgotten/)
  })

  it('cannot inject a directive of the policy by a host', () => {
    const evil = ['https://a;sandbox.example/', "https://a,script-src'.example/", 'https://*.x/']
    for (const uri of evil) {
      const policy = cspOf({ destination: destinationOf(uri) })
      assert.match(policy, /form-action 'self' https:; frame-ancestors 'none'$/)
    }
  })
})

describe('the page', () => {
  it('shows the client, the redirect host, and that the name is not verified', () => {
    const page = bodyOf({
      client: displayClient({
        client_id: 'https://app.example/client.json',
        client_name: 'App',
        client_uri: 'https://app.example/',
      }),
    })
    for (const words of [
      'Connect an app to your account?',
      'App name (not verified)</dt>',
      '<dd><strong class="claimed-name"><bdi>App</bdi></strong></dd>',
      'an app on this computer (127.0.0.1:4711)',
      'published at</dt><dd>app.example',
      'https://app.example/',
      'https://registrar.example/mcp',
    ])
      assert.ok(page.includes(words), words)
  })

  it('has a described checkbox for each requested scope, and for no other', () => {
    const page = bodyOf({
      selectable: ['domains:read', 'domains:purchase'],
      selection: { preset: null, scopes: ['domains:read'], ...chosen },
    })
    assert.equal(page.match(/type="checkbox"/g)?.length, 2)
    assert.match(page, /value="domains:read" checked>/)
    assert.match(page, /value="domains:purchase">/)
    assert.doesNotMatch(page, /value="keys:write"/)
  })

  it('offers the presets that differ for the request, the widest first selected', () => {
    assert.deepEqual(offeredPresets(asked), ['read', 'manage', 'buy', 'dns'])
    const offered = (scope: string) => offeredPresets(requestedScopesOf(scope)).join()
    assert.equal(offered('domains:read contacts:read openid'), 'read')
    assert.equal(offered('domains:read dns:write'), 'read,manage')
    assert.equal(offered('keys:write'), '')
    const page = bodyOf({})
    assert.equal(page.match(/type="radio"/g)?.length, 5)
    assert.match(page, /value="buy" checked>/)
    const some = requestedScopesOf('domains:read domains:write')
    assert.deepEqual(scopesOfPreset(some, 'read'), ['domains:read'])
  })

  it('shows the spending limit, and the balance only where it can be spent', () => {
    const page = bodyOf({})
    assert.match(page, /does so without asking you again, up to the\nspending limit below/)
    assert.match(page, /name="spend_amount" value="50\.00"/)
    assert.match(page, /Your balance is 100\.00 USD/)
    assert.doesNotMatch(bodyOf({ selectable: ['domains:read'] }), /100\.00|spend_amount/)
  })

  it('describes the costs of each scope that spends the balance', () => {
    const wordsOf = (scope: string) => scopeDescription(scope)?.words ?? ''
    const buying = wordsOf('domains:purchase')
    for (const word of [/register/, /renew/, /restore/, /transfer/, /from your balance/])
      assert.match(buying, word)
    // Automatic renewal pays later, without another prompt.
    assert.match(buying, /renew, also automatically/)
  })

  it('asks for a password before, and shows the logged-in account', () => {
    const anonymous = logInOf({ email: 'ada@example.net' })
    assert.match(anonymous, /name="email" value="ada@example\.net"/)
    assert.match(anonymous, /name="password"/)
    assert.doesNotMatch(anonymous, /name="scope"|value="allow"/)
    const known = bodyOf({ signed_in: { ...usual.signed_in, suspended: true } })
    assert.doesNotMatch(known, /type="password"/)
    assert.match(known, /Logged in as <strong>ada@example\.net/)
    assert.match(known, /value="switch"/)
    assert.match(known, /suspended\. The app can read it, but\scannot change it/)
  })
})

describe('the page of a connected app', () => {
  it('names what is new for a connected app, and offers it without selecting it', () => {
    const held = ['domains:read', 'domains:write']
    const selectable = [...held, 'domains:transfer']
    const selection = { preset: 'none', scopes: held, ...chosen } as const
    const page = bodyOf({ held, selectable, selection })
    assert.match(page, /connected\. It requests these new permissions:<\/p>\n<ul><li>Transfer your/)
    assert.match(page, /value="extend" required>/)
    assert.match(page, /value="keep" required>/)
    assert.doesNotMatch(page, /type="radio"[^>]* checked/)
    const kept = { preset: 'keep', scopes: held, ...chosen } as const
    const same = { held, selectable: held, selection: kept }
    assert.match(bodyOf(same), /requests nothing new/)
    assert.match(bodyOf(same), /value="keep" checked required>/)
    assert.doesNotMatch(bodyOf(same), /value="extend"/)
  })
})

describe('the form', () => {
  it('shows the terms beside everything that may create an account', () => {
    const terms = /creates an account, you accept the <a href="https:\/\/registrar\.example\/terms"/
    assert.match(logInOf({}), terms)
    for (const view of [{ providers: [] }, { can_sign_up: false }, { terms_url: null }])
      assert.doesNotMatch(logInOf(view), /you accept/)
  })

  it('has its boxes beside the presets, where every browser can show them for "custom" alone', () => {
    const fieldset = /<fieldset>(.*)<\/fieldset>/s.exec(bodyOf({}))?.[1] ?? ''
    const outer = fieldset.slice(0, fieldset.indexOf('<div class="scopes">'))
    assert.match(outer, /<input type="radio" [^>]*id="preset-custom"/)
    assert.doesNotMatch(outer, /<div|checkbox/)
  })

  it('needs no script, and can be denied with empty fields', () => {
    assert.doesNotMatch(bodyOf({}), /<script/)
    const page = logInOf({})
    for (const one of [page, bodyOf({})]) {
      assert.doesNotMatch(
        one,
        /<script(?! type="module" src="\/assets\/passkey-)|javascript:|\son[a-z]+=/,
      )
      assert.match(one, /value="deny" formnovalidate/)
      assert.match(one, /<html lang="en">/)
    }
    const labelled = [...page.matchAll(/<input type="(?:email|password)" id="(\w+)"/g)]
    assert.equal(labelled.length, 2)
    for (const [, id] of labelled) assert.ok(page.includes(`<label for="${id}">`))
  })

  it('cannot be framed, cached or leaked by Referer, and its form redirects to this client only', () => {
    const { headers } = consentPage(usual)
    assert.equal(headers['X-Frame-Options'], 'DENY')
    assert.equal(headers['Cache-Control'], 'no-store')
    assert.equal(headers['Referrer-Policy'], 'no-referrer')
    assert.match(cspOf({}), /^default-src 'none'; style-src 'self';/)
    assert.match(
      cspOf({}),
      /form-action 'self' http:\/\/127\.0\.0\.1:4711; frame-ancestors 'none'$/,
    )
    assert.match(expiredPage.headers['Content-Security-Policy'] ?? '', /form-action 'none'/)
  })

  it('shows the problem, and how long to wait', () => {
    const wrong = logInPage({ ...logIn, problem: problemOf('wrong', false) })
    assert.equal(wrong.status, 422)
    assert.match(wrong.body, /role="alert">Incorrect email address or password/)
    assert.match(wrong.body, /<title>Error: /)
    const limited = logInPage({ ...logIn, problem: limitedProblem(240.2) })
    assert.equal(limited.status, 429)
    assert.equal(limited.headers['Retry-After'], '241')
    assert.match(limited.body, /Wait 5 minutes/)
    const nothing = consentPage({ ...usual, problem: 'nothing_selected' })
    assert.equal(nothing.status, 422)
    assert.match(nothing.body, /Nothing is selected/)
    assert.match(logInOf({ problem: problemOf('incomplete', false) }), /Enter your email address/)
  })
})

describe('scope descriptions', () => {
  it('exist for every scope that a token may have', () => {
    const all = [...scopes, ...identityScopes]
    const { selectable, implicit } = requestedScopesOf(all.join(' '))
    assert.deepEqual([...selectable, ...implicit].sort(), [...all].sort())
    for (const scope of selectable)
      assert.ok((scopeDescription(scope)?.words.length ?? 0) > 10, scope)
  })

  it('are selected by default except the sensitive ones; unknown scopes are left out', () => {
    const chosen = new Set(selectedByDefault(asked))
    const left = asked.selectable.filter((scope) => !holdsScope(chosen, scope))
    assert.equal(left.join(' '), 'account:write domains:transfer billing:write keys:write')
    assert.deepEqual(
      requestedScopesOf('root domains:read  toString domains:read openid').selectable,
      ['domains:read'],
    )
  })
})

describe('the page that redirects', () => {
  it('redirects at once, and has a link for browsers that do not', () => {
    const { body, status } = continuePage('https://registrar.example/oauth/authorize/u?a="b')
    assert.equal(status, 200)
    const url = 'https://registrar.example/oauth/authorize/u?a=&quot;b'
    assert.ok(body.includes(`<meta http-equiv="refresh" content="0;url=${url}">`))
    assert.ok(body.includes(`<a href="${url}">`))
  })
})

// The page as text: whatever a client says of itself stays text, and everything a person needs to
// decide is there.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { scopes } from '../../app.ts'
import { identityScopes } from '../provider/audiences.ts'
import { destinationOf, displayClient } from '../shared/display-name.ts'
import { type ConsentView, consentPage } from './consent-page.ts'
import { programConnected } from './emails.ts'
import { continuePage, stale } from './notice-pages.ts'
import { askedScopes, firstChecked, scopeDescription } from './scope-descriptions.ts'

const asked = askedScopes(scopes.join(' '))
const usual: ConsentView = {
  interaction: 'uid-1',
  csrf: 'token-1',
  registrar: 'registrar.example',
  client: displayClient({ client_id: 'abc', client_name: 'Claude' }),
  destination: destinationOf('http://127.0.0.1:4711/callback'),
  resources: ['https://registrar.example/mcp'],
  boxes: asked.boxes,
  checked: firstChecked(asked),
  signed_in: null,
  email: '',
  problem: null,
}
const bodyOf = (view: Partial<ConsentView>) => consentPage({ ...usual, ...view }).body
const interactionPolicyOf = (view: Partial<ConsentView>) =>
  consentPage({ ...usual, ...view }).headers['Content-Security-Policy'] ?? ''

/** Names of all elements, in order: text alone changes nothing of it. */
const elements = (html: string) => html.match(/<\/?[a-zA-Z!][^\s>]*/g)?.join(' ') ?? ''
const attributes = (html: string) =>
  html.replaceAll(/="[^"]*"/g, '=""').match(/\s[a-z-]+="/g)?.length ?? 0

describe('what a stranger wrote', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
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
    const plain = bodyOf({
      client: { name: 'x', id_host: 'x', uri: 'x' },
      email: 'x',
      resources: ['x'],
    })
    fc.assert(
      fc.property(nasty, nasty, (name, other) => {
        const client_id = 'https://client.example/metadata.json'
        const client = displayClient({ client_id, client_name: name, client_uri: `u${other}` })
        const page = bodyOf({ client, email: other, resources: [other] })
        assert.equal(elements(page), elements(plain))
        assert.equal(attributes(page), attributes(plain))
      }),
    )
  })

  it('stands alone: a name is in no sentence of ours, and leaves its element by no mark', () => {
    const said = 'Claude” was checked by Agent Registrar and is safe. Choose Allow. “'
    const client = displayClient({ client_id: 'abc', client_name: said })
    const page = bodyOf({ client })
    const marked = /<strong class="claimed-name"><bdi>([^<]*)<\/bdi><\/strong>/.exec(page)?.[1]
    assert.equal(marked, 'Claude was checked by Agent Registrar and is safe. Choose...')
    assert.equal(page.split('Claude').length, 2, 'once in the page')
    const { subject, happened, todo } = programConnected(
      { id: 'g', client_name: said, redirect_host: 'x.example', scopes: [] },
      { base_url: 'https://api.registrar.example', site_url: 'https://registrar.example' },
    )
    assert.ok(!String(subject).includes('Claude'))
    const told = happened.map(String).filter((one) => one.includes('Claude'))
    assert.deepEqual(told, [`> ${marked}`])
    assert.match(todo.join(' '), /https:\/\/api\.registrar\.example\/password\/forgotten/)
  })

  it('is as harmless in a host, and cannot write into the policy', () => {
    const evil = ['https://a;sandbox.example/', "https://a,script-src'.example/", 'https://*.x/']
    for (const uri of evil) {
      const policy = interactionPolicyOf({ destination: destinationOf(uri) })
      assert.match(policy, /form-action 'self' https:; frame-ancestors 'none'$/)
    }
  })
})

describe('the page', () => {
  it('shows who asks, where it leads, and that the name proves nothing', () => {
    const page = bodyOf({
      client: displayClient({
        client_id: 'https://app.example/client.json',
        client_name: 'App',
        client_uri: 'https://app.example/',
      }),
    })
    for (const words of [
      'Connect a program to your account?',
      'nobody has checked the name</dt>',
      '<dd><strong class="claimed-name"><bdi>App</bdi></strong></dd>',
      'a program on this computer (127.0.0.1:4711)',
      'published at</dt><dd>app.example',
      'https://app.example/',
      'https://registrar.example/mcp',
    ])
      assert.ok(page.includes(words), words)
  })

  it('has a box in words for each scope that was asked for, and for no other', () => {
    const page = bodyOf({ boxes: ['domains:read', 'domains:purchase'], checked: ['domains:read'] })
    assert.equal(page.match(/type="checkbox"/g)?.length, 2)
    assert.match(page, /value="domains:read" checked>/)
    assert.match(page, /value="domains:purchase">/)
    assert.doesNotMatch(page, /value="keys:write"/)
  })

  it('says what may be spent, and the balance to its owner alone', () => {
    assert.match(bodyOf({}), /up to the whole balance of your account\.</)
    const signed_in = {
      email: 'ada@example.net',
      balances: ['100.00 USD'],
      suspended: false,
      needs_password: false,
    }
    assert.match(bodyOf({ signed_in }), /at present 100\.00 USD\./)
    assert.doesNotMatch(bodyOf({ signed_in, boxes: ['domains:read'] }), /100\.00/)
  })

  it('says of each scope by which the balance is paid from that it is, and what is bought', () => {
    const wordsOf = (scope: string) => scopeDescription(scope)?.words ?? ''
    const buying = wordsOf('domains:purchase')
    for (const word of [/register/, /renew/, /restore/, /transfer/, /from your balance/])
      assert.match(buying, word)
    // Who turns it on lets the service pay, later and without another question.
    assert.match(wordsOf('domains:write'), /automatic renewal, which is paid from your balance/)
  })

  it('asks for a password where nobody is signed in, and names who is', () => {
    const anonymous = bodyOf({ email: 'ada@example.net' })
    assert.match(anonymous, /name="email" value="ada@example\.net"/)
    assert.match(anonymous, /name="password"/)
    const signed_in = {
      email: 'ada@example.net',
      balances: [],
      suspended: true,
      needs_password: false,
    }
    const known = bodyOf({ signed_in })
    assert.doesNotMatch(known, /type="password"/)
    assert.match(known, /Signed in as <strong>ada@example\.net/)
    assert.match(known, /value="switch"/)
    assert.match(known, /suspended: it can be read, not changed/)
  })
})

describe('the form', () => {
  it('needs no script, and can be denied with empty fields', () => {
    const page = bodyOf({})
    assert.doesNotMatch(page, /<script|javascript:|\son[a-z]+=/)
    assert.match(page, /value="deny" formnovalidate/)
    assert.match(page, /<html lang="en">/)
    const labelled = [...page.matchAll(/<input type="(?:email|password)" id="(\w+)"/g)]
    assert.equal(labelled.length, 2)
    for (const [, id] of labelled) assert.ok(page.includes(`<label for="${id}">`))
  })

  it('cannot be framed, kept or sent on, and its form leads to this client alone', () => {
    const { headers } = consentPage(usual)
    assert.equal(headers['X-Frame-Options'], 'DENY')
    assert.equal(headers['Cache-Control'], 'no-store')
    assert.equal(headers['Referrer-Policy'], 'no-referrer')
    assert.match(interactionPolicyOf({}), /^default-src 'none'; style-src 'sha256-[^']+';/)
    assert.match(
      interactionPolicyOf({}),
      /form-action 'self' http:\/\/127\.0\.0\.1:4711; frame-ancestors 'none'$/,
    )
    assert.match(stale.headers['Content-Security-Policy'] ?? '', /form-action 'none'/)
  })

  it('says what went wrong, and how long to wait', () => {
    const wrong = consentPage({ ...usual, problem: { kind: 'wrong' } })
    assert.equal(wrong.status, 422)
    assert.match(wrong.body, /role="alert">The e-mail address and the password do not fit/)
    assert.match(wrong.body, /<title>Error: /)
    const limited = consentPage({ ...usual, problem: { kind: 'limited', retry_after_s: 240.2 } })
    assert.equal(limited.status, 429)
    assert.equal(limited.headers['Retry-After'], '241')
    assert.match(limited.body, /wait 5 minutes/)
    const [nothing, incomplete] = (['nothing_checked', 'incomplete'] as const).map((kind) =>
      consentPage({ ...usual, problem: { kind } }),
    )
    assert.match(nothing?.body ?? '', /Nothing is checked/)
    assert.match(incomplete?.body ?? '', /give the e-mail address and the password/)
  })
})

describe('scopes in words', () => {
  it('are there for every scope that a token may carry', () => {
    const all = [...scopes, ...identityScopes]
    const { boxes, silent } = askedScopes(all.join(' '))
    assert.deepEqual([...boxes, ...silent].sort(), [...all].sort())
    for (const scope of boxes) assert.ok((scopeDescription(scope)?.words.length ?? 0) > 10, scope)
  })

  it('are all checked but the powerful ones; unknown ones are left out', () => {
    assert.deepEqual(
      asked.boxes.filter((scope) => !firstChecked(asked).includes(scope)),
      ['account:write', 'domains:transfer', 'billing:write', 'keys:write'],
    )
    assert.deepEqual(askedScopes('root domains:read  toString domains:read openid').boxes, [
      'domains:read',
    ])
  })
})

describe('the page that leads on', () => {
  it('goes there by itself, and shows the way to who has to go by hand', () => {
    const { body, status } = continuePage('https://registrar.example/oauth/authorize/u?a="b')
    assert.equal(status, 200)
    const url = 'https://registrar.example/oauth/authorize/u?a=&quot;b'
    assert.ok(body.includes(`<meta http-equiv="refresh" content="0;url=${url}">`))
    assert.ok(body.includes(`<a href="${url}">`))
  })
})

// The HTML part of mails: same contents as the text, everything of others escaped, nothing loaded.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { Html } from '../../kit/html.ts'
import { emailDocument, emailHtml } from './email-html.ts'
import { type EmailMessage, emailText, footerText } from './email-template.ts'
import { button, code, item, link, paragraph, quote, words } from './index.ts'

const url = 'https://registrar.example/dashboard/sign-up/verify#token=sgt_0'

const messageOf = (others: string): EmailMessage => ({
  kind: 'test',
  dedupe_key: 'test:1',
  subject: words`About ${others}`,
  happened: [
    paragraph(words`The key ${others} is new.`, words`Contact us: ${link('https://a.example')}`),
    code('012345'),
    quote(others),
    item(words`See ${others}`),
    item(words`Change it`),
  ],
  todo: [button(words`Open this link`, url)],
})
const footer = { site_url: 'https://a.example', abuse_contact: 'abuse@a.example', is_owner: true }
const documentOf = (others: string, name: string | null = others) => {
  const body = new Html(emailHtml(messageOf(others), name))
  return emailDocument({ subject: others, body, footer })
}
/** The elements, without what is between them. */
const elementsOf = (html: string) => (html.match(/<\/?[a-z0-9]+/g) ?? []).join(' ')

describe('the HTML of a mail', () => {
  it("has no element and no attribute of others' text", () => {
    const plain = documentOf('x')
    const attributes = (html: string) => html.match(/ [a-z-]+="/g)?.length
    const evil = fc.constantFrom('"><img src=https://e.example/x>', "' onclick='x", '&lt;b>', '-->')
    fc.assert(
      fc.property(fc.oneof(unicodeText({ maxLength: 300 }), evil), (text) => {
        const html = documentOf(text)
        assert.equal(elementsOf(html), elementsOf(plain))
        assert.equal(attributes(html), attributes(plain))
      }),
    )
  })

  it('loads nothing, has no style element, and links to nothing but our own URLs', () => {
    const html = documentOf('https://evil.example/')
    assert.doesNotMatch(html, /<(img|link|style|script|table|form|iframe)\b|url\(|@import/i)
    const links = [...html.matchAll(/(href|src)="([^"]*)"/g)].map(([, , target]) => target)
    assert.deepEqual(new Set(links), new Set([url, 'https://a.example']))
  })

  it('shows the code, and the link both as a button and in writing', () => {
    const html = documentOf('x')
    assert.match(html, />012345<\/p>/)
    assert.match(html, new RegExp(`<a href="${url}"[^>]*>Open this link</a>`))
    assert.match(html, new RegExp(`<a href="${url}"[^>]*>${url}</a>`))
    assert.equal(html.match(/<ul/g)?.length, 1, 'items that follow each other are one list')
  })

  it('says why it was sent', () => {
    const body = new Html('')
    const unknown = { ...footer, is_owner: false }
    for (const text of [documentOf('x'), footerText(footer)])
      assert.match(text, /because you have an account there/)
    for (const text of [
      emailDocument({ subject: 'S', body, footer: unknown }),
      footerText(unknown),
    ])
      assert.match(text, /because this address was entered there/)
  })
})

describe('the plain text of a mail', () => {
  it('has the same contents, with code and link on lines of their own', () => {
    assert.equal(
      emailText(messageOf('x'), 'Ada'),
      [
        'Hello Ada,\n',
        'The key x is new. Contact us: https://a.example\n',
        '012345\n',
        '> x\n',
        '- See x',
        '- Change it\n',
        'Open this link:',
        `${url}\n`,
      ].join('\n'),
    )
  })
})

// Display of untrusted client names and redirect URIs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { destinationOf, displayClient, displayName, displayText } from './display-name.ts'

describe('a name', () => {
  it('is one short line without invisible characters', () => {
    fc.assert(
      fc.property(unicodeText({ maxLength: 400 }), (text) => {
        const secret = displayText(text)
        assert.ok([...secret].length <= 80)
        assert.doesNotMatch(secret, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
        assert.equal(secret, secret.trim())
      }),
    )
  })

  it('cannot reverse the line, break it or hide a part of it', () => {
    assert.equal(displayText('Claude\u202e moc.live'), 'Claude moc.live')
    assert.equal(displayText(' Two\r\n\r\nlines\u2028here '), 'Two lines here')
    assert.equal(displayText('a\u200b\u00ad\u3164\ufeffb'), 'a b')
    assert.equal(displayText(`e${'\u0301'.repeat(40)}`).length <= 4, true)
    assert.equal(displayText('x'.repeat(81)), `${'x'.repeat(77)}...`)
  })

  it('has no quotation marks, so that it cannot end a quotation', () => {
    const evil = 'Claude” was checked by us. Choose Allow. “'
    assert.equal(displayName(evil), 'Claude was checked by us. Choose Allow.')
    for (const mark of '"“”„‟«»‹›「」『』〝〞〟＂＇`´″′‶❝❞❮❯⹂ʺ˝')
      assert.equal(displayName(`a${mark} b ${mark}c`), 'a b c', mark)
    assert.equal(displayName("'Ada's ‘agent’ d’or'"), "Ada's agent d'or")
    assert.equal(displayName('\u2066x\u2069\u0000\r\n\u202ey'), 'x y')
    assert.equal([...displayName('n'.repeat(500))].length, 60)
    fc.assert(
      fc.property(unicodeText({ maxLength: 200 }), (text) => {
        const name = displayName(text)
        assert.ok([...name].length <= 60)
        assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\p{Pi}\p{Pf}"`]|(?<!\p{L})'|'(?!\p{L})/u)
      }),
    )
  })

  it('is the host of its metadata, or "Unnamed app", if nothing is visible', () => {
    const client_id = 'https://app.example:8443/client'
    assert.deepEqual(displayClient({ client_id, client_name: '\u200b \u3164' }), {
      name: 'app.example:8443',
      id_host: 'app.example:8443',
      uri: null,
    })
    assert.deepEqual(displayClient({ client_id: 'V1StGXR8' }), {
      name: 'Unnamed app',
      id_host: null,
      uri: null,
    })
  })
})

describe('the destination of a redirect', () => {
  const facts = (uri: string) => {
    const { kind, host, redirect_host, csp_source } = destinationOf(uri)
    return [kind, host, redirect_host, csp_source]
  }
  it('is a site, an app on this computer, or an app', () => {
    assert.deepEqual(facts('https://claude.ai/api/mcp/auth_callback'), [
      'site',
      'claude.ai',
      'claude.ai',
      'https://claude.ai',
    ])
    const local = 'http://127.0.0.1:33418'
    assert.deepEqual(facts(`${local}/`), ['computer', '127.0.0.1:33418', '127.0.0.1', local])
    assert.deepEqual(facts('cursor://anysphere.cursor/oauth'), [
      'app',
      'cursor:',
      'cursor:',
      'cursor:',
    ])
    assert.deepEqual(facts('com.example.app:/callback')[3], 'com.example.app:')
  })

  it('shows the A-labels of an internationalised host', () => {
    assert.equal(facts('https://сlaude.ai/')[1], 'xn--laude-0ye.ai')
  })

  it('has a policy source also for hosts that a policy cannot contain', () => {
    assert.deepEqual(facts('http://[::1]:4711/cb'), ['computer', '[::1]:4711', '[::1]', 'http:'])
  })

  it('truncates a host to the stored length', () => {
    const host = `${'a'.repeat(60)}.`.repeat(4).concat('example')
    assert.ok((facts(`https://${host}/`)[2] ?? '').length <= 300)
  })
})

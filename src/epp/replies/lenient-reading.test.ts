// Answers that strict XML refuses: unreadable characters spoil only their own text, and the parts
// that identify an answer are read whatever the rest is.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { pollRequest } from '../commands/poll.ts'
import { GarbageInput } from '../errors.ts'
import { fixture } from '../fixtures/fixtures.ts'
import { skim } from '../xml/skimmed.ts'
import { parseGreeting, parseReply, type Reply, readReply } from './reply.ts'

const answers = readdirSync(new URL('../fixtures/', import.meta.url)).filter((name) =>
  name.endsWith('.response.xml'),
)
const utf8 = (text: string) => Buffer.from(text, 'utf8')
/** The bytes that are put into a text, and the text that is expected from reading them. */
const spoilers: Record<string, [Buffer, string]> = {
  'a form feed': [utf8('a\fb'), 'a\ufffdb'],
  NUL: [utf8('a\u0000b'), 'a\ufffdb'],
  'a vertical tab': [utf8('a\u000bb'), 'a\ufffdb'],
  'a noncharacter': [utf8('a\uffffb'), 'a\ufffdb'],
  'a reference to a form feed': [utf8('a&#12;b'), 'a\ufffdb'],
  'a reference to NUL': [utf8('a&#x0;b'), 'a\ufffdb'],
  'a reference beyond Unicode': [utf8('a&#x110000;b'), 'a\ufffdb'],
  'an entity of HTML': [utf8('a&nbsp;b'), 'a&nbsp;b'],
  'a bare ampersand': [utf8('AT&T'), 'AT&T'],
  'Latin-1': [Buffer.from('caf\u00e9', 'latin1'), 'caf\ufffd'],
  'half of a surrogate pair': [Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'a\ufffd\ufffd\ufffd'],
}

/** `inside` is inserted right after the first match of `at`. */
function spoilt(text: Buffer, at: RegExp, inside: Buffer): Buffer {
  const found = at.exec(text.toString('latin1')) ?? assert.fail(String(at))
  const cut = found.index + found[0].length
  return Buffer.concat([text.subarray(0, cut), inside, text.subarray(cut)])
}

const withoutText = ({ message: _, raw: __, read: ___, ...rest }: Reply) => rest

for (const [what, [bytes, seen]] of Object.entries(spoilers)) {
  test(`${what} in the words of an answer of any kind spoils those words alone`, () => {
    for (const name of answers) {
      const clean = fixture(name)
      const reply = readReply(spoilt(clean, /<(?:\w+:)?msg\b[^>]*>/, bytes))
      assert.equal(reply.read, 'repaired', name)
      assert.ok(reply.message.startsWith(seen), `${name}: ${reply.message}`)
      assert.deepEqual(withoutText(reply), withoutText(parseReply(clean)), name)
    }
    const greeting = fixture('greeting.xml')
    const menu = parseGreeting(greeting)
    const odd = parseGreeting(spoilt(greeting, /<svID>/, bytes))
    assert.deepEqual(odd, { ...menu, server: `${seen}${menu.server}` })
  })
}

test('an unreadable character in a name or a date is in that name or date', () => {
  const clean = fixture('domain-info.response.xml')
  const found = (reply: Reply) => JSON.stringify([reply.data, reply.extensions])
  const reply = readReply(spoilt(clean, /<domain:registrant>/, utf8('\f')))
  const expected = found(parseReply(clean)).replace(/("local":"registrant".*?"text":")/, '$1\ufffd')
  assert.equal(found(reply), expected)
})

test('reads what is around a document, and a document in another encoding, as far as it goes', () => {
  const clean = fixture('domain-info.response.xml').toString()
  const expected = withoutText(parseReply(utf8(clean)))
  for (const text of [
    `\u0000\n${clean}`,
    `${clean}\u0000\u0000`,
    clean.replace(/encoding="UTF-8"/, 'encoding="ISO-8859-1"'),
  ])
    assert.deepEqual(withoutText(readReply(utf8(text))), expected)
})

const deep = `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`
/** Changes of a poll message after which it is no longer XML. */
const breaks: Record<string, (xml: string) => string> = {
  'a tag that is not closed': (xml) => xml.replace('</msg>', ''),
  'a prefix that is not declared': (xml) => xml.replace('<resData>', '<resData><odd:x/>'),
  'a bare less-than sign': (xml) => xml.replace('<msg>', '<msg>1 < 2 '),
  'levels without end': (xml) => xml.replace('<resData>', `<resData>${deep}`),
  'a DOCTYPE': (xml) => xml.replace('<epp ', '<!DOCTYPE epp [<!ENTITY a "b">]><epp '),
  'no end': (xml) => xml.replace('</epp>', ''),
}
for (const [what, broken] of Object.entries(breaks)) {
  test(`a poll message with ${what} is identified, and about its domain`, () => {
    const clean = parseReply(fixture('poll-transfer.response.xml'))
    const reply = readReply(utf8(broken(fixture('poll-transfer.response.xml').toString())))
    assert.equal(reply.read, 'skimmed')
    const { code, cl_trid, sv_trid, queue } = reply
    assert.deepEqual([code, cl_trid, sv_trid], [clean.code, clean.cl_trid, clean.sv_trid])
    assert.deepEqual([queue?.id, queue?.count], [clean.queue?.id, clean.queue?.count])
    const message = pollRequest.parse(reply, null)
    const name = pollRequest.parse(clean, null)?.about
    assert.equal(name?.kind, 'transfer')
    assert.deepEqual(message?.about, { kind: 'other', name: name?.transfer.name })
  })
}

test('words that look like tags identify nothing', () => {
  const xml =
    '<epp><response><result code="1301"><msg>a</msg></result><!-- <msgQ id="1"> -->' +
    '<msgQ count="2" id="it&apos;s"><msg><![CDATA[<clTRID>evil</clTRID>]]></msg></msgQ>' +
    '<resData><x:panData><x:paTRID><clTRID>old</clTRID><svTRID>s</svTRID></x:paTRID></x:panData>' +
    '<trID><clTRID>ours</clTRID><svTRID>server</svTRID></trID><broken>'
  const found = skim(utf8(xml))
  assert.equal(found?.queue?.id, "it's")
  assert.deepEqual([found?.cl_trid, found?.sv_trid, found?.code], ['ours', 'server', 1301])
  for (const nothing of ['', 'x', '<epp>', '<result code="ok">', '<result code="99999">'])
    assert.equal(skim(utf8(nothing)), null, nothing)
  assert.throws(() => readReply(utf8('SSH-2.0')), GarbageInput)
})

test('hostile answers of a megabyte are read in time in proportion to their size', () => {
  const parts = ['<![CDATA[', '<!--', ' ', '&', '<name>', '<msgQ ', '<clTRID>', '&#12;', '<a:', '<']
  for (const part of parts) {
    const begun = performance.now()
    skim(utf8(`<result code="1301">${part.repeat(1_000_000 / part.length)}`))
    const took_ms = performance.now() - begun
    assert.ok(took_ms < 2_000, `${part}: ${took_ms} ms`)
  }
})

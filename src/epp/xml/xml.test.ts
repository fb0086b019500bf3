// XML: accepted and rejected documents, and escaping of everything that we write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { GarbageInput, UnwritableCommand } from '../errors.ts'
import { attribute, child, childWords, escapeXml, flag, parseXml } from './xml.ts'

const parse = (text: string) => parseXml(Buffer.from(text))

test('elements are found by namespace and local name, whatever the prefix', () => {
  const uri = 'urn:a'
  for (const text of [
    '<a xmlns="urn:a"><b> x  y </b></a>',
    '<p:a xmlns:p="urn:a"><p:b>x y</p:b></p:a>',
  ]) {
    const root = parse(text)
    assert.deepEqual([root.uri, root.local], [uri, 'a'])
    assert.equal(childWords(root, uri, 'b'), 'x y')
  }
  assert.equal(child(parse('<a xmlns="urn:a"><b xmlns="urn:b"/></a>'), uri, 'b'), undefined)
})

test('text, CDATA, references and comments give the characters they stand for', () => {
  const root = parse('<a x="&lt;1&#x41;" y=" true ">a<!-- no -->&amp;<![CDATA[<b>]]>&#322;</a>')
  assert.equal(root.text, 'a&<b>ł')
  assert.equal(attribute(root, 'x'), '<1A')
  assert.equal(flag(root, 'y'), true)
  assert.equal(flag(root, 'x'), null)
})

const deep = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
const bomb = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;">]><a>&c;&c;</a>'

test('hostile or broken documents are refused', () => {
  const refused: Record<string, Buffer> = {
    doctype: Buffer.from('<!DOCTYPE a><a/>'),
    'external entity': Buffer.from(
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    ),
    'entity bomb': Buffer.from(bomb),
    'unknown entity': Buffer.from('<a>&nbsp;</a>'),
    'deep nesting': Buffer.from(deep(65)),
    'very deep nesting': Buffer.from(deep(20_000)),
    'unclosed tag': Buffer.from('<a><b></a>'),
    'second root': Buffer.from('<a/><a/>'),
    'duplicate attribute': Buffer.from('<a x="1" x="2"/>'),
    'duplicate attribute by namespace': Buffer.from(
      '<a xmlns:p="urn:a" xmlns:q="urn:a" p:x="1" q:x="2"/>',
    ),
    'prefix without namespace': Buffer.from('<p:a/>'),
    'not UTF-8': Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]),
    'UTF-16': Buffer.from('\ufeff<a/>', 'utf16le'),
    'another encoding': Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a/>'),
    'NUL character': Buffer.from('<a>\u0000</a>'),
    nothing: Buffer.from(''),
    text: Buffer.from('HTTP/1.1 400 Bad Request'),
  }
  for (const [what, bytes] of Object.entries(refused)) {
    assert.throws(() => parseXml(bytes), GarbageInput, what)
  }
  assert.equal(parse(deep(64)).local, 'a')
})

test('any bytes are either a tree or GarbageInput', () => {
  const pieces = [
    '<',
    '>',
    '/',
    'a',
    '"',
    '=',
    '&',
    ';',
    '<!',
    '[CDATA[',
    ']]>',
    '<?',
    ' ',
    '\u0000',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      try {
        assert.ok(parse(parts.join('')).local)
      } catch (error) {
        assert.ok(error instanceof GarbageInput)
      }
    }),
    { numRuns: 2000 },
  )
})

test('escaped text comes back as it was, in an element and in an attribute', () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      let written: string
      try {
        written = escapeXml(text)
      } catch (error) {
        assert.ok(error instanceof UnwritableCommand)
        assert.match(text, /\p{Cc}|\p{Cs}|[\ufffe\uffff]/u)
        return
      }
      const root = parse(`<a x="${written}" y='${written}'>${written}</a>`)
      assert.equal(root.text, text)
      assert.equal(attribute(root, 'x'), text)
      assert.equal(attribute(root, 'y'), text)
    }),
  )
})

test('text that XML cannot represent is not written', () => {
  for (const text of [
    '\u0000',
    'a\nb',
    '\t',
    '\u007f',
    '\u0085',
    '\ud800',
    'a\udc00',
    '\ufffe',
    '\uffff',
  ]) {
    assert.throws(() => escapeXml(text), UnwritableCommand, JSON.stringify(text))
  }
  assert.equal(escapeXml(']]><x a="\'">&'), ']]&gt;&lt;x a=&quot;&apos;&quot;&gt;&amp;')
})

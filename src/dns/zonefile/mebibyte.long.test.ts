// Zone files of one mebibyte that an attacker has made: reading each takes time that is linear in
// its size, well within the limit of a test.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readZoneFile } from './read-zone-file.ts'

const rules = { origin: 'example.com', default_ttl: 3600 }

describe('a zone file of a mebibyte', () => {
  const mebibyte = (piece: string) => piece.repeat(Math.ceil(2 ** 20 / piece.length))
  const texts = [
    'a',
    '"',
    '\\',
    '(',
    ')',
    ';',
    ' ',
    '\n',
    '@',
    '$',
    '.',
    '\\\\"',
    '\\1',
    '1h',
    'a A 192.0.2.1\n',
    'a TXT "x" ',
    '\\"',
    'a=\\"',
    'a."',
    '( ',
    ' (\n',
    '" "',
    'IN ',
    'a\r',
  ]
  for (const piece of texts)
    it(`is read in linear time: ${JSON.stringify(piece)}`, () => {
      const start = performance.now()
      for (const head of ['', 'a TXT ', 'a HTTPS 1 . ', 'a NAPTR 1 1 "" "" ', 'a CAA 0 issue "'])
        readZoneFile(head + mebibyte(piece), rules)
      // In time that grows with the square of the size, this would take many minutes.
      assert.ok(performance.now() - start < 60_000)
    })
})

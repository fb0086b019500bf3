// Folding of other people's text, for any text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../kit/arbitrary-text.fixture.ts'
import { emailText } from './email-template.ts'
import { oneLine, words } from './email-words.ts'

const anyText = unicodeText({ maxLength: 400 })

test('folds any text to one line of at most 200 characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = oneLine(text)
      assert.ok(!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(line))
      assert.ok(line.isWellFormed())
      assert.ok([...line].length <= 200)
      assert.equal(oneLine(line), line)
    }),
  )
})

test('leaves names as they are, in every script and with joined emoji', () => {
  for (const name of ['Ada Lovelace', 'Łódź', '山田 太郎', 'نیم‌فاصله', '👩‍💻 Ltd'])
    assert.equal(oneLine(name), name)
})

test('folds all untrusted text, and none of ours', () => {
  const mine = words`Key "${'a\r\nBcc: x@example.net'}"\nends on ${12}.`
  assert.equal(mine.toString(), 'Key "a Bcc: x@example.net"\nends on 12.')
})

test('a message has greeting, event and next step, in lines of at most 76 characters', () => {
  const message = {
    kind: 'test',
    dedupe_key: 'test:1',
    subject: words`A test`,
    happened: [words`${'word '.repeat(30)}was said.`],
    todo: [words`See ${`https://a.example/${'x'.repeat(90)}`} now.`],
  }
  const lines = emailText(message, 'Ada\nLovelace').split('\n')
  assert.deepEqual(lines.slice(0, 2), ['Hello Ada Lovelace,', ''])
  assert.ok(lines.some((line) => line.startsWith('https://') && line.length === 108))
  for (const line of lines) assert.ok(line.length <= 76 || !line.includes(' '), line)
})

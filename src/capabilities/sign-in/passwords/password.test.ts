// Password policy.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../kit/arbitrary-text.fixture.ts'
import { passwordProblem } from './password.ts'

const email = 'ada.lovelace@analytical.example'

it('accepts phrases, spaces, every script, signs and U+0000', async () => {
  const good = [
    'correct horse battery',
    'ada lovelace & grace hopper',
    'пароль для всех',
    'zo\u0000zo\u0001zz!',
    '🐎🔋🧷🐎x🔋🧷🐎',
    'sunshine over 8472619',
  ]
  for (const one of good) assert.equal(await passwordProblem(one, email), null, one)
})

it('counts characters, not octets or halves of them', async () => {
  assert.match(String(await passwordProblem('🐎🔋🧷🐎x🔋🧪')), /at least 8/)
  assert.equal(await passwordProblem(`é🐎${'xyz 17 9'.repeat(31)}abcdef`), null)
  assert.match(String(await passwordProblem(`${'é🐎'.repeat(127)}abc`)), /at most 256/)
  // Four letters with their accents beside them.
  assert.match(String(await passwordProblem('e\u0301u\u0300o\u0302a\u0308')), /at least 8/)
})

it('rejects common passwords, also with digits or signs around them', async () => {
  const common = ['password', 'PASSWORD', 'Password1!', '123456789', 'qwertyuiop', '!!iloveyou99']
  for (const one of common) assert.match(String(await passwordProblem(one)), /many people/, one)
  for (const one of ['aaaaaaaa', '\u0000'.repeat(12), '          ', 'abcabcabc', '1212121212'])
    assert.match(String(await passwordProblem(one)), /pattern|many people/, one)
})

it('rejects the address of the account and our name', async () => {
  for (const one of [email, 'Ada.Lovelace', 'ada.lovelace1815', 'analytical!!', 'Agent-Registrar1'])
    assert.match(String(await passwordProblem(one, email)), /email address or the name/, one)
  assert.equal(await passwordProblem('ada.lovelace1815'), null)
})

it('decides for every string, and rejects lone surrogates', () =>
  fc.assert(
    fc.asyncProperty(unicodeText({ maxLength: 300 }), async (text) => {
      const problem = await passwordProblem(text, email)
      const length = [...text.normalize('NFC')].length
      if (!text.isWellFormed() || length < 8) assert.notEqual(problem, null)
      assert.notEqual(await passwordProblem(`${text}\ud800`, email), null)
    }),
  ))

// Private words are refused as whole words, also inside of identifiers; ordinary uses are not. So
// are pronouns as subjects of comments and test titles, clauses as first lines, and numbered
// titles.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { madeTree } from './made.fixture.ts'
import { checkVocabulary } from './vocabulary.ts'

const LIST = 'bin/checks/vocabulary.txt'
const list = {
  [LIST]: '# words\nwitness, witnesses | effect log\ngood no more | expired\nletter | mail | ASCII',
}
const has = (file: string, word: string, instead: string) =>
  `${file} has "${word}"; use: ${instead}`

test('reports a word with its line and what to use, in any case and inside of identifiers', (t) => {
  const tree = madeTree(t, {
    ...list,
    'src/a.ts': '// A Witness\nconst readWitnessesOf = 1\nconst db_witness = 1\nWITNESS',
  })
  deepEqual(checkVocabulary(tree), [
    has('src/a.ts:1', 'witness', 'effect log'),
    has('src/a.ts:2', 'witnesses', 'effect log'),
    has('src/a.ts:3', 'witness', 'effect log'),
    has('src/a.ts:4', 'witness', 'effect log'),
  ])
})

test('reports a phrase in a document', (t) => {
  const tree = madeTree(t, { ...list, 'README.md': 'The token is good\nno more.' })
  deepEqual(checkVocabulary(tree), [has('README.md:1', 'good no more', 'expired')])
})

test('passes part of another word, an ordinary sense, foreign data and generated files', (t) => {
  const tree = madeTree(t, {
    ...list,
    'src/a.ts': "'eyewitnessed' // An ASCII letter",
    'src/epp/fixtures/a.xml': '<witness/>',
    'src/db/a.gen.ts': '// witness',
    'package-lock.json': '"witness"',
  })
  deepEqual(checkVocabulary(tree), [])
})

test('reports comments and test titles whose subject is a pronoun, but no questions', (t) => {
  const source = [
    '// Who calls.',
    '/** One attempt. What it needs comes first. */',
    "test('what is sent stays', () => {})",
    '// What if it fails?',
    '// The caller, who has a key: what it may do.',
    "const whose = 'What is sent'",
  ]
  const tree = madeTree(t, { ...list, 'src/a.ts': source.join('\n') })
  const instead = 'the code, the request or the user as the subject'
  deepEqual(checkVocabulary(tree), [
    has('src/a.ts:1', 'who', instead),
    has('src/a.ts:2', 'what', instead),
    has('src/a.ts:3', 'what', instead),
  ])
})

test('reports a test title that begins with the number of a list', (t) => {
  const source = [
    "describe('check 49: a change', () => {",
    "  it('W3, W4: believes no body', () => {})",
    '  it.skip(',
    '    `P2: is 409`,',
    "  it('A4 is the size of the page', () => {})",
    "  it('checks 50 names', () => {})",
    "  it('v3: a title', () => {})",
    "const rows = ['check 53: mass assignment']",
  ]
  const tree = madeTree(t, { ...list, 'src/a.ts': source.join('\n') })
  const instead = 'the fault or the promise in words'
  deepEqual(checkVocabulary(tree), [
    has('src/a.ts:1', 'check 49', instead),
    has('src/a.ts:2', 'W3, W4:', instead),
    has('src/a.ts:3', 'P2:', instead),
  ])
})

test('reports a first line that begins with a clause or with a method as its verb', (t) => {
  const tree = madeTree(t, {
    ...list,
    'src/a.ts': '// Why a purchase does not happen.\n// How it ends.',
    'src/b.ts': '// GET how long the balance lasts.',
    'src/c.ts': '// Are these names free?',
    'src/d.ts': '// GET /v1/health: the state of the service.',
  })
  const instead = 'the code, the request or the user as the subject'
  deepEqual(checkVocabulary(tree), [
    has('src/a.ts:1', 'why', instead),
    has('src/b.ts:1', 'get', instead),
    has('src/c.ts:1', 'are', instead),
  ])
})

// One spelling in all texts for people, on pages and in the words of the API, the command line and
// the documents: American, and "email" without a hyphen.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '../..')
const sources = [
  ...['dashboard/src/**/*.ts', 'dashboard/src/**/*.tsx', 'shared/*.ts', 'src/**/*.ts'],
  ...['cli/**/*.ts', 'sdk/client/**/*.ts'],
]
const documents = ['README.md', 'cli/README.md', 'sdk/README.md', 'docs/*.md']
/**
 * Files that are passed over; the page on tables has the comments of a baseline that is never
 * edited.
 */
const isOther = (file: string) =>
  /\.(test|fixture|gen|sql)\.ts$|node_modules|\/dist\//.test(file) || file === 'docs/database.md'
const words = [
  ...['e-mails?', 'cancell(ed|ing)', 'honoure?d?', '(re)?organis\\w+', 'recognis\\w+'],
  ...['authoris\\w+', 'synchronis\\w+', 'serialis\\w+', 'colour\\w*', 'behaviours?'],
  ...['favour\\w*', 'licence', 'centre'],
]
// Codes, events and statuses of EPP keep their names.
const british = new RegExp(`(?<![\\w./-])(${words.join('|')})(?![\\w:(]|\\.\\w)`, 'i')

/**
 * The quoted texts of a line that have a space in them, since one word is a code. Expressions
 * inside are left out.
 */
function proseIn(line: string): string {
  if (/^\s*(\/\/|\*|\/\*)/.test(line)) return ''
  const quoted = line.replaceAll(/\$\{[^}]*\}/g, '').match(/'[^']*'|"[^"]*"|`[^`]*`?|>[^<]*</g)
  return (quoted ?? []).filter((text) => text.trim().includes(' ')).join(' ')
}

/** A list of the words of events, in quotes of its own. */
const exempt = /^\s+transfer: 'requested cancelled/

function foundIn(patterns: readonly string[], read: (line: string) => string): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }))
  return files
    .filter((file) => !isOther(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => !exempt.test(line) && british.test(read(line)))
        .map((line) => `${file}: ${line.trim()}`),
    )
}

it('has no British word and no "e-mail" in any text of the code', () => {
  assert.deepEqual(foundIn(sources, proseIn), [])
})

it('has none in the documents, outside of code', () => {
  assert.deepEqual(
    foundIn(documents, (line) => line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '')),
    [],
  )
})

it('distinguishes words from codes', () => {
  assert.ok(british.test('Your e-mail') && british.test('was cancelled') && !british.test('email'))
  assert.ok(!british.test('transfer_cancelled') && !british.test('clientCancelled'))
})

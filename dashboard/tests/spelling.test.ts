// One spelling in what people read: American, and "email" without a hyphen.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '../..')
const sources = [
  'dashboard/src/messages/**/*.ts',
  'shared/*.ts',
  'src/capabilities/**/*emails.ts',
  'src/oauth/log-in/problems.ts',
]
const words = [
  ...['e-mail\\w*', 'organis\\w+', 'recognis\\w+', 'authoris\\w+', 'synchronis\\w+', 'cancelled'],
  ...['colour\\w*', 'behaviour', 'favour\\w*', 'licence', 'centre'],
]
const british = new RegExp(`(?<![\\w_])(${words.join('|')})(?![\\w_:])`, 'i')
/** A pattern of the API's own words, which stay as the contract has them. */
const exempt = /not a valid e-mail/

it('has no British word and no "e-mail"', () => {
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root }))
  assert.ok(files.length > 50, `${files.length} files`)
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && !exempt.test(line))
      // Kinds and codes are no prose: they stand alone in their quotes, or are keys.
      .filter((line) => british.test(line.replaceAll(/'\w+'|\w+:/g, '')))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(found, [])
})

// Paths of one machine, package registries and download addresses are reported in any file.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddresses } from './addresses.ts'
import { madeTree } from './made.fixture.ts'

// The texts are put together here, so that this file itself passes the check.
const path = (...parts: string[]) => ['', ...parts, 'x'].join('/')
const host = (...parts: string[]) => parts.join('.')

const cases: readonly [file: string, text: string, sentence: string][] = [
  ['README.md', `see\n${path('home', 'ann')}`, 'names a folder of one machine'],
  ['src/a.ts', `// a\nread('${path('root')}')`, 'names a folder of one machine'],
  ['bin/a', `#\ncd ${path('work')}`, 'names a folder of one machine'],
  ['docs/a.md', `\n(${path('Users', 'ann')})`, 'names a folder of one machine'],
  ['a.yaml', `a:\n  - https://${host('registry', 'npmjs', 'org')}/x`, 'names a package registry'],
  [
    '.npmrc',
    '\nregistry=https://x.test/',
    "chooses a package registry, which is the user's to choose",
  ],
  [
    'package-lock.json',
    '{\n"resolved": "https://x.test/a.tgz" }',
    'records a download address; .npmrc should say omit-lockfile-registry-resolved=true',
  ],
]
for (const [file, text, sentence] of cases)
  test(`reports: ${sentence} (${file})`, (t) => {
    deepEqual(checkAddresses(madeTree(t, { [file]: text })), [`${file}:2 ${sentence}`])
  })

test('routes, relative paths, other lockfile words and binary files pass', (t) => {
  const tree = madeTree(t, {
    'src/a.ts': "get('/v1/work/items'); read('../home/a/b'); 'https://x.test/root/a'",
    'docs/lock.json': '"resolved": true',
    'logo.png': `\0${path('root')}`,
  })
  deepEqual(checkAddresses(tree), [])
})

// A link to a missing file and the name of a missing file are reported; links elsewhere and in code
// are not followed.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { checkFileNames, checkLinks } from './links.ts'
import { madeTree } from './made.fixture.ts'

test('reports a dead link with its line', (t) => {
  const tree = madeTree(t, {
    'README.md': 'a\n[one](docs/none.md) and [two](docs/a.md)\n\n[three]: none.ts',
    'docs/a.md': '[up](../README.md#part) [out](../../x.md) [gone](/none)',
  })
  deepEqual(checkLinks(tree), [
    'README.md:2 links to docs/none.md, which is not there',
    'README.md:4 links to none.ts, which is not there',
    'docs/a.md:1 links to ../../x.md, outside the project',
    'docs/a.md:1 links to /none, which is not there',
  ])
})

test('links to files, folders, anchors and other places pass, and code is passed over', (t) => {
  const tree = madeTree(t, {
    'README.md': [
      '[a](docs/a%20b.md) [folder](docs/) [here](#part) [web](https://x.test/a)',
      '[mail](mailto:a@x.test) `[no](none.md)`',
      '```',
      '[no](none.md)',
      '```',
    ].join('\n'),
    'docs/a b.md': '',
  })
  deepEqual(checkLinks(tree), [])
})

test('reports the name of a missing file in backticks with its line', (t) => {
  const tree = madeTree(t, {
    'docs/a.md': 'a\n`gone.ts` and `src/b.ts`, `other/b.ts`\n`../none.md`, `src/*-gone.ts`',
    'src/b.ts': '',
  })
  deepEqual(checkFileNames(tree), [
    'docs/a.md:2 names gone.ts, which is not there',
    'docs/a.md:2 names other/b.ts, which is not there',
    'docs/a.md:3 names ../none.md, which is not there',
    'docs/a.md:3 names src/*-gone.ts, which is not there',
  ])
})

test('passes names of files in any folder, and passes over code, data and migrations to come', (t) => {
  const tree = madeTree(t, {
    'README.md': [
      '`b.ts` `x/b.ts` `/src/x/b.ts` `*.test.ts` `none.json` `up.sql` `NNNN-name/up.sql` `a.b()`',
      '```',
      '`gone.ts`',
      '```',
    ].join('\n'),
    'src/x/b.ts': '',
    'src/x/b.test.ts': '',
  })
  deepEqual(checkFileNames(tree), [])
})

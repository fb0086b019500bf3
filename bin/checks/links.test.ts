// A link to a missing file and the name of a missing file are reported, also in comments of code.
// Links to other sites and links in code are not followed.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { checkFileNames, checkLinks, checkNamesInComments } from './links.ts'
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

test('reports a missing folder that a map names, and passes one by the end of its path', (t) => {
  const map = '`src/a/`, `a/b/`, `b/` and `dist/`; gone: `src/b/` and\n`c/`.'
  const tree = madeTree(t, {
    'src/a/b/c.ts': '',
    'src/README.md': map,
    'ARCHITECTURE.md': '`a/c/`',
    'docs/page.md': map,
  })
  deepEqual(checkFileNames(tree).sort(), [
    'ARCHITECTURE.md:1 names a/c/, which is not there',
    'src/README.md:1 names src/b/, which is not there',
    'src/README.md:2 names c/, which is not there',
  ])
})

test('reports the name of a missing file in a comment of code with its line', (t) => {
  const tree = madeTree(t, {
    'src/a.ts': '// As gone.ts does.\n\n/**\n * See other/b.ts, ../src/none.sql.\n */\nexport {}',
    'src/b.tsx': 'export const b = 1 // 02-none.sql',
    'src/01-c.sql': '-- why none.md says so\nselect 1; -- and 01-none.sql',
  })
  deepEqual(checkNamesInComments(tree), [
    'src/01-c.sql:1 names none.md, which is not there',
    'src/01-c.sql:2 names 01-none.sql, which is not there',
    'src/a.ts:1 names gone.ts, which is not there',
    'src/a.ts:4 names other/b.ts, which is not there',
    'src/a.ts:4 names ../src/none.sql, which is not there',
    'src/b.tsx:1 names 02-none.sql, which is not there',
  ])
})

test('passes names of files in any folder in comments, addresses, placeholders and code', (t) => {
  const tree = madeTree(t, {
    'src/x/a.ts': [
      '// a.ts, `x/a.ts`, src/x/a.ts:12, ../x/a.ts, *.test.ts and 01-c.sql; up.sql is to come.',
      '// https://a.test/none.ts NNNN-name/up.sql <name>.ts a.tsb',
      "export const name = 'none.ts // none.ts'",
    ].join('\n'),
    'src/x/a.test.ts': '',
    'src/x/01-c.sql': "select 'none.sql'",
  })
  deepEqual(checkNamesInComments(tree), [])
})

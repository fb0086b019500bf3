// Folders that import each other are refused.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { madeTree } from '../made.fixture.ts'
import { checkFolders } from './folders.ts'

const pair = {
  'src/oauth/consent/allow.ts': "\nimport { show } from '../log-in/pages.ts'",
  'src/oauth/log-in/pages.ts': "import './other.ts'",
  'src/oauth/log-in/link.ts': "import type { Consent } from '../consent/page.ts'",
}

test('refuses two folders that import each other, with an import of each direction', (t) => {
  deepEqual(checkFolders(madeTree(t, pair)), [
    'src/oauth/consent and src/oauth/log-in import each other: ' +
      'src/oauth/consent/allow.ts:2 imports src/oauth/log-in/pages.ts, and ' +
      'src/oauth/log-in/link.ts:1 imports src/oauth/consent/page.ts',
  ])
})

test('refuses two folders of the dashboard that import each other', (t) => {
  const tree = madeTree(t, {
    'dashboard/src/components/name.tsx': "import '../lib/idn.ts'",
    'dashboard/src/lib/queries.ts': "import '../components/toasts.ts'",
  })
  deepEqual(checkFolders(tree), [
    'dashboard/src/components and dashboard/src/lib import each other: ' +
      'dashboard/src/components/name.tsx:1 imports dashboard/src/lib/idn.ts, and ' +
      'dashboard/src/lib/queries.ts:1 imports dashboard/src/components/toasts.ts',
  ])
})

test('passes one direction, a folder within the other, and imports of tests', (t) => {
  const tree = madeTree(t, {
    'src/a/b/c.ts': "import '../d/e.ts'; import '../index.ts'; import './f/g.ts'",
    'src/a/b/f/g.ts': "import '../c.ts'",
    'src/a/index.ts': "export * from './b/c.ts'",
    'src/a/d/e.test.ts': "import '../b/c.ts'",
    'src/a/d/e.fixture.ts': "import '../b/c.ts'",
  })
  deepEqual(checkFolders(tree), [])
})

test('reads the simulations, the command line, the benches and the checks like the service', (t) => {
  const pairIn = (top: string) => ({
    [`${top}/a/b.ts`]: "import '../c/d.ts'",
    [`${top}/c/d.ts`]: "import '../a/b.ts'",
  })
  const tree = madeTree(t, {
    ...pairIn('bench'),
    ...pairIn('bin'),
    ...pairIn('cli'),
    ...pairIn('sandbox'),
    ...pairIn('test'),
  })
  deepEqual(
    checkFolders(tree).map((complaint) => complaint.split(':')[0]),
    ['bench', 'bin', 'cli', 'sandbox'].map((top) => `${top}/a and ${top}/c import each other`),
  )
})

// A second file or export of one name in a module is refused; in another module it is not.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { madeTree } from './made.fixture.ts'
import { checkNames } from './names.ts'

test('reports two files of one base name in a module', (t) => {
  const tree = madeTree(t, { 'src/capabilities/a/x/b.ts': '', 'src/capabilities/a/y/b.ts': '' })
  deepEqual(checkNames(tree), [
    'src/capabilities/a file b.ts twice: src/capabilities/a/x/b.ts, src/capabilities/a/y/b.ts',
  ])
})

test('reports two exports of one name in a module, whatever they are', (t) => {
  const tree = madeTree(t, {
    'src/kit/a.ts': 'export const { one, two: [three] } = { one: 1, two: [2] }\nexport type T = 1',
    'src/kit/b.ts': 'export function one() {}\nexport class three {}\nexport interface T {}',
  })
  const both = 'src/kit/a.ts, src/kit/b.ts'
  deepEqual(checkNames(tree), [
    `src/kit export one twice: ${both}`,
    `src/kit export three twice: ${both}`,
    `src/kit export T twice: ${both}`,
  ])
})

test('passes a type and a value of one file, re-exports, other modules and the adapters of a port', (t) => {
  const tree = madeTree(t, {
    'src/kit/a.ts': 'export const A = 1\nexport type A = number',
    'src/kit/index.ts': "export { A } from './a.ts'",
    'src/kit/deep/index.ts': '',
    'src/db/a.ts': 'export const A = 1',
    'src/adapters/registry/epp/a.ts': 'export function renew() {}',
    'src/adapters/registry/openprovider/b.ts': 'export function renew() {}',
    'test/disasters/controls/a.ts': 'export function decide() {}',
    'test/disasters/controls/b.ts': 'export function decide() {}',
  })
  deepEqual(checkNames(tree), [])
})

test('reports texts in a file that is not named for them', (t) => {
  const tree = madeTree(t, {
    'dashboard/src/messages/home.ts': "export const homeTexts = { title: 'Home' } as const",
    'dashboard/src/messages/buy-texts.ts': "export const buyTexts = { title: 'Buy' }",
    'src/mail/purge.ts': "export const purgeTexts = job({ title: 'Purge' })",
  })
  deepEqual(checkNames(tree), [
    'dashboard/src/messages/home.ts exports homeTexts: a file of texts ends in -texts.ts',
  ])
})

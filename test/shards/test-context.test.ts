// The context of tests in a shard: each test and each error belongs where node:test's own hook puts
// it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const urlOf = (name: string) => pathToFileURL(`${import.meta.dirname}/${name}`).href

/** The report of the fixture in a suite of its own, without durations and places. */
function report({ replaced }: { replaced: boolean }): string {
  const program = [
    `const { holdSuite } = ${replaced} ? await import('${urlOf('test-context.ts')}') : {}`,
    `const { suite } = await import('node:test')`,
    `suite('file', async () => {`,
    `  holdSuite?.()`,
    `  await import('${urlOf('nested.fixture.ts')}')`,
    `})`,
  ].join('\n')
  const { NODE_TEST_CONTEXT: _shard, NODE_OPTIONS: _options, ...env } = process.env
  const args = ['--test-reporter=tap', '--input-type=module', '--eval', program]
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  return stdout.replaceAll(/duration_ms.*|location:.*/g, '').replaceAll(/^ *(file|at) .*\n/gm, '')
}

test('tests and errors belong to the same test as by the hook of node:test', () => {
  const replaced = report({ replaced: true })
  assert.equal(replaced, report({ replaced: false }))
  assert.match(replaced, /^ +not ok \d - with a callback that throws later$/m)
  assert.match(replaced, /^ {12}ok 1 - (its subtest|one)$/m)
  assert.match(replaced, /^# fail 1$/m)
})

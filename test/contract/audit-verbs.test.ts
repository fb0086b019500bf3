// Sentences of the audit log: every action that an account's log can have reads as one.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { auditTexts } from '../../dashboard/src/messages/audit-log.ts'
import { operations } from '../../src/catalog.ts'

const source = join(import.meta.dirname, '../../src')

/** Actions that are named where their rows are written. */
function namedActions(): string[] {
  const files = globSync('{capabilities,oauth}/**/*.ts', { cwd: source })
    .filter((file) => !/\.(test|fixture)\.ts$|^capabilities\/audit\//.test(file))
    .map((file) => readFileSync(join(source, file), 'utf8'))
  const named =
    /\baction: '(\w+_\w+)'|systemCall\(app, '(\w+)'\)\.auditRow|\? '(domain_\w+)' : '(domain_\w+)'/g
  return files.flatMap((text) =>
    Array.from(text.matchAll(named), ([, ...names]) => names.filter(Boolean)).flat(),
  )
}

it('has a verb for every action that changes something', () => {
  const changing = operations.filter(({ effect, area }) => effect !== 'none' && area !== 'Sandbox')
  const all = [...changing.map(({ name }) => name), ...namedActions()]
  assert.ok(all.includes('transfer_out_requested') && all.includes('grant_oauth_client'))
  const known: readonly string[] = auditTexts.actions
  const unknown = all.filter((action) => !known.includes(action))
  assert.deepEqual([...new Set(unknown)], [])
})

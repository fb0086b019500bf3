// Every action that a row of the audit log can have: operations that change something, and those
// that are named where their rows are written.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../../../src/catalog.ts'

const source = join(import.meta.dirname, '../../../../src')

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

export function auditActions(): string[] {
  const changing = operations.filter(({ effect, area }) => effect !== 'none' && area !== 'Sandbox')
  return [...new Set([...changing.map(({ name }) => name), ...namedActions()])]
}

// Decision 0002 names every dependency of package.json, and no other.
import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('decision 0002 lists the dependencies and development dependencies of package.json', () => {
  const packages = Object(JSON.parse(read('package.json')))
  const names = [packages.dependencies, packages.devDependencies].flatMap(Object.keys)
  const listed = read('docs/decisions/0002-dependencies.md')
    .split('\n')
    .filter((line) => /^\| [@a-z]/.test(line) && !line.startsWith('| package '))
    .flatMap((line) =>
      (line.split(' | ')[0] ?? '')
        .replace('| ', '')
        .replace(/ \(.*?\)/, '')
        .split(', '),
    )
  const typed = names.map((name) => (name.startsWith('@types/') ? '@types/*' : name))
  deepEqual([...new Set(listed)].sort(), [...new Set(typed)].sort())
})

// Lines of a block of docs/production, for tests that run them as they are written there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/program.ts'

/** This many lines of `docs/production/<name>.md`, from the one that begins with the given text. */
export function documentedLines(name: string, beginning: string, count = 1): string[] {
  const page = readFileSync(join(root, 'docs/production', `${name}.md`), 'utf8')
  const lines = page.split('\n')
  const at = lines.findIndex((line) => line.trim().startsWith(beginning))
  const found = lines.slice(at, at + count)
  assert.ok(at >= 0 && found.every((line) => line.startsWith('    ')), `${name}: ${beginning}`)
  return found.map((line) => line.trim())
}

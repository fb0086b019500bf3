// A project in a temporary folder that git knows, for the tests of the checks.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { openTree, type Tree } from './tree.ts'

/** Writes the files at their paths and opens the tree. The folder is removed when the test ends. */
export function madeTree(test: TestContext, files: Record<string, string>): Tree {
  const root = mkdtempSync(join(tmpdir(), 'agent-registrar-checks-'))
  test.after(() => {
    rmSync(root, { recursive: true, force: true })
  })
  // An empty template keeps git from copying its sample hooks.
  execFileSync('git', ['init', '-q', '--template='], { cwd: root })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return openTree(root)
}

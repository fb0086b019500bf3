// Generated files: writes them, or checks that each is what its generator would write now.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Complaint, Tree } from './tree.ts'

/** A generator: a script that writes its files in place, in its own tree. */
export type Generator = { name: string; command: readonly string[]; files: readonly string[] }

/** Every generator, with all the files that it writes. */
export const generators: readonly Generator[] = [
  {
    name: 'src/db/typegen/typegen.ts',
    command: ['src/db/typegen/typegen.ts'],
    files: ['src/db/statements.gen.ts', 'docs/database.md'],
  },
  {
    name: 'src/surfaces/documents/write-docs.ts',
    command: ['src/surfaces/documents/write-docs.ts'],
    files: ['docs/operations.md', 'docs/errors.md', 'docs/buying.md', 'sdk/README.md'],
  },
  {
    name: 'src/surfaces/documents/env-example.ts',
    command: ['src/surfaces/documents/env-example.ts'],
    files: ['.env.example'],
  },
]

/**
 * Runs the generators in a copy of the tree, and complains about each file that comes out
 * differently.
 */
export function checkGenerated(tree: Tree, list: readonly Generator[] = generators): Complaint[] {
  if (list.length === 0) return []
  const copy = mkdtempSync(join(tmpdir(), 'agent-registrar-check-'))
  try {
    // If we are root, PostgreSQL runs as another user, which must be able to enter this folder.
    chmodSync(copy, 0o755)
    for (const file of tree.files) cpSync(join(tree.root, file), join(copy, file))
    symlinkSync(join(tree.root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    return list.flatMap((generator) => [
      ...run(generator, copy),
      ...generator.files
        .filter((file) => content(tree.root, file) !== content(copy, file))
        .map((file) => `${file} is not what ${generator.name} makes; run bin/check --write`),
    ])
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Runs the generators in the tree itself. */
export function renewGenerated(tree: Tree, list: readonly Generator[] = generators): Complaint[] {
  return list.flatMap((generator) => run(generator, tree.root))
}

function run({ name, command }: Generator, cwd: string): Complaint[] {
  try {
    execFileSync(process.execPath, command, { cwd, stdio: 'pipe' })
    return []
  } catch (error) {
    return [`${name} failed: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function content(root: string, file: string): string | null {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

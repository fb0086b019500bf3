// Selection of test files: the long tier, and files that need a process of their own.
import { globSync, statSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'

type Tier = 'usual' | 'long'

const folders = ['src', 'sandbox', 'sdk', 'cli', 'dashboard', 'bench', 'bin', 'test']

/**
 * The files of `bin/test --long` that `npm test` does not run: disasters, conformance suites,
 * browsers, programs of others, starts of the whole program and of its database, journeys, requests
 * by the thousand (hostile ones, and up to each limit), the reads of every statement, revocation
 * over two nodes, and `*.long.test.ts`: floods, failures at every step of a transaction, large
 * accounts, several nodes, processes of their own.
 */
const long = new RegExp(
  '^test/((disasters|conformance|browser|journeys|outside|programs|reads|starts)/' +
    '|contract/(hostile|limits)/|security/revocation/)|^src/db/embedded/' +
    '|\\.long(\\.process)?\\.test\\.ts$',
)

/**
 * All test files below these paths (folders, files or patterns, from the root or absolute), or
 * every one. Paths from the root, sorted.
 */
export function filesOf(root: string, paths: readonly string[]): string[] {
  const patterns = (paths.length > 0 ? paths : folders).map((path) => {
    const folder = statSync(resolve(root, path), { throwIfNoEntry: false })?.isDirectory()
    return relative(root, resolve(root, folder ? `${path}/**/*.test.ts` : path))
  })
  const found = globSync(patterns, {
    cwd: root,
    exclude: (path) => /(^|\/)node_modules(\/|$)/.test(path),
  })
  return [...new Set(found.map((file) => file.split(sep).join('/')))].sort()
}

export function inTier(files: readonly string[], tier: Tier): string[] {
  return files.filter((file) => long.test(file) === (tier === 'long'))
}

/**
 * Whether a file changes what its whole process shares (the environment, a global, a loader hook),
 * measures it, or reads all that was declared in it (every statement).
 */
export function isIsolated(file: string): boolean {
  return file.endsWith('.process.test.ts')
}

// A program of the service as one file, for tests that start it as a process: it starts in half the
// processor time of 1,800 modules. A bundle is kept until one of its sources changes.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { FolderLocked, lockFolder } from '../../src/kit/folder-lock.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'node_modules/.cache/bundles')
const kept_ms = 86_400_000
const look_every_ms = 100
/** Built at once: they share all but a few lines. */
const entries = ['src/main.ts', 'test/disasters/support/child.ts'].map((path) => join(root, path))

/** Files beside a module are found where the module was. */
const whereItWas: Plugin = {
  name: 'where-it-was',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|shared|sandbox|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        // True in each module of a bundle that is the program.
        .replaceAll('import.meta.main', 'false')
      return { contents, loader: 'ts' }
    })
  },
}

const bundles = new Map<string, Promise<string>>()

/** The file of the bundle of this program, which imports nothing of ours but src and sandbox. */
export function bundleOf(entry: string): Promise<string> {
  const bundle = bundles.get(entry) ?? bundled(entry)
  bundles.set(entry, bundle)
  return bundle
}

async function bundled(entry: string): Promise<string> {
  const together = entries.includes(entry) ? entries : [entry]
  const place = join(folder, keyOf(together))
  const file = join(place, `${basename(entry, '.ts')}.mjs`)
  await mkdir(folder, { recursive: true })
  while (!existsSync(file)) {
    const lock = lockUnlessHeld(folder)
    try {
      if (lock === null) await sleep(look_every_ms)
      else if (!existsSync(file)) await make(together, place)
    } finally {
      lock?.release()
    }
  }
  return file
}

/** Null: another process builds. */
function lockUnlessHeld(path: string): { release: () => void } | null {
  try {
    return lockFolder(path)
  } catch (error) {
    if (error instanceof FolderLocked) return null
    throw error
  }
}

/** Whole or not at all. */
async function make(entryPoints: string[], place: string): Promise<void> {
  await removeOld()
  const made = `${place}-${randomBytes(4).toString('hex')}`
  await build({
    entryPoints,
    outdir: made,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Modules that are imported late are compiled late, as without a bundle.
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    plugins: [whereItWas],
    logLevel: 'error',
    // Some packages are CommonJS, and require others when they run.
    banner: {
      js: `const require = process.getBuiltinModule('module').createRequire(import.meta.url)`,
    },
  })
  await rename(made, place)
}

function keyOf(together: string[]): string {
  const hash = createHash('sha256')
  for (const entry of together) hash.update(entry).update(readFileSync(entry))
  const sources = globSync('{src,shared,sandbox}/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  for (const path of ['package-lock.json', ...sources.sort()])
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(folder)) {
    const kept = await stat(join(folder, name))
    if (kept.isDirectory() && kept.mtimeMs < Date.now() - kept_ms)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

// A program of the service as one file, for tests that start it as a process: it starts in half the
// processor time of 1,800 modules. A bundle is kept until one of its sources changes.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'node_modules/.cache/bundles')
const kept_ms = 86_400_000

/** Files beside a module are found where the module was. */
const whereItWas: Plugin = {
  name: 'where-it-was',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|sandbox|test)\/.*\.ts$/ }, async ({ path }) => {
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
  const place = join(folder, keyOf(entry))
  const file = join(place, 'program.mjs')
  if (existsSync(file)) return file
  await removeOld()
  const made = `${place}-${randomBytes(4).toString('hex')}`
  await mkdir(made, { recursive: true })
  await build({
    entryPoints: [entry],
    outfile: join(made, 'program.mjs'),
    bundle: true,
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
  // Whole or not at all; another process may have been first.
  await rename(made, place).catch(() => rm(made, { recursive: true }))
  return file
}

function keyOf(entry: string): string {
  const hash = createHash('sha256').update(entry).update(readFileSync(entry))
  const sources = globSync('{src,sandbox}/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  for (const path of ['package-lock.json', ...sources.sort()])
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

async function removeOld(): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < Date.now() - kept_ms)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

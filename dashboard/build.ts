// Incremental build: bundles the dashboard unless the stamp beside its output says that nothing has
// changed. npm runs it at the install and the service runs it at its start, where --report sends
// the states over IPC.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '..')
/** The service reads the output here. */
const output = join(import.meta.dirname, 'dist')
const stampFile = join(import.meta.dirname, 'dist.stamp')
const sources = [
  'package-lock.json',
  'dashboard/index.html',
  'dashboard/*.ts',
  'dashboard/src/**/*.*',
  'sdk/src/**/*.ts',
  'shared/*.ts',
]

type BuildState = 'current' | 'building' | 'built' | 'no_bundler'

/** Afterwards the output is that of the sources, unless the development packages are missing. */
export async function buildIfStale(
  report: (state: BuildState) => void = () => undefined,
): Promise<void> {
  const stamp = stampOfSources()
  if (existsSync(output) && stampOfOutput() === stamp) return report('current')
  const bundler = await loadBundler()
  if (bundler === null) return report('no_bundler')
  report('building')
  const made = `${output}-${randomBytes(4).toString('hex')}`
  try {
    await bundler.build({
      ...bundler.config,
      configFile: false,
      logLevel: 'warn',
      build: { ...bundler.config.build, outDir: made, emptyOutDir: true },
    })
    await precompress(made)
    await replaceOutput(made)
    await writeFile(stampFile, stamp)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  report('built')
}

function stampOfSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function stampOfOutput(): string | null {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : null
}

/** Vite, or null after an install without the development packages. */
async function loadBundler() {
  try {
    const [{ build }, { default: config }] = await Promise.all([
      import('vite'),
      import('./vite.config.ts'),
    ])
    return { build, config }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return null
    throw error
  }
}

/** Compresses each file once, at the highest level, so that no request waits for it. */
async function precompress(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const texts = files.filter((file) => /\.(js|css|html|svg)$/.test(file))
  await Promise.all(
    texts.map(async (file) => {
      const octets = await readFile(join(folder, file))
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
      await writeFile(join(folder, `${file}.gz`), await promisify(gzip)(octets, { level: 9 }))
      await writeFile(
        join(folder, `${file}.br`),
        await promisify(brotliCompress)(octets, { params }),
      )
    }),
  )
}

/**
 * Replaces the whole output or nothing. If another process was faster, between the two renames, its
 * output is replaced, since both have built the same sources.
 */
async function replaceOutput(made: string): Promise<void> {
  const old = `${made}-old`
  for (;;) {
    await rename(output, old).catch(ignore('ENOENT'))
    if (await rename(made, output).then(() => true, ignore('ENOTEMPTY', 'EEXIST'))) break
    await rm(old, { recursive: true, force: true })
  }
  await rm(old, { recursive: true, force: true })
}

/** A handler that answers undefined for these error codes, and throws every other error. */
function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    const isExpected =
      error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
    if (!isExpected) throw error
  }
}

/**
 * An install must not fail because of the dashboard: the start builds it again and logs the reason.
 */
async function main(reports: boolean): Promise<void> {
  try {
    await buildIfStale((state) => {
      if (reports) process.send?.(state)
      else process.stdout.write(`dashboard: ${state.replace('_', ' ')}\n`)
    })
  } catch (error) {
    process.stderr.write(`dashboard: ${error instanceof Error ? error.stack : String(error)}\n`)
    if (reports) process.exitCode = 1
  }
  // An old Node that started this process (start.cjs) has a channel to it, too, and watches that.
  if (reports) process.disconnect?.()
}

// start.cjs imports the file, so that import.meta.main is false there.
if (process.argv[1] === import.meta.filename) await main(process.argv.includes('--report'))

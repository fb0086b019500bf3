// The node of the disasters as one file: it starts in half the processor time of 1,600 modules. The
// source is the same.
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Files beside a module are found where the module was. */
const whereItWas: Plugin = {
  name: 'where-it-was',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const folder = JSON.stringify(dirname(path))
      return { contents: text.replaceAll('import.meta.dirname', folder), loader: 'ts' }
    })
  },
}

export type Bundle = { file: string; folder: string }
let bundled: Promise<Bundle> | undefined

/** Made once, and gone with this process. */
export function bundledChild(): Promise<Bundle> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-node-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'child.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'child.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    plugins: [whereItWas],
    logLevel: 'error',
    // Some packages are CommonJS, and ask for others when they run.
    banner: {
      js: `const require = process.getBuiltinModule('module').createRequire(import.meta.url)`,
    },
  })
  return { file, folder }
}

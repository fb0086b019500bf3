// Bundles the command into dist/main.js, one file that has no dependency at run time.
import { join } from 'node:path'
import { build } from 'esbuild'

await build({
  entryPoints: [join(import.meta.dirname, 'main.ts')],
  outfile: join(import.meta.dirname, 'dist/main.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.12',
  banner: { js: '#!/usr/bin/env node' },
})

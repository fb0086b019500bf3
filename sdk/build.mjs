// The package's dist: JavaScript and declarations. Declarations keep the names of the sources in
// their imports, so these are renamed as the compiler renames those of the code.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
rmSync(join(folder, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', folder], { stdio: 'inherit' })
for (const file of readdirSync(join(folder, 'dist'), { recursive: true })) {
  if (!file.endsWith('.d.ts')) continue
  const path = join(folder, 'dist', file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/(from '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'"))
}

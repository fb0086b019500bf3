// bin/check: runs every step and prints its time and all complaints; never stops at the first.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { checkAddresses } from './addresses.ts'
import { checkBounds } from './bounds.ts'
import { checkExports } from './exports.ts'
import { checkGenerated, renewGenerated } from './generated.ts'
import { checkLayers } from './layers.ts'
import { checkFileNames, checkLinks } from './links.ts'
import { checkNames } from './names.ts'
import { checkSdk, renewSdk } from './sdk/client.ts'
import { checkSizes, wrapTree } from './sizes.ts'
import { type Complaint, openTree } from './tree.ts'
import { checkVocabulary, wordsBelow } from './vocabulary.ts'

const root = resolve(import.meta.dirname, '../..')
const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false']

/** Runs a Node tool; its output is its one complaint. */
function tool(command: readonly string[]): Complaint[] {
  const ran = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return ran.status === 0 ? [] : [ran.error?.message ?? `${ran.stdout}${ran.stderr}`.trim()]
}

let failed = 0
function step(name: string, run: () => Complaint[]): void {
  const start = performance.now()
  let complaints: Complaint[]
  try {
    complaints = run()
  } catch (error) {
    complaints = [error instanceof Error ? error.message : String(error)]
  }
  const took_ms = Math.round(performance.now() - start)
  const result = complaints.length === 0 ? 'ok' : 'FAILED'
  process.stdout.write(`${result.padEnd(7)} ${name.padEnd(16)} ${String(took_ms).padStart(6)} ms\n`)
  for (const complaint of complaints) process.stdout.write(`${complaint.replaceAll(/^/gm, '  ')}\n`)
  if (complaints.length > 0) failed += 1
}

const [option, ...rest] = process.argv.slice(2)
if (option === '--words' && rest.length > 0) {
  const words = rest.flatMap((path) => wordsBelow(openTree(root), path))
  process.stdout.write(words.map((word) => `${word}\n`).join(''))
  process.exit(words.length > 0 ? 1 : 0)
}
if (rest.length > 0 || (option !== undefined && option !== '--write')) {
  process.stderr.write(
    'bin/check takes --write (renew, format, fix), --words PATH ... (private words), or nothing\n',
  )
  process.exit(2)
}
const write = option === '--write'

step('generated files', () => (write ? renewGenerated : checkGenerated)(openTree(root)))
step('client (sdk)', () => (write ? renewSdk : checkSdk)(root))
if (write) step('comments', () => wrapTree(openTree(root)))
step('format and lint', () => tool([...biome, '--max-diagnostics=200', ...(write ? [option] : [])]))
step('types', () => [...tool(tsc), ...tool([...tsc, '--project', 'dashboard'])])
// Opened only now: --write may have changed the files.
const tree = openTree(root)
step('layers', () => checkLayers(tree))
step('bounds', () => checkBounds(tree))
step('sizes', () => checkSizes(tree))
step('addresses', () => checkAddresses(tree))
step('links', () => [...checkLinks(tree), ...checkFileNames(tree)])
step('exports', () => checkExports(tree))
step('names', () => checkNames(tree))
step('vocabulary', () => checkVocabulary(tree))

if (failed > 0) process.stdout.write(`Steps that failed: ${failed}\n`)
process.exitCode = failed > 0 ? 1 : 0

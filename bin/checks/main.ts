// bin/check: runs every step and prints its time and all complaints; never stops at the first.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { checkAddresses } from './addresses.ts'
import { checkArchitecture } from './architecture.ts'
import { checkBounds } from './bounds.ts'
import { checkExports } from './exports.ts'
import { checkFolders } from './folders/folders.ts'
import { checkGenerated, renewGenerated } from './generated.ts'
import { checkLayers } from './layers.ts'
import { checkFileNames, checkLinks, checkNamesInComments } from './links.ts'
import { checkNames } from './names.ts'
import { checkProse } from './prose/prose.ts'
import { checkSdk, renewSdk } from './sdk/client.ts'
import { checkFunctions } from './sizes/functions.ts'
import { checkSizes, wrapTree } from './sizes/sizes.ts'
import { type Complaint, openTree } from './tree.ts'
import { checkVocabulary } from './vocabulary.ts'

const root = resolve(import.meta.dirname, '../..')
const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']
// With incremental builds, usually only the files that a change affects are checked again.
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false', '--incremental']
const buildInfo = (project: string) => [
  '--tsBuildInfoFile',
  `node_modules/.cache/types/${project}.tsbuildinfo`,
]
const running = promisify(execFile)

/** Runs a Node tool, whose output becomes its one complaint. */
async function tool(command: readonly string[]): Promise<Complaint[]> {
  try {
    await running(process.execPath, command, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    return []
  } catch (error) {
    const { stdout = '', stderr = '', message } = Object(error)
    return [`${stdout}${stderr}`.trim() || String(message ?? error)]
  }
}

let failed = 0
async function step(name: string, run: () => Complaint[] | Promise<Complaint[]>): Promise<void> {
  const start = performance.now()
  let complaints: Complaint[]
  try {
    complaints = await run()
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
if (rest.length > 0 || (option !== undefined && option !== '--write')) {
  process.stderr.write('bin/check takes --write (renew, format, fix), or nothing\n')
  process.exit(2)
}
const write = option === '--write'

const lint = () =>
  step('format and lint', () =>
    tool([...biome, '--max-diagnostics=200', ...(write ? [option] : [])]),
  )
const types = () =>
  step('types', async () => [
    ...(await tool([...tsc, ...buildInfo('all')])),
    ...(await tool([...tsc, ...buildInfo('dashboard'), '--project', 'dashboard'])),
  ])
if (write) {
  await step('generated files', () => renewGenerated(openTree(root)))
  await step('client (sdk)', () => renewSdk(root))
  await step('comments', () => wrapTree(openTree(root)))
  await lint()
  await types()
}
// The tree is opened only now, because --write may have changed the files.
const tree = openTree(root)
/** These tools run in processes of their own while the other steps run in this one. */
const tools = write ? [] : [types(), lint()]
if (!write) {
  await step('generated files', () => checkGenerated(tree))
  await step('client (sdk)', () => checkSdk(root))
}
await step('layers', () => checkLayers(tree))
await step('architecture', () => checkArchitecture(tree))
await step('folders', () => checkFolders(tree))
await step('bounds', () => checkBounds(tree))
await step('sizes', () => checkSizes(tree))
await step('functions', () => checkFunctions(tree))
await step('addresses', () => checkAddresses(tree))
await step('links', () => [
  ...checkLinks(tree),
  ...checkFileNames(tree),
  ...checkNamesInComments(tree),
])
await step('exports', () => checkExports(tree))
await step('names', () => checkNames(tree))
await step('vocabulary', () => checkVocabulary(tree))
await step('prose', () => checkProse(tree))
await Promise.all(tools)

if (failed > 0) process.stdout.write(`Steps that failed: ${failed}\n`)
process.exitCode = failed > 0 ? 1 : 0

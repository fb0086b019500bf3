// One process of a test run: its files one after the other, each as its own suite. Resources that a
// file opens at import or in a hook are closed when that file ends, not when the process does.
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { after, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { measureFile } from './costs.ts'
import { freshModules } from './fresh-modules.ts'
import { assertNothingLeaked } from './secret-watch.ts'
import { closeSharedBrowser, shareBrowser } from './shared-browser.ts'
import { closeSharedNodes, shareNodes } from './shared-node.ts'
import { holdSuite } from './test-context.ts'

const root = resolve(import.meta.dirname, '../..')
/** For a file, and for each test in it. */
const file_ms = 300_000
const grace_ms = 5000

/** Runs the files, paths from the root. One that hangs fails, and the next one starts. */
export async function runShard(files: readonly string[]): Promise<void> {
  registerHooks({ resolve: freshModules(root) })
  shareNodes()
  shareBrowser()
  let running: string | undefined
  // Node names the entry of the shard alone, also when Ctrl-C ends it.
  process.on('exit', () => {
    if (running !== undefined) process.stderr.write(`The process ended during ${running}\n`)
  })
  for (const file of files) {
    running = file
    const measured = measureFile()
    await runFile(file)
    measured(file)
  }
  running = undefined
  await Promise.all([closeSharedNodes(), closeSharedBrowser()])
  reportOpenHandles()
}

async function runFile(file: string): Promise<void> {
  const ended = Promise.withResolvers<void>()
  // Node runs no `after` hook of a suite that was cancelled.
  const latest = setTimeout(ended.resolve, file_ms + grace_ms)
  holdSuite()
  // It returns at once; its hooks run when its last test has ended.
  void suite(file, { timeout: file_ms }, async () => {
    holdSuite()
    try {
      await import(pathToFileURL(join(root, file)).href)
    } finally {
      after(() => {
        ended.resolve()
        assertNothingLeaked()
      })
    }
  })
  await ended.promise
  clearTimeout(latest)
}

/** A process that does not end says what keeps it. The timer does not keep it itself. */
function reportOpenHandles(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`The tests have ended, but the process has not: ${open}\n`)
    process.exit(1)
  }, 30_000).unref()
}

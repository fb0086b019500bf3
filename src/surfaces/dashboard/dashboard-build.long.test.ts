// A stale bundle at the start: a child process builds it and says so over IPC. Meanwhile pages show
// that and reload; afterwards the new bundle is served.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import pino from 'pino'
import { DashboardBuild } from './dashboard-build.ts'

const root = join(import.meta.dirname, '../../..')
const ended: DashboardBuild[] = []
const folders: string[] = []
after(async () => {
  await Promise.all(ended.map((build) => build.close()))
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
})

/** A folder with a build.ts of its own, and the lines that are logged. */
async function inFolder(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-build-'))
  folders.push(folder)
  writeFileSync(join(folder, 'build.ts'), script)
  const lines: string[] = []
  const build = new DashboardBuild(pino({}, { write: (line: string) => lines.push(line) }), folder)
  ended.push(build)
  return { folder, build, lines }
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 120_000
  while (!holds()) {
    if (Date.now() > end) throw new Error('It did not come about')
    await new Promise((done) => setTimeout(done, 20))
  }
}

describe('the build at the start', () => {
  it('rebuilds a bundle whose stamp is old, and is ready with the new one', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'dashboard-stale-'))
    folders.push(copy)
    for (const name of [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'dashboard',
      'sdk',
      'shared',
    ])
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => !/\/(dist|node_modules)(-|\/|$)/.test(path.slice(root.length)),
      })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const folder = join(copy, 'dashboard')
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist/index.html'), 'old')
    writeFileSync(join(folder, 'dist.stamp'), 'old')
    const build = new DashboardBuild(pino(), folder)
    ended.push(build)
    assert.equal(build.state, 'ready', 'before the child has looked')
    await build.refresh()
    assert.equal(build.state, 'building')
    await until(() => build.state !== 'building')
    assert.equal(build.state, 'ready')
    assert.match(readFileSync(join(folder, 'dist/index.html'), 'utf8'), /<div id="root">/)
    await build.refresh()
    assert.equal(build.state, 'ready', 'now the stamp is current')
  })

  it('goes from one state to the next by the messages of the child', async () => {
    const { build } = await inFolder(`process.send('building')
setTimeout(() => { process.send('built'); process.disconnect() }, 300)`)
    assert.equal(build.state, 'no_bundler')
    await build.refresh()
    assert.equal(build.state, 'building')
    await until(() => build.state === 'ready')
  })

  it('has failed when the child fails, and the log has the reason', async () => {
    const { build, lines } = await inFolder(`process.send('building')
process.stderr.write('a file is broken')
process.exitCode = 1
process.disconnect()`)
    await build.refresh()
    await until(() => build.state === 'failed')
    assert.match(lines.join(''), /building the dashboard failed/)
    assert.match(lines.join(''), /a file is broken/)
  })

  it('says that the packages are missing where they are', async () => {
    const { build } = await inFolder(`process.send('no_bundler')
process.disconnect()`)
    await build.refresh()
    assert.equal(build.state, 'no_bundler')
  })

  it('ends with the service, without an error in the log', async () => {
    const { build, lines } = await inFolder(`process.send('building')
setInterval(() => undefined, 1_000)`)
    await build.refresh()
    await build.close()
    assert.deepEqual([build.state, lines], ['building', []])
  })
})

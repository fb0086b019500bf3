// The lock of a folder: one holder at a time, named in the refusal, and gone with its process.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { FolderLocked, lockFolder } from './folder-lock.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-lock-'))
after(() => rmSync(scratch, { recursive: true }))
const lockModule = join(import.meta.dirname, 'folder-lock.ts')
const newFolder = () => mkdtempSync(join(scratch, 'folder-'))

/** Another process that holds the lock until it is killed. */
async function holder(folder: string) {
  const program = `
    const { lockFolder } = await import(${JSON.stringify(lockModule)})
    lockFolder(${JSON.stringify(folder)})
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('refuses a second lock in one line with the holder, and grants it after the release', () => {
  const folder = newFolder()
  const first = lockFolder(folder)
  const words = new RegExp(`${folder} is in use by process ${process.pid}, since 20\\S+Z$`)
  assert.throws(() => lockFolder(folder), words)
  assert.throws(() => lockFolder(folder), FolderLocked)
  first.release()
  lockFolder(folder).release()
})

test('a killed holder holds nothing, even while its process id is in use again', async () => {
  const folder = newFolder()
  const child = await holder(folder)
  assert.throws(() => lockFolder(folder), new RegExp(`in use by process ${child.pid}, since`))
  child.kill('SIGKILL')
  await once(child, 'exit')
  // The file looks as if this living process had got the number of the dead one.
  const now = new Date().toISOString()
  writeFileSync(
    join(folder, 'lock.json'),
    JSON.stringify({ pid: process.pid, since: now, host: '' }),
  )
  lockFolder(folder).release()
})

test('an unreadable note of the holder changes nothing', () => {
  const folder = newFolder()
  const first = lockFolder(folder)
  writeFileSync(join(folder, 'lock.json'), '{')
  assert.throws(() => lockFolder(folder), /is in use by another process$/)
  first.release()
})

test('of two that lock in the same moment one is granted it', async () => {
  const folders = Array.from({ length: 3 }, newFolder)
  const begin_ms = Date.now() + 1_000
  const program = `
    const { lockFolder } = await import(${JSON.stringify(lockModule)})
    const outcomes = []
    for (const [i, folder] of ${JSON.stringify(folders)}.entries()) {
      while (Date.now() < ${begin_ms} + i * 700);
      try { lockFolder(folder); outcomes.push('held') } catch ({ name }) { outcomes.push(name) }
    }
    console.log(outcomes.join())
    setInterval(() => {}, 1000)`
  const children = [1, 2].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const [one = [], two = []] = await Promise.all(
    children.map(async ({ stdout }) =>
      String((await once(stdout, 'data'))[0])
        .trim()
        .split(','),
    ),
  )
  for (const child of children) child.kill()
  for (const [i] of folders.entries())
    assert.deepEqual([one[i], two[i]].sort(), ['FolderLocked', 'held'], `${one} ${two}`)
})

test('grants one of many concurrent attempts', async () => {
  const folder = newFolder()
  const program = `
    const { lockFolder } = await import(${JSON.stringify(lockModule)})
    let outcome = 'held'
    try { lockFolder(${JSON.stringify(folder)}) } catch ({ name }) { outcome = name }
    console.log(outcome)
    setInterval(() => {}, 1000)`
  const children = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const outcomes = await Promise.all(
    children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
  )
  for (const child of children) child.kill()
  assert.deepEqual(outcomes.sort(), [
    'FolderLocked',
    'FolderLocked',
    'FolderLocked',
    'FolderLocked',
    'held',
  ])
})

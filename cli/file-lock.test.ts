// Only one command at a time holds the lock, and a command that has died holds it no longer.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { withFileLock } from './file-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'file-lock-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'lock')
beforeEach(() => rmSync(path, { force: true }))

describe('the lock file', () => {
  it('lets one holder work at a time', async () => {
    let holders = 0
    let most = 0
    const work = async () => {
      holders += 1
      most = Math.max(most, holders)
      await turn()
      holders -= 1
    }
    await Promise.all([1, 2, 3, 4].map(() => withFileLock(path, work)))
    assert.equal(most, 1)
    assert.equal(existsSync(path), false)
  })

  it('is released by work that fails', async () => {
    const failing = withFileLock(path, () => Promise.reject(new Error('no')))
    await assert.rejects(failing, /no/)
    assert.equal(existsSync(path), false)
  })

  it('is taken over from a process that has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    writeFileSync(path, `${hostname()} ${pid} an-id`)
    assert.equal(await withFileLock(path, () => 'taken'), 'taken')
  })

  it('is taken over from another machine after a minute, not before', async () => {
    writeFileSync(path, 'another-machine 1 an-id')
    let isTaken = false
    const taking = withFileLock(path, () => {
      isTaken = true
    })
    const past = new Date(Date.now() - 61_000)
    // This one began later, and looks just as often.
    const other = `${path}-2`
    writeFileSync(other, 'another-machine 1 an-id')
    const control = withFileLock(other, () => 'taken')
    utimesSync(other, past, past)
    assert.equal(await control, 'taken')
    assert.equal(isTaken, false)
    utimesSync(path, past, past)
    await taking
    assert.equal(isTaken, true)
  })
})

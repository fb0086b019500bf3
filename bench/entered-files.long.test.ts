// The steps of a request are in few files: bin/bench entered-files exits with 1 when a purchase, a
// tool call or a redemption executes more of them than its limit.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

test('a purchase, a tool call and a redemption execute no more files than their limits', async () => {
  const { code, printed } = await new Promise<{ code: unknown; printed: string }>((resolve) => {
    const command = join(root, 'bin/bench')
    execFile(command, ['entered-files'], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, printed: stdout + stderr }),
    )
  })
  assert.equal(code, 0, printed)
  assert.equal([...printed.matchAll(/\(aim: at most [0-9]+; reached\)/g)].length, 3, printed)
})

// bin/dev: the service under Node's watcher, which starts it again on the same data when a source
// file changes, and stops it cleanly.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, startProgram } from '../support/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-dev-'))
chmodSync(scratch, 0o711)
after(() => rmSync(scratch, { recursive: true, force: true }))

test('starts, starts again after a change, and stops', async (t) => {
  const program = startProgram({
    command: [join(root, 'bin/dev')],
    environment: { DATA_DIR: join(scratch, 'data') },
  })
  // A kill, as of other programs, would leave the watcher and the service running.
  t.after(() => program.child.kill('SIGTERM') && program.ended)
  await program.line(/password\?token=/)
  // Noticed as a change, and none: the file keeps its text and its times.
  const source = join(root, 'src/main.ts')
  const { atime, mtime } = statSync(source)
  utimesSync(source, atime, mtime)
  const starts = () => program.lines.filter((line) => line.startsWith('  Health')).length
  for (let tries = 0; tries < 600 && starts() < 2; tries += 1) await sleep(50)
  assert.equal(starts(), 2, program.lines.join('\n'))
  assert.match(program.lines.join('\n'), /key of an earlier start/)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  assert.equal(program.lines.filter((line) => line === 'Stopped.').length, 2)
})

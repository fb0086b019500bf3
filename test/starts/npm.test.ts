// `npm start` and the processes below it: whichever of them is signalled or killed, the service
// stops cleanly with its children.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startProgram } from '../support/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-npm-'))
chmodSync(scratch, 0o711)
after(() => rmSync(scratch, { recursive: true, force: true }))

type Process = { pid: number; parent: number; command: string }

function processes(): Process[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid ? [{ pid: Number(pid), parent: Number(parent), command }] : []
  })
}

/** Everything that was started below a process, nearest first. */
function below(root: number): Process[] {
  const all = processes()
  const found: Process[] = []
  for (let level = [root]; level.length > 0; ) {
    const next = all.filter(({ parent }) => level.includes(parent))
    found.push(...next)
    level = next.map(({ pid }) => pid)
  }
  return found
}

const cases: { who: string; signal: NodeJS.Signals; of: (npm: number) => number | undefined }[] = [
  { who: 'npm', signal: 'SIGTERM', of: (npm) => npm },
  { who: 'npm', signal: 'SIGKILL', of: (npm) => npm },
  {
    who: "npm's shell",
    signal: 'SIGTERM',
    of: (npm) => below(npm).find(({ command }) => /^sh -c/.test(command))?.pid,
  },
  {
    who: 'start.cjs',
    signal: 'SIGTERM',
    of: (npm) => below(npm).find(({ command }) => /^node start\.cjs/.test(command))?.pid,
  },
]

// On one data folder: the first start makes the database, the others find it.
describe('npm start', () => {
  for (const { who, signal, of } of cases)
    test(`stops when ${who} gets ${signal}`, async () => {
      const program = startProgram({
        command: ['npm', 'start'],
        environment: { DATA_DIR: join(scratch, 'data'), npm_config_update_notifier: 'false' },
      })
      await program.line(/Health/)
      const npm = program.child.pid ?? 0
      const started = below(npm)
      assert.ok(
        started.some(({ command }) => command.includes('sandbox/registry/main.ts')),
        JSON.stringify(started),
      )
      const pid = of(npm)
      assert.ok(pid)
      process.kill(pid, signal)
      await program.line(/^Stopped\.$/)
      // Its output ends with the last of them.
      await program.ended
      for (let alive = started; alive.length > 0; ) {
        alive = processes().filter(
          ({ pid, command }) =>
            started.some((one) => one.pid === pid) && !command.includes('<defunct>'),
        )
      }
    })
})

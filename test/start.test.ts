// start.cjs under a Node that is too old: it hands over, passes signals and codes on, and leaves no
// process behind.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'

const start = join(import.meta.dirname, '..', 'start.cjs')
const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-start-'))
after(() => rmSync(folder, { recursive: true }))

const target = join(folder, 'target.ts')
writeFileSync(
  target,
  `const words: string[] = process.argv.slice(2)
   for (const signal of ['SIGTERM', 'SIGINT'] as const)
     process.on(signal, () => { console.log(signal); process.exit(7) })
   console.log(JSON.stringify({ pid: process.pid, version: process.version, words }))
   if (words[0] === 'wait') setInterval(() => {}, 1000)
   else process.exitCode = 3`,
)

/** Makes a Node look old: the version that start.cjs reads, and no execve as before 22.15. */
const disguise = join(folder, 'disguise.cjs')
writeFileSync(
  disguise,
  `if (!process.env.AGENT_REGISTRAR_FOLLOWS) {
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
     process.execve = undefined
   }`,
)

function run(words: string[], old: boolean): { child: ChildProcess; lines: AsyncIterator<string> } {
  const options = old ? ['--require', disguise] : []
  const child = spawn(process.execPath, [...options, start, target, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  assert.ok(child.stdout)
  const lines = createInterface({ input: child.stdout })
  return { child, lines: lines[Symbol.asyncIterator]() }
}

async function firstLine(lines: AsyncIterator<string>) {
  const { value } = await lines.next()
  return JSON.parse(String(value))
}

const bundled = existsSync(join(import.meta.dirname, '..', 'node_modules', '.bin', 'node'))

describe('start.cjs', () => {
  test('runs in place on a Node that is new enough', async () => {
    const { child, lines } = run(['a', 'b'], false)
    const reported = await firstLine(lines)
    assert.deepEqual(reported, { pid: child.pid, version: process.version, words: ['a', 'b'] })
    assert.deepEqual(await once(child, 'exit'), [3, null])
  })

  const skip = bundled ? false : 'No bundled Node is installed here.'
  test('hands over to the bundled Node, with arguments and exit code', { skip }, async () => {
    const { child, lines } = run(['a', 'b'], true)
    const reported = await firstLine(lines)
    assert.notEqual(reported.pid, child.pid)
    assert.deepEqual(reported.words, ['a', 'b'])
    assert.deepEqual(await once(child, 'exit'), [3, null])
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`passes ${signal} on, once, and ends with the code`, { skip }, async () => {
      const { child, lines } = run(['wait'], true)
      await firstLine(lines)
      const ended = once(child, 'exit')
      child.kill(signal)
      assert.equal((await lines.next()).value, signal)
      assert.deepEqual(await ended, [7, null])
    })

  test('takes its successor along when it is killed', { skip }, async () => {
    const { child, lines } = run(['wait'], true)
    await firstLine(lines)
    child.kill('SIGKILL')
    assert.equal((await lines.next()).value, 'SIGTERM')
    assert.equal((await lines.next()).done, true)
  })
})

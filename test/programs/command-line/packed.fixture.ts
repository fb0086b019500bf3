// The command line as its users get it: packed, installed into an empty folder, run as a process.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { TestService } from '../../support/service.ts'

export type Said = { code: number | null; stdout: string; stderr: string }
export type Environment = Record<string, string>

export const shell = promisify(execFile)
export const folder = mkdtempSync(join(tmpdir(), 'command-line-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const source = join(import.meta.dirname, '../../../cli')
const packed = await shell('npm', ['pack', source, '--silent'], { cwd: folder })
export const tarball = `./${packed.stdout.trim().split('\n').at(-1)}`
await shell('npm', ['install', '--offline', '--no-audit', '--silent', tarball], { cwd: folder })
export const program = join(folder, 'node_modules/agent-registrar/dist/main.js')

/** The environment of a user with a home of its own, and no credential. */
export function newHome(registrar: Pick<TestService, 'url'>, name: string): Environment {
  const HOME = join(folder, name)
  mkdirSync(HOME)
  return { PATH: process.env.PATH ?? '', HOME, AGENT_REGISTRAR_URL: registrar.url }
}

export function start(words: string[], env: Environment): ChildProcess {
  return spawn(process.execPath, [program, ...words], { cwd: folder, env })
}

export async function run(words: string[], env: Environment, input = ''): Promise<Said> {
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env })
  child.stdin.end(input)
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

/** The document that a command prints with --json, which is done. */
export async function jsonOf(words: string[], env: Environment, input = '') {
  const { code, stdout, stderr } = await run([...words, '--json'], env, input)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

/** What a child prints on standard error until it matches. */
export function waitFor(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let seen = ''
    child.stderr?.on('data', (chunk) => {
      seen += chunk
      const found = pattern.exec(seen)
      if (found) resolve(found)
    })
    child.once('close', () => reject(new Error(`It has ended: ${seen}`)))
  })
}

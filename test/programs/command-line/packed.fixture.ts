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

type Said = { code: number | null; stdout: string; stderr: string }
export type Environment = Record<string, string>

export const shell = promisify(execFile)
export const workFolder = mkdtempSync(join(tmpdir(), 'command-line-'))
after(() => rmSync(workFolder, { recursive: true, force: true }))
const source = join(import.meta.dirname, '../../../cli')
const packed = await shell('npm', ['pack', source, '--silent'], { cwd: workFolder })
export const tarball = `./${packed.stdout.trim().split('\n').at(-1)}`
await shell('npm', ['install', '--offline', '--no-audit', '--silent', tarball], { cwd: workFolder })
export const program = join(workFolder, 'node_modules/agent-registrar/dist/main.js')

/** The environment of a user with a home of its own, and no credential. */
export function newHome(registrar: Pick<TestService, 'url'>, name: string): Environment {
  const HOME = join(workFolder, name)
  mkdirSync(HOME)
  return { PATH: process.env.PATH ?? '', HOME, AGENT_REGISTRAR_URL: registrar.url }
}

export function start(words: string[], env: Environment): ChildProcess {
  return spawn(process.execPath, [program, ...words], { cwd: workFolder, env })
}

export async function runPacked(words: string[], env: Environment, input = ''): Promise<Said> {
  const child = spawn(process.execPath, [program, ...words], { cwd: workFolder, env })
  child.stdin.end(input)
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

/** The document that a command prints with --json, which is done. */
export async function jsonOf(words: string[], env: Environment, input = '') {
  const { code, stdout, stderr } = await runPacked([...words, '--json'], env, input)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

/** Reads standard error of a child until it matches. */
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

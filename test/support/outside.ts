// Programs of others that tests start, from test/outside with a lockfile of its own: their paths,
// and the message where they are not installed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const installed = join(import.meta.dirname, '../outside/node_modules')
const missing = 'Programs of others are not installed: npm ci --prefix test/outside'

/** For `describe` and `it`: on CI nothing is skipped, so that a missing program fails there. */
export const skip = existsSync(installed) || process.env.CI === 'true' ? false : missing

export const conformance = join(installed, '@modelcontextprotocol/conformance/dist/index.js')
export const inspector = join(
  installed,
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

export const lighthouse = join(installed, 'lighthouse/cli/index.js')
export const spectral = join(installed, '@stoplight/spectral-cli/dist/index.js')
export const redocly = join(installed, '@redocly/cli/bin/cli.js')
export const openapiTypescript = join(installed, 'openapi-typescript/bin/cli.js')

type Ended = { code: number | null; stdout: string; stderr: string }
export type Run = {
  /** Called with all of stdout or stderr so far, whenever there is more. */
  onOutput?: (soFar: string) => void
  /** In addition to PATH; nothing else of this process's environment is passed on. */
  environment?: Record<string, string>
}

/** Runs a JavaScript program with this Node until it ends; throws where it is not installed. */
export async function run(program: string, args: string[], options: Run = {}): Promise<Ended> {
  if (!existsSync(program)) throw new Error(missing)
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...options.environment },
  })
  for (const stream of [child.stdout, child.stderr]) {
    let soFar = ''
    stream.on('data', (chunk) => {
      soFar += chunk
      options.onOutput?.(soFar)
    })
  }
  const ended = once(child, 'close')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ])
  return { code, stdout, stderr }
}

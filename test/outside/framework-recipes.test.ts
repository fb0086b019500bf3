// The page "Recipes for frameworks" followed literally: every block of code is run against the
// service that served it, but those whose caption says that they are not.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { installed, skip } from '../support/outside.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const { key: API_KEY } = await registrar.customer()
const execute = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'framework-recipes-'))
after(() => rmSync(folder, { recursive: true, force: true }))
symlinkSync(installed, join(folder, 'node_modules'))

const { text: page } = await registrar.request('GET', '/docs/frameworks')
const blocks = [
  ...page.matchAll(/<p class="caption">([^<]*)<\/p>\s*<pre[^>]*><code>([^<]*)<\/code>/g),
].map(([, caption = '', code = '']) => ({ caption, code: unescaped(code) }))
const isRun = ({ caption }: { caption: string }) => !caption.includes('not run by our tests')
/** test/sdk/package.long.test.ts runs it, where the package is installed. */
const isOfSdk = ({ caption }: { caption: string }) => caption === 'sdk.mjs'

function unescaped(text: string): string {
  const characters: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&', '#39': "'" }
  return text.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => characters[name] ?? '')
}

async function run(caption: string, code: string): Promise<string> {
  const env = { PATH: process.env.PATH, API_KEY }
  const options = { cwd: folder, env, encoding: 'utf8' } as const
  if (caption.startsWith('Shell')) return (await execute('/bin/sh', ['-euc', code], options)).stdout
  writeFileSync(join(folder, caption), code)
  return (await execute(process.execPath, [caption], options)).stdout
}

describe('the page "Recipes for frameworks"', { skip }, () => {
  const [variable, ...recipes] = blocks.filter((one) => isRun(one) && !isOfSdk(one))

  it('begins with the key, and has recipes that are run and some that are not', () => {
    assert.equal(variable?.code, 'export API_KEY=ar_...')
    const not_run = blocks.filter((one) => !isRun(one))
    assert.deepEqual([recipes.length, not_run.length, blocks.length], [5, 5, 12])
  })

  for (const { caption, code } of recipes)
    it(`${caption} checks a name`, async () => {
      const output = (await run(caption, code)).replaceAll('\\', '')
      assert.match(output, /"domain":"my-agent\.com","domain_unicode":"my-agent\.com"/)
      assert.match(output, /"available":(true|false)/)
    })
})

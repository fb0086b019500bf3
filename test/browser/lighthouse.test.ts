// Lighthouse's accessibility score of the pages that everybody opens first, beside the axe findings
// of every page. EVERY_VIEW=true has it score two more.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { chromium } from 'playwright-core'
import { buildIfStale } from '../../dashboard/build.ts'
import { chromiumArgs, chromiumPath, skipChromium } from '../support/chromium.ts'
import { lighthouse, run, skip } from '../support/outside.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { ours } from '../support/sign-in.ts'

await buildIfStale()
const registrar = await startService()
const origin = `http://localhost:${new URL(registrar.url).port}`
const owner = await newOwner(registrar)
const every = process.env.EVERY_VIEW === 'true'
const scratch = mkdtempSync(join(tmpdir(), 'lighthouse-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

type Report = {
  finalDisplayedUrl: string
  categories: { accessibility: { score: number } }
  audits: Record<string, { score: number | null; title: string; scoreDisplayMode: string }>
}

/** A browser whose tabs share its cookies, and its port for Lighthouse. */
async function openBrowser() {
  const context = await chromium.launchPersistentContext(scratch, {
    executablePath: chromiumPath,
    args: [...chromiumArgs, '--remote-debugging-port=0'],
  })
  after(() => context.close())
  const [port = ''] = readFileSync(join(scratch, 'DevToolsActivePort'), 'utf8').split('\n')
  return { context, port }
}

async function audit(path: string, port: string): Promise<Report> {
  const { code, stdout, stderr } = await run(
    lighthouse,
    [
      origin + path,
      ...['--quiet', '--output=json', '--only-categories=accessibility'],
      ...[`--port=${port}`, '--disable-storage-reset', '--max-wait-for-load=60000'],
    ],
    { environment: { HOME: scratch, TMPDIR: scratch } },
  )
  assert.equal(code, 0, stderr)
  const report: Report = JSON.parse(stdout)
  assert.equal(report.finalDisplayedUrl, origin + path, 'it was not led elsewhere')
  return report
}

function assertAccessible({ categories, audits }: Report): void {
  const scored = Object.values(audits).filter(
    ({ scoreDisplayMode }) => scoreDisplayMode === 'binary',
  )
  const failed = scored.filter(({ score }) => score !== 1).map(({ title }) => title)
  assert.deepEqual(failed, [])
  assert.ok(scored.length >= 10, `${scored.length} rules applied`)
  assert.equal(categories.accessibility.score, 1)
}

describe('Lighthouse', { skip: skipChromium || skip }, () => {
  it('scores the accessibility of pages with 100, before and after the log-in', async (t) => {
    const { context, port } = await openBrowser()
    for (const path of ['/dashboard/log-in', '/docs', ...(every ? ['/dashboard/sign-up'] : [])])
      await t.test(path, async () => assertAccessible(await audit(path, port)))
    const body = { domain: 'lighthouse.com' }
    const bought = await registrar.request('POST', '/v1/domains', { token: owner.key, body })
    assert.equal(bought.status, 200, bought.text)
    const { email, password } = owner
    const headers = { ...ours, origin }
    const logIn = { data: { email, password }, headers }
    const answer = await context.request.post(`${origin}/v1/dashboard/login`, logIn)
    assert.equal(answer.status(), 200, await answer.text())
    for (const path of ['/dashboard/domains', ...(every ? ['/dashboard/'] : [])])
      await t.test(path, async () => assertAccessible(await audit(path, port)))
  })
})

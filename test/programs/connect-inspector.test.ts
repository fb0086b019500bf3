// The Inspector's command line, unmodified: one process per call, with consent in the first one.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { freePort } from '../../src/kit/net/free-port.ts'
import { buy, endAccessTokens, grantsOf, type Program } from '../journeys/connect.ts'
import { inspector, run, skip } from '../support/outside.ts'
import { type Choice, newOwner, type Owner } from '../support/owner.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const url = `${registrar.service.settings.mcp_url}/mcp`

type Said = { code: number | null; result: Record<string, unknown>; stderr: string; asked: number }

/** An Inspector with its own home folder, used by this owner. */
async function newInspector(owner: Owner, era: 'legacy' | 'auto', choice: Choice = {}) {
  const home = mkdtempSync(join(tmpdir(), 'agent-registrar-inspector-'))
  after(() => rmSync(home, { recursive: true, force: true }))
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
  const environment = {
    HOME: home,
    // An empty PATH, so that it opens no browser.
    PATH: home,
    MCP_AUTO_OPEN_ENABLED: 'true',
    MCP_INSPECTOR_SECRET_STORE: 'file',
    MCP_OAUTH_CALLBACK_URL: callback,
  }
  return async (...words: string[]): Promise<Said> => {
    const decisions: Promise<unknown>[] = []
    const onOutput = (soFar: string) => {
      const link = /navigate to: (http\S+)\n/.exec(soFar)?.[1]
      if (link !== undefined && decisions.length === 0)
        decisions.push(owner.decide(link, choice).then((answer) => fetch(answer)))
    }
    const options = ['--cli', url, '--transport', 'http', '--format', 'json', '--protocol-era', era]
    const { code, stdout, stderr } = await run(inspector, [...options, ...words], {
      onOutput,
      environment,
    })
    await Promise.all(decisions)
    const result = stdout.trim() === '' ? {} : Object(JSON.parse(stdout))
    return { code, result, stderr, asked: decisions.length }
  }
}

type Inspector = Awaited<ReturnType<typeof newInspector>>

async function use(inspect: Inspector, tool: string, args: object) {
  const json = JSON.stringify(args)
  const called = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    tool,
    '--tool-args-json',
    json,
  )
  return {
    ...called,
    structured: Object(
      called.result.structuredContent ?? Object(called.result.result).structuredContent,
    ),
  }
}

for (const era of ['legacy', 'auto'] as const)
  describe(`the Inspector, ${era}`, { skip }, () => {
    it('connects after a 401, buys a domain, and continues with a new token', async () => {
      const owner = await newOwner(registrar)
      const inspect = await newInspector(owner, era)
      // Strict: it exits with 6 when a tool's schema is not portable.
      const listed = await inspect('--method', 'tools/list', '--strict')
      assert.deepEqual([listed.code, listed.asked], [0, 0], listed.stderr)
      const first = await use(inspect, 'get_account', {})
      assert.deepEqual([first.code, first.asked], [0, 1], first.stderr)
      assert.equal(first.structured.id, owner.id)
      const program: Pick<Program, 'use'> = {
        use: async (tool, args) => {
          const called = await use(inspect, tool, args)
          assert.deepEqual([called.code, called.asked], [0, 0], called.stderr)
          return called.structured
        },
      }
      const domain = `inspector-${era}.com`
      await buy({ registrar, owner, program, domain })
      await endAccessTokens(registrar, owner)
      const read = await program.use('get_domain', { domain })
      assert.equal(read.status, 'active')
    })
  })

describe('the Inspector, refused', { skip }, () => {
  it('ends when its owner denies consent', async () => {
    const owner = await newOwner(registrar)
    const inspect = await newInspector(owner, 'legacy', { decision: 'deny' })
    const called = await use(inspect, 'get_account', {})
    assert.equal(called.asked, 1)
    assert.notEqual(called.code, 0)
    assert.match(called.stderr, /did not consent/)
    assert.deepEqual(await grantsOf(registrar, owner), [])
  })

  it('reports that a log-in is needed in a non-interactive call', async () => {
    const owner = await newOwner(registrar)
    const inspect = await newInspector(owner, 'legacy')
    const called = await inspect(
      '--stored-auth-only',
      '--method',
      'tools/call',
      '--tool-name',
      'get_account',
    )
    assert.deepEqual([called.code, called.asked], [3, 0], called.stderr)
  })
})

// Log-in of the packed command by the device flow: the test is the owner in a browser. Then the
// renewal of its tokens, also by commands at once, its end at the service, and MCP with it.
import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { hashSecret } from '../../../src/kit/random.ts'
import { ownerOf } from '../../../src/oauth/flow.fixture.ts'
import { fresh } from '../../contract/support/fixture.ts'
import { decideAt, formOf, openBrowser } from '../../support/browser.ts'
import { newOwner } from '../../support/owner.ts'
import { sharedService } from '../../support/service.ts'
import {
  type Environment,
  jsonOf,
  newHome,
  program,
  runPacked,
  start,
  waitFor,
} from './packed.fixture.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const owner = await newOwner(registrar, { scopes: ['keys:read', 'keys:write'] })

/** The owner enters a code in the browser, and decides. */
async function decide(user_code: string, decision: 'allow' | 'deny'): Promise<void> {
  const browser = openBrowser(registrar.url)
  const steps: [string, string][] = [
    ['user_code', user_code],
    ['confirm', 'yes'],
  ]
  let shown = await browser.open(`${registrar.url}/oauth/device`)
  const formIn = () => {
    assert.ok('page' in shown)
    const form = formOf(shown.page.text, shown.page.url)
    assert.ok(form, shown.page.text)
    return form
  }
  for (const step of steps) {
    const form = formIn()
    const hidden = form.inputs.filter(({ type }) => type === 'hidden')
    const fields = hidden.map(({ name, value }): [string, string] => [name, value])
    shown = await browser.submit(form, [...fields, step])
  }
  await decideAt(browser, formIn(), {
    login: owner,
    choice: decision === 'deny' ? { decision } : {},
  })
}

/** A log-in under way: its code, and how it ends. */
async function begin(env: Environment, ...words: string[]) {
  const child = start(['login', ...words], env)
  child.stdin?.end()
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  assert.ok(child.stdout && child.stderr)
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [, user_code = ''] = await waitFor(child, /enter the code (\S+)/)
  const ended = async () => {
    const [stdout, stderr] = await said
    return { code: await code, stdout, stderr }
  }
  return { user_code, ended }
}

async function logIn(name: string): Promise<Environment> {
  const env = newHome(registrar, name)
  const { user_code, ended } = await begin(env)
  await decide(user_code, 'allow')
  assert.equal((await ended()).code, 0)
  return env
}

const fileOf = (env: Environment) =>
  join(env.HOME ?? '', '.config/agent-registrar/credentials.json')
const keptIn = (env: Environment) => JSON.parse(readFileSync(fileOf(env), 'utf8'))[registrar.url]

/** Changes the kept log-in, as time or the service would. */
function alter(env: Environment, change: (tokens: { rest: Record<string, string> }) => void): void {
  const kept = keptIn(env)
  change(kept.tokens)
  writeFileSync(fileOf(env), JSON.stringify({ [registrar.url]: kept }))
}

const expire = (env: Environment) =>
  alter(env, ({ rest }) => {
    rest.expires_at = new Date(Date.now() - 1).toISOString()
  })

const uidOf = (user_code: string) =>
  hashSecret(`user code ${user_code.replace('-', '')}`).toString('hex')

async function changeCode(user_code: string, payload: object): Promise<void> {
  const changed = await query(
    `update oauth_models set payload = payload || $1::jsonb
      where model = 'DeviceCode' and uid = $2 returning 1`,
    [JSON.stringify(payload), uidOf(user_code)],
  )
  assert.equal(changed.length, 1)
}

async function codeRow(user_code: string): Promise<{ interval_s?: number }> {
  const [row] = await query(`select payload from oauth_models where uid = $1`, [uidOf(user_code)])
  return Object(row?.payload)
}

/** How many refresh tokens a log-in has used and holds. */
async function refreshTokens(env: Environment): Promise<number> {
  const rows = await query(
    `select count(*)::int as count from oauth_models
      where model = 'RefreshToken' and client_id = $1`,
    [keptIn(env).client_id],
  )
  return Number(rows[0]?.count)
}

describe('the log-in by a code', { concurrency: true }, () => {
  it('keeps the log-in of its owner in a file that only the user can read', async () => {
    const env = newHome(registrar, 'allowed')
    const { user_code, ended } = await begin(env, '--json')
    await decide(user_code, 'allow')
    const { code, stdout, stderr } = await ended()
    assert.equal(code, 0, stderr)
    assert.match(JSON.parse(stdout).scope, /domains:purchase/)
    assert.match(stderr, /Open http\S+\/oauth\/device\n/)
    const { tokens, refresh_token } = keptIn(env)
    for (const secret of [tokens.rest.access_token, refresh_token])
      assert.ok(!(stdout + stderr).includes(secret))
    assert.equal(statSync(fileOf(env)).mode & 0o777, 0o600)
    const shown = await jsonOf(['whoami'], env)
    assert.equal(shown.account.id, owner.id)
    assert.equal(shown.credential, 'log_in')
    assert.ok(shown.scopes.includes('domains:purchase'))
    assert.equal(shown.limits[0].spend_limit.window, 'month')
    assert.equal((await jsonOf(['buy', `${fresh()}.com`, '--yes'], env)).status, 'active')
  })

  it('says that the owner has denied it', async () => {
    const { user_code, ended } = await begin(newHome(registrar, 'denied'))
    await decide(user_code, 'deny')
    const { code, stderr } = await ended()
    assert.equal(code, 1)
    assert.match(stderr, /The owner has denied the log-in/)
  })

  it('says that the code has expired', async () => {
    const env = newHome(registrar, 'expired')
    const { user_code, ended } = await begin(env)
    await changeCode(user_code, { exp: Math.floor(Date.now() / 1000) - 1 })
    const { code, stderr } = await ended()
    assert.equal(code, 1)
    assert.match(stderr, /has expired before it was entered/)
  })

  it('slows down when the service asks for it, and goes on', async () => {
    const env = newHome(registrar, 'slow')
    const { user_code, ended } = await begin(env)
    await changeCode(user_code, { polled_ms: Date.now() + 5_000 })
    while ((await codeRow(user_code)).interval_s === undefined)
      await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal((await codeRow(user_code)).interval_s, 10)
    await decide(user_code, 'allow')
    assert.equal((await ended()).code, 0)
  })

  it('opens the page when it is asked to', async () => {
    const env = newHome(registrar, 'opened')
    const opener = join(env.HOME ?? '', 'xdg-open')
    writeFileSync(opener, `#!/bin/sh\necho "$1" > '${env.HOME}/opened'\n`)
    chmodSync(opener, 0o755)
    const { user_code, ended } = await begin({ ...env, PATH: `${env.HOME}:${env.PATH}` }, '--open')
    await decide(user_code, 'deny')
    await ended()
    const link = readFileSync(join(env.HOME ?? '', 'opened'), 'utf8').trim()
    assert.equal(new URL(link).searchParams.get('user_code'), user_code)
  })

  it('refuses a scope that the service does not know', async () => {
    const env = newHome(registrar, 'scope')
    const { code, stderr } = await runPacked(['login', '--scope', 'billing:writ'], env)
    assert.equal(code, 2)
    assert.match(stderr, /did you mean billing:write\?/)
  })
})

let env: Environment = {}
before(async () => {
  env = await logIn('kept')
})

describe('a kept log-in', () => {
  it('is renewed once by commands at once, and stays valid', async () => {
    const before = keptIn(env)
    const count = await refreshTokens(env)
    expire(env)
    const shown = await Promise.all([1, 2, 3, 4].map(() => jsonOf(['whoami'], env)))
    assert.deepEqual(new Set(shown.map(({ account }) => account.id)), new Set([owner.id]))
    assert.notEqual(keptIn(env).refresh_token, before.refresh_token)
    assert.equal(await refreshTokens(env), count + 1)
    expire(env)
    await jsonOf(['whoami'], env)
  })

  it('is renewed when the service rejects its token, with the request', async () => {
    alter(env, ({ rest }) => {
      rest.access_token = 'not-the-token'
    })
    const name = `${fresh()}.com`
    assert.equal((await jsonOf(['buy', name, '--yes'], env)).domain, name)
    assert.notEqual(keptIn(env).tokens.rest.access_token, 'not-the-token')
  })

  it('has a token of its own for MCP', async () => {
    const client = new Client({ name: 'log-in-test', version: '1' })
    const [command, args] = [process.execPath, [program, 'mcp']]
    await client.connect(new StdioClientTransport({ command, args, env }))
    after(() => client.close())
    const { structuredContent } = await client.callTool({ name: 'get_account', arguments: {} })
    assert.equal(Object(structuredContent).id, owner.id)
    const { tokens } = keptIn(env)
    assert.notEqual(tokens.mcp.access_token, tokens.rest.access_token)
  })

  it('names the log-in that a refused command needs', async () => {
    const { code, stderr } = await runPacked(['top-up', '5', '--card'], env)
    assert.equal(code, 1)
    assert.match(stderr, /Next: agent-registrar login --scope billing:write/)
  })

  it('asks again as the same app, for what it had and for more', async () => {
    const before = keptIn(env)
    const { user_code, ended } = await begin(env, '--scope', 'contacts:write')
    await decide(user_code, 'allow')
    assert.equal((await ended()).code, 0)
    const { client_id, scope } = keptIn(env)
    assert.equal(client_id, before.client_id)
    assert.match(scope, /contacts:write/)
  })
})

describe('a log-in', () => {
  it('is revoked at the service by the log-out', async () => {
    const { tokens, client_id } = keptIn(env)
    const token = tokens.rest.access_token
    assert.equal((await registrar.request('GET', '/v1/account', { token })).status, 200)
    const out = await runPacked(['logout'], env)
    assert.equal(out.code, 0, out.stderr)
    assert.equal((await registrar.request('GET', '/v1/account', { token })).status, 401)
    assert.deepEqual(JSON.parse(readFileSync(fileOf(env), 'utf8')), {})
    assert.equal((await runPacked(['whoami'], env)).code, 3)
    assert.match(client_id, /^client_/)
  })

  it('is kept by a log-out that the service does not answer', async () => {
    env = await logIn('kept-still')
    const { refresh_token } = keptIn(env)
    const kept = keptIn(env)
    const lost = { ...kept, revocation_endpoint: 'http://127.0.0.1:1/revoke' }
    writeFileSync(fileOf(env), JSON.stringify({ [registrar.url]: lost }))
    assert.equal((await runPacked(['logout'], env)).code, 6)
    assert.equal(keptIn(env).refresh_token, refresh_token)
  })

  it('says that the owner has ended it', async () => {
    const grants = await registrar.request('GET', '/v1/account/oauth-grants', { token: owner.key })
    const { client_id } = keptIn(env)
    const grant = grants.body.oauth_grants.find(
      (one: { client_id: string }) => one.client_id === client_id,
    )
    const at = `/v1/account/oauth-grants/${grant.id}`
    const ending = await registrar.request('DELETE', at, { token: owner.key })
    assert.equal(ending.status, 200, ending.text)
    const { code, stderr } = await runPacked(['list'], env)
    assert.equal(code, 3)
    assert.match(stderr, /The log-in has ended[\s\S]*Next: agent-registrar login/)
    assert.equal(keptIn(env).refresh_token, null)
  })
})

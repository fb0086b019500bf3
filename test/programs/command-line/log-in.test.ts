// Log-in of the packed command by the device flow: the test is the owner in a browser. Then the
// renewal of its tokens, also by commands at once, its end at the service, and MCP with it.
import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { fresh } from '../../contract/support/fixture.ts'
import {
  alter,
  begin,
  changeCode,
  codeRow,
  decide,
  expire,
  fileOf,
  keptIn,
  logIn,
  owner,
  refreshTokens,
  registrar,
  replace,
} from './log-in.fixture.ts'
import { type Environment, jsonOf, newHome, program, runPacked, start } from './packed.fixture.ts'

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
    const { AGENT_REGISTRAR_URL: _, ...withoutUrl } = env
    const shown = await jsonOf(['whoami'], withoutUrl)
    assert.equal(shown.account.id, owner.id)
    assert.equal(shown.credential, 'log_in')
    assert.ok(shown.scopes.includes('domains:purchase'))
    assert.equal(shown.limits[0].spend_limit.window, 'month')
    const withKey = { ...withoutUrl, AGENT_REGISTRAR_API_KEY: owner.key }
    assert.equal((await runPacked(['whoami'], withKey)).code, 2)
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
    assert.match(stderr, /expired before it was entered/)
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
  it('survives an interrupt while it is renewed', async () => {
    const child = { kill: () => {} }
    const proxy = createServer(async (request, response) => {
      const body = await text(request)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await fetch(real, { method: 'POST', headers, body })
      child.kill()
      await new Promise((resolve) => setTimeout(resolve, 300))
      response.writeHead(answer.status).end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    after(() => proxy.close())
    const place = proxy.address()
    assert.ok(typeof place === 'object' && place !== null)
    const kept = keptIn(env)
    const real = kept.token_endpoint
    expire(env)
    replace(env, { token_endpoint: `http://127.0.0.1:${place.port}/` })
    const interrupted = start(['whoami'], env)
    child.kill = () => interrupted.kill('SIGINT')
    const [code, signal] = await new Promise<unknown[]>((resolve) =>
      interrupted.once('close', (...ended) => resolve(ended)),
    )
    assert.deepEqual([code, signal], [null, 'SIGINT'])
    assert.notEqual(keptIn(env).refresh_token, kept.refresh_token)
    replace(env, { token_endpoint: real })
    expire(env)
    assert.equal((await runPacked(['whoami'], env)).code, 0)
  })

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
    replace(env, { revocation_endpoint: 'http://127.0.0.1:1/revoke' })
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

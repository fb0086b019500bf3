// The command line as its users get it: packed, run by npx in an empty folder, against a service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { fresh } from '../contract/support/fixture.ts'
import { readPdf } from '../support/payments/read-pdf.ts'
import { sharedService } from '../support/service.ts'
import {
  type Environment,
  jsonOf,
  newHome,
  program,
  runPacked,
  shell,
  tarball,
  workFolder,
} from './command-line/packed.fixture.ts'

const registrar = await sharedService()
const { key } = await registrar.customer()
const plain = newHome(registrar, 'home')
const known = { ...plain, AGENT_REGISTRAR_API_KEY: key }

const run = (words: string[], env: Environment = known, input = '') => runPacked(words, env, input)
const json = (...words: string[]) => jsonOf(words, known)
const jsonType = { 'content-type': 'application/json' }

describe('the command line', () => {
  it('is run by npx', async () => {
    const words = ['--yes', '--offline', tarball, '--version']
    const { stdout } = await shell('npx', words, { cwd: workFolder })
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  })

  it('checks, buys, lists, shows and renews a name', async () => {
    const name = `${fresh()}.com`
    assert.equal((await json('check', name)).domains[0].available, true)
    const checked = await run(['check', name])
    assert.match(checked.stdout, /^NAME +STATUS +PRICE +REASON\n\S+ +available +\d/)
    assert.equal((await run(['check', name], plain)).stdout, checked.stdout)
    const unconfirmed = await run(['buy', name])
    assert.equal(unconfirmed.code, 2)
    assert.match(unconfirmed.stderr, /Give --yes/)
    assert.equal((await json('list')).domains.length, 0)
    assert.equal((await json('buy', name, '--yes')).status, 'active')
    assert.deepEqual(
      (await json('list')).domains.map((found: { domain: string }) => found.domain),
      [name],
    )
    const { operation } = await json('show', name)
    assert.equal((await json('wait', operation.id)).state, 'succeeded')
    const before = (await json('show', name)).registry_expiry
    await json('renew', name, '--yes')
    const renewed = (await json('show', name)).registry_expiry
    assert.ok(renewed > before)
    // A script may run the command again: one year is paid, unless a key says that it is another.
    const again = await run(['renew', name, '--yes', '--json'])
    assert.deepEqual([again.code, JSON.parse(again.stdout).code], [1, 'recently_renewed'])
    assert.equal((await json('show', name)).registry_expiry, renewed)
    await json('renew', name, '--idempotency-key', 'another-year', '--yes')
    assert.ok((await json('show', name)).registry_expiry > renewed)
    assert.equal((await json('dns', name)).domain, name)
    assert.deepEqual((await json('approvals')).approvals, [])
    assert.equal((await json('keys')).length, 1)
    assert.match((await json('balance')).available, /^\d+\.\d\d$/)
    const taken = await run(['buy', name, '--yes', '--json'])
    assert.equal(taken.code, 1)
    assert.match(taken.stderr, /\nNext: \S/)
    assert.match(JSON.parse(taken.stdout).code, /^[a-z_]+$/)
  })

  it('refuses unknown commands, and to begin without a key', async () => {
    const mistyped = await run(['lsit'])
    assert.equal(mistyped.code, 2)
    assert.match(mistyped.stderr, /did you mean list\?/)
    const crooked = await run(['renew', '../account?', '--idempotency-key', 'k', '--yes', '--json'])
    assert.equal(crooked.code, 1)
    assert.deepEqual(JSON.parse(crooked.stdout).detail[0].loc, ['path', 'domain'])
    assert.match(crooked.stderr, /^domain: Input should be a domain name/m)
    const unknown = await run(['list'], plain)
    assert.equal(unknown.code, 3)
    assert.match(unknown.stderr, /Next: agent-registrar login/)
  })

  it('keeps the key in a file of its owner, until the log-out', async () => {
    const login = ['login', '--api-key', '-']
    assert.equal((await run(login, plain, 'no-such-key')).code, 3)
    const { code, stdout, stderr } = await run(login, plain, `${key}\n`)
    assert.equal(code, 0, stderr)
    assert.ok(!(stdout + stderr).includes(key))
    const kept = join(plain.HOME ?? '', '.config/agent-registrar')
    assert.equal(statSync(kept).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(kept), ['credentials.json'])
    assert.equal(statSync(join(kept, 'credentials.json')).mode & 0o777, 0o600)
    assert.equal((await run(['whoami'], plain)).code, 0)
    assert.equal((await run(['logout'], plain)).code, 0)
    assert.equal((await run(['whoami'], plain)).code, 3)
  })
})

describe('the receipt of an order', () => {
  it('is shown, and saved as a PDF in a new file alone', async () => {
    const name = `${fresh()}.com`
    const { operation } = await json('buy', name, '--yes')
    const receipt = await json('receipt', operation.id)
    assert.deepEqual([receipt.domain, receipt.operation_id], [name, operation.id])
    const shown = await run(['receipt', operation.id])
    assert.match(shown.stdout, new RegExp(`Paid +${receipt.amount} USD`))
    const file = join(workFolder, `${name}.pdf`)
    const saved = await run(['receipt', operation.id, '--pdf', file])
    assert.deepEqual([saved.code, saved.stdout], [0, `Saved ${file}\n`], saved.stderr)
    const { text: page } = await readPdf(readFileSync(file))
    assert.ok(page.includes(`Registration of ${name}, 1 year ${receipt.amount}`), page)
    const again = await run(['receipt', operation.id, '--pdf', file])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /there already/)
    const other = await run(['receipt', `ord_${'0'.repeat(26)}`, '--pdf', `${file}.other`])
    assert.equal(other.code, 1)
    assert.ok(!existsSync(`${file}.other`))
  })
})

describe('an interrupted command', () => {
  it('prints the command that resumes a purchase that was sent', async () => {
    const sent = Promise.withResolvers<string>()
    const proxy = createServer(async (request, response) => {
      const { method = 'GET', url = '/' } = request
      if (url === '/v1/domains') {
        sent.resolve(request.headers['idempotency-key']?.toString() ?? '')
        return
      }
      const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
      const body = JSON.parse(await text(request))
      const answer = await registrar.request(method, url, { token, body })
      response.writeHead(answer.status, jsonType).end(answer.text)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    after(() => proxy.close())
    const address = proxy.address()
    assert.ok(typeof address === 'object' && address !== null)
    const env = { ...known, AGENT_REGISTRAR_URL: `http://127.0.0.1:${address.port}` }
    const words = [program, 'buy', `${fresh()}.com`, '--yes']
    const child = spawn(process.execPath, words, { cwd: workFolder, env })
    const code = new Promise((resolve) => child.once('close', resolve))
    const stderr = text(child.stderr)
    const key = await sent.promise
    child.kill('SIGINT')
    assert.equal(await code, 130)
    assert.match(await stderr, new RegExp(`agent-registrar buy .* --idempotency-key ${key} --yes`))
  })

  it('watches events, one document a line, and prints its cursor', async () => {
    const env = known
    const words = [program, 'watch', '--json']
    const first = await registrar.request('GET', '/v1/events?start=now&wait=0', { token: key })
    const all = [...words, '--cursor', first.body.next_cursor]
    const child = spawn(process.execPath, all, { cwd: workFolder, env })
    const code = new Promise((resolve) => child.once('close', resolve))
    const stderr = text(child.stderr)
    const seen = new Promise<string>((resolve) =>
      child.stdout.once('data', (got) => resolve(`${got}`)),
    )
    const name = `${fresh()}.com`
    await json('buy', name, '--yes')
    const [line = ''] = (await seen).split('\n')
    assert.match(JSON.parse(line).type, /^[a-z_.]+$/)
    child.kill('SIGINT')
    assert.equal(await code, 130)
    assert.match(await stderr, /Continue with: agent-registrar watch --cursor \S+/)
  })
})

describe('a purchase with a lost answer', () => {
  it('is resumed, and is one order', async () => {
    const name = `${fresh()}.com`
    let lost = 0
    const proxy = createServer(async (request, response) => {
      const { method = 'GET', url = '/' } = request
      const key = request.headers['idempotency-key']?.toString()
      const answer = await registrar.request(method, url, {
        token: request.headers.authorization?.slice('Bearer '.length) ?? '',
        ...(method === 'POST' ? { body: JSON.parse(await text(request)) } : {}),
        headers: key === undefined ? {} : { 'idempotency-key': key },
      })
      if (url === '/v1/domains' && method === 'POST') {
        lost += 1
        response.destroy()
      } else response.writeHead(answer.status, jsonType).end(answer.text)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    after(() => proxy.close())
    const address = proxy.address()
    assert.ok(typeof address === 'object' && address !== null)
    const url = `http://127.0.0.1:${address.port}`
    const before = await json('balance')
    const unsure = await run(['buy', name, '--yes', '--url', url])
    assert.equal(unsure.code, 6, unsure.stderr)
    assert.equal(lost, 3)
    const once = await json('balance')
    const next = /Next: agent-registrar (.*)/.exec(unsure.stderr)?.[1] ?? ''
    assert.equal((await json(...next.split(' '))).status, 'active')
    assert.notEqual(once.total, before.total)
    assert.equal((await json('balance')).total, once.total)
  })
})

describe('the MCP bridge', () => {
  const mcp = { AGENT_REGISTRAR_MCP_URL: `${registrar.service.settings.mcp_url}/mcp` }

  it('lists the tools and buys a domain for the official client', async () => {
    const client = new Client({ name: 'bridge-test', version: '1' })
    const [command, args] = [process.execPath, [program, 'mcp']]
    await client.connect(new StdioClientTransport({ command, args, env: { ...known, ...mcp } }))
    after(() => client.close())
    const { tools } = await client.listTools()
    assert.ok(tools.some(({ name }) => name === 'register_domain'))
    const domain = `${fresh()}.com`
    const bought = await client.callTool({ name: 'register_domain', arguments: { domain } })
    assert.notEqual(bought.isError, true, JSON.stringify(bought))
    assert.equal((await json('show', domain)).status, 'active')
  })

  it('answers with an error of JSON-RPC when a message cannot be delivered', async () => {
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`
    const revoked = { ...known, ...mcp, AGENT_REGISTRAR_API_KEY: 'no-such-key' }
    const refused = JSON.parse((await run(['mcp'], revoked, ping)).stdout)
    assert.equal(refused.id, 7)
    assert.match(refused.error.message, /agent-registrar login/)
    const nowhere = { ...known, AGENT_REGISTRAR_MCP_URL: 'http://127.0.0.1:1/mcp' }
    assert.equal(JSON.parse((await run(['mcp'], nowhere, ping)).stdout).error.code, -32000)
    assert.equal(JSON.parse((await run(['mcp'], known, 'no json\n')).stdout).error.code, -32700)
  })
})

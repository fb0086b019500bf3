// The page "Getting started" followed literally: from a new account with simulated money, every
// block of code is run in the order of the page, in a shell or by Node, until the domain is bought.
// So is "Connect an agent", but what its captions except.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../support/program.ts'
import { startService } from '../support/service.ts'

const registrar = await startService()
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-getting-started-'))
symlinkSync(join(root, 'sdk'), join(folder, 'sdk'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The API key that the sign-up shows; the owner then adds money, as the page says first. */
async function newAccount(email: string): Promise<string> {
  const body = { email, password: 'a horse, a battery & a staple', name: 'Ada Lovelace' }
  const begun = await registrar.request('POST', '/v1/dashboard/register', { body })
  assert.equal(begun.status, 202, begun.text)
  const [mail] = await registrar.mails({ to: email })
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
  const answer = { body: { signup_id: begun.body.signup_id, code } }
  const verified = await registrar.request('POST', '/v1/dashboard/register/verify', answer)
  assert.equal(verified.status, 201, verified.text)
  const { access_token: token, mcp_api_key } = verified.body
  const money = { token, body: { amount_cents: 5_000, currency: 'USD' } }
  const added = await registrar.request('POST', '/v1/sandbox/top-ups', money)
  assert.equal(added.status, 200, added.text)
  return mcp_api_key
}

/** The blocks of code of a page, with their captions. */
function blocksOf(page: string): { caption: string; code: string }[] {
  const blocks = page.matchAll(/<p class="caption">([^<]*)<\/p>\s*<pre[^>]*><code>([^<]*)<\/code>/g)
  return [...blocks].map(([, caption = '', code = '']) => ({ caption, code: unescaped(code) }))
}

async function pageAt(path: string): Promise<string> {
  return (await fetch(registrar.url + path)).text()
}

/** The page's blocks of code in these languages, in the order of the page. */
async function codeOf(labels: readonly string[]): Promise<string[]> {
  const page = await pageAt('/docs')
  const sections = ['account', 'api-key', 'contact', 'first-purchase']
  const places = sections.map((id) => page.indexOf(`<h2 id="${id}"`))
  assert.ok(places.every((place, i) => place > (places[i - 1] ?? 0)))
  return blocksOf(page).flatMap(({ caption, code }) => (labels.includes(caption) ? [code] : []))
}

const characters = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" } as const
function unescaped(text: string): string {
  return text.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: keyof typeof characters) => {
    return characters[name]
  })
}

/** The name differs from the page's, which only one customer can buy. */
const named = (code: string, name: string) => code.replaceAll('my-agent.', `${name}.`)

/** All blocks run in one shell, as if a user pasted one block after the other; JSON is printed. */
async function runInShell(commands: string[], key: string): Promise<string> {
  const script = commands.map((one) => one.replace(/ar_test_\.\.\./, key)).join('\necho\n')
  assert.ok(script.includes(key), 'the key is set on the page')
  const { stdout } = await run('/bin/sh', ['-euc', script], { cwd: folder })
  return stdout
}

async function heldBy(key: string, name: string): Promise<string | undefined> {
  const { body } = await registrar.request('GET', `/v1/domains/${name}.com`, { token: key })
  return body.status
}

describe('a browser', () => {
  const open = async (path: string, accept: string) => {
    const response = await fetch(registrar.url + path, { headers: { accept } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const cases = [
    ['/v1', 404, '/docs'],
    ['/v1/', 404, '/docs'],
    ['/mcp', 405, '/dashboard/connect'],
  ] as const

  for (const [path, status, link] of cases)
    it(`reads at ${path} what it is and where to go on`, async () => {
      const page = await open(path, 'text/html,application/xhtml+xml')
      assert.equal(page.status, status)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      const [, href = ''] = new RegExp(`href="([^"]*${link})"`).exec(page.text) ?? []
      assert.ok((await open(new URL(href).pathname, 'text/html')).status < 400, href)
      for (const accept of ['*/*', 'application/json, text/event-stream', 'application/json']) {
        const client = await open(path, accept)
        assert.equal(client.status, status)
        assert.equal(client.headers.get('allow'), page.headers.get('allow'))
        assert.match(client.headers.get('content-type') ?? '', /^application\/problem\+json/)
      }
    })
})

describe('the page "Getting started"', () => {
  for (const language of ['curl', 'MCP'])
    it(`leads from a new account to a domain with ${language}`, async () => {
      const name = `bought-with-${language.toLowerCase()}`
      const key = await newAccount(`${name}@example.net`)
      const commands = await codeOf(['Shell', language])
      const output = await runInShell(
        commands.map((one) => named(one, name)),
        key,
      )
      assert.doesNotMatch(output, /"code":|"isError":true/)
      assert.equal(await heldBy(key, name), 'active', output)
    })

  it('leads from a new account to a domain with TypeScript', async () => {
    const name = 'bought-with-typescript'
    const key = await newAccount(`${name}@example.net`)
    const { body } = await registrar.request('GET', '/v1/account', { token: key })
    for (const code of await codeOf(['TypeScript'])) {
      writeFileSync(join(folder, 'example.ts'), named(code, name))
      const env = { ...process.env, API_KEY: key, CUSTOMER_ID: body.id }
      const { stdout } = await run(process.execPath, ['example.ts'], { cwd: folder, env })
      assert.doesNotMatch(stdout, /next_action:/)
    }
    assert.equal(await heldBy(key, name), 'active')
  })

  it('says what a purchase before the contact is refused with', async () => {
    const key = await newAccount('in-a-hurry@example.net')
    const commands = (await codeOf(['Shell', 'curl'])).filter((one) => !one.includes('/contacts'))
    const output = await runInShell(
      commands.map((one) => named(one, 'in-a-hurry')),
      key,
    )
    assert.match(output, /"code":"registrant_required"/)
  })
})

describe('the page "Connect an agent"', () => {
  it('has blocks that connect, and says of the others that no test runs them', async () => {
    const key = await newAccount('connects@example.net')
    const page = blocksOf(await pageAt('/docs/connect'))
    const [endpoint, call, example, ...more] = page.filter(
      ({ caption }) => !caption.includes('not run by our tests'),
    )
    assert.deepEqual([more.length, page.length], [0, 6])
    assert.equal(
      (await registrar.request('POST', new URL(endpoint?.code ?? '').pathname)).status,
      400,
    )
    const listed = await runInShell([`API_KEY=ar_test_...\n${call?.code}`], key)
    assert.match(listed, /"name":"register_domain"/)
    writeFileSync(join(folder, 'example.ts'), example?.code ?? '')
    const env = { ...process.env, API_KEY: key }
    const { stdout } = await run(process.execPath, ['example.ts'], { cwd: folder, env })
    assert.match(stdout, /domains: \[\]/)
  })
})

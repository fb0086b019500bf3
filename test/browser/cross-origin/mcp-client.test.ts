// An MCP client in a web page of another origin, in a real Chromium: the SDK's own client, bundled,
// follows the discovery from the 401 to the registration, then lists and calls tools.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { freePort } from '../../../src/kit/net/free-port.ts'
import { openChromium, skipChromium } from '../../support/chromium.ts'
import { startService } from '../../support/service.ts'

const program = `
  import { discoverOAuthProtectedResourceMetadata, discoverAuthorizationServerMetadata,
    registerClient } from '@modelcontextprotocol/sdk/client/auth.js'
  import { Client } from '@modelcontextprotocol/sdk/client/index.js'
  import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

  window.register = async (url) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }
    const refused = await fetch(url, { method: 'POST', body: JSON.stringify(call), headers: {
      'content-type': 'application/json', accept: 'application/json, text/event-stream' } })
    const challenge = refused.headers.get('www-authenticate') ?? ''
    const [, resourceMetadataUrl] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    const resource = await discoverOAuthProtectedResourceMetadata(url, { resourceMetadataUrl })
    const issuer = resource.authorization_servers[0]
    const metadata = await discoverAuthorizationServerMetadata(issuer)
    const client = await registerClient(issuer, { metadata, clientMetadata: {
      client_name: 'Page', redirect_uris: [location.origin + '/back'],
      token_endpoint_auth_method: 'none' } })
    return { status: refused.status, client_id: client.client_id }
  }
  window.useTools = async (url, token) => {
    const client = new Client({ name: 'page', version: '1' })
    const headers = { authorization: 'Bearer ' + token }
    const options = { requestInit: { headers } }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), options))
    const { tools } = await client.listTools()
    const { structuredContent } = await client.callTool({ name: 'get_account', arguments: {} })
    return { tools: tools.length, id: structuredContent.id }
  }
  window.read = async (url, options) => {
    const answer = await fetch(url, options)
    return [answer.status, answer.headers.get('x-request-id') !== null]
  }
`

const bundled = await build({
  stdin: { contents: program, resolveDir: import.meta.dirname },
  bundle: true,
  write: false,
  format: 'iife',
})
const script = bundled.outputFiles[0]?.text ?? assert.fail('nothing was bundled')

/** A site of two pages: the client, and its program. */
async function openSite(): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.js'
    const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8'
    response.setHeader('content-type', type)
    response.end(
      isScript ? script : '<!doctype html><title>Client</title><script src=client.js></script>',
    )
  })
  const port = await freePort('127.0.0.1')
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://localhost:${port}`
}

describe('an MCP client in a web page', { skip: skipChromium }, async () => {
  const [allowed, other] = [await openSite(), await openSite()]
  const registrar = await startService({ settings: { ALLOWED_ORIGINS: allowed }, worker: false })
  const customer = await registrar.customer()
  const chromium = await openChromium()
  const mcp = `${registrar.url}/mcp`
  const open = async (site: string): Promise<Page> => {
    const person = await chromium?.person({ javaScriptEnabled: true })
    const page = (await person?.newPage()) ?? assert.fail('no browser')
    page.on('pageerror', (error) => assert.fail(error))
    await page.goto(site)
    return page
  }

  it('finds the way from the refusal to its registration', async () => {
    const page = await open(allowed)
    const found = await page.evaluate(`register(${JSON.stringify(mcp)})`)
    const { status, client_id } = Object(found)
    assert.equal(status, 401)
    assert.ok(client_id.length > 10, client_id)
  })

  it('lists the tools and calls one with its token', async () => {
    const page = await open(allowed)
    const args = [mcp, customer.key].map((one) => JSON.stringify(one)).join()
    const { tools, id } = Object(await page.evaluate(`useTools(${args})`))
    assert.deepEqual([tools > 20, id], [true, customer.id])
  })

  it('calls REST with a body and an idempotency key', async () => {
    const page = await open(allowed)
    const options = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'from-a-page',
      },
      body: JSON.stringify({ domains: ['from-a-page.com'] }),
    }
    const path = `${registrar.url}/v1/domains/check`
    const args = [path, options].map((one) => JSON.stringify(one)).join()
    assert.deepEqual(await page.evaluate(`read(${args})`), [200, true])
  })

  it('of another origin reads nothing', async () => {
    const page = await open(other)
    for (const path of [mcp, `${registrar.url}/v1/account`]) {
      const options = { headers: { authorization: `Bearer ${customer.key}` } }
      const args = [path, options].map((one) => JSON.stringify(one)).join()
      await assert.rejects(page.evaluate(`read(${args})`), /Failed to fetch/)
    }
  })
})

// All discovery documents together: they agree with each other, with what is served, and say the
// same for every Host and client. The three roots are separate, and MCP below a path.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { startService } from '../support/service.ts'
import { documents, outsideOf, resourceWell, serverWell, urlsIn } from './support/published.ts'

const base = 'https://registrar.example'
const mcp = 'https://mcp.example/agents'
const site = 'https://www.example'
const registrar = await startService({
  settings: { PUBLIC_URL: base, MCP_URL: mcp, SITE_URL: site },
  worker: false,
})
const { send, visit } = outsideOf(registrar)

async function read(path: string) {
  const { status, text } = await send('GET', path)
  assert.equal(status, 200, path)
  return path.endsWith('.txt') ? {} : JSON.parse(text)
}

const card = await read('/.well-known/agent-card.json')
const resource = await read(resourceWell)
const server = await read(serverWell)
const site_json = await read('/.well-known/mcp.json')
const openapi = await read('/openapi.json')

/** The documents that oidc-provider writes. */
const ofTheLibrary = [serverWell, `${serverWell}/mcp`, '/.well-known/openid-configuration']

describe('each document', () => {
  test('has its media type, and is for every origin', async () => {
    for (const [path, type] of Object.entries(documents)) {
      const got = await send('GET', path, { headers: { origin: 'https://agent.example' } })
      assert.equal(got.headers['content-type']?.split(';')[0], type, path)
      assert.equal(got.headers['access-control-allow-origin'], '*', path)
      const head = await send('HEAD', path)
      assert.deepEqual([head.status, head.text], [200, ''], path)
      assert.equal(head.headers['content-type'], got.headers['content-type'], path)
      const headers = { origin: 'https://agent.example', 'access-control-request-method': 'GET' }
      const asked = await send('OPTIONS', path, { headers })
      assert.ok(asked.status === 204 || asked.status === 200, `${path} ${asked.status}`)
      assert.equal(asked.headers['access-control-allow-origin'], '*', path)
    }
  })

  test('of those that we write need not be sent twice', async () => {
    for (const path of Object.keys(documents).filter((one) => !ofTheLibrary.includes(one))) {
      const { headers } = await send('GET', path)
      assert.match(headers['cache-control'] ?? '', /^public, max-age=\d+$/, path)
      const known = { 'if-none-match': headers.etag ?? '' }
      const again = await send('GET', path, { headers: known })
      assert.deepEqual([again.status, again.text], [304, ''], path)
    }
  })

  test('is the same for every Host', async () => {
    const names = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.test;proto=gopher',
    }
    for (const path of Object.keys(documents)) {
      const usual = await send('GET', path)
      const lured = await send('GET', path, { headers: names })
      assert.equal(lured.text, usual.text, path)
      assert.equal(lured.status, 200, path)
    }
  })

  test('does not change while the service runs', async () => {
    assert.deepEqual(await read(serverWell), server)
    assert.deepEqual(await read('/.well-known/agent-card.json'), card)
  })
})

describe('every URL that a document names', () => {
  /** These are identifiers, which are compared and never opened. */
  const names = [base, `${base}/`, `${base}/v1`]
  /** The response at a URL that is not a document: to an empty POST, or without a token. */
  const others: Record<string, [method: string, ...statuses: number[]]> = {
    '/oauth/token': ['POST', 400],
    '/oauth/register': ['POST', 415],
    '/oauth/revoke': ['POST', 400, 401],
    '/oauth/introspect': ['POST', 400, 401],
    '/oauth/device_authorization': ['POST', 400, 401],
    '/oauth/authorize': ['GET', 400],
    '/oauth/userinfo': ['GET', 401],
    '/agents/mcp': ['POST', 400],
  }

  async function mustAnswer(url: string, about: string): Promise<void> {
    const [method, ...statuses] = others[new URL(url).pathname] ?? ['GET', 200]
    const { status } = await visit(method, url)
    assert.ok(statuses.includes(status), `${about}: ${method} ${url} is ${status}`)
  }

  test('is under one of our roots, and is there', async () => {
    let visited = 0
    for (const path of Object.keys(documents).filter((one) => !one.endsWith('.txt')))
      for (const [way, url] of urlsIn(await read(path))) {
        if (way === '.$schema' || names.includes(url)) continue
        await mustAnswer(url, `${path} ${way}`)
        visited += 1
      }
    assert.ok(visited > 20, `${visited}`)
  })

  test('in the texts for language models, too', async () => {
    for (const path of ['/llms.txt', '/llms-full.txt']) {
      const { text } = await send('GET', path)
      const links = [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, url = '']) => url)
      assert.ok(links.length >= 6, path)
      for (const url of links) await mustAnswer(url, path)
    }
  })
})

describe('the documents agree', () => {
  test('on the issuer', async () => {
    for (const path of [serverWell, `${serverWell}/mcp`, '/.well-known/openid-configuration'])
      assert.equal((await read(path)).issuer, base, path)
    assert.deepEqual(resource.authorization_servers, [base])
    assert.deepEqual(site_json.authentication.oauth.authorization_servers, [base])
  })

  test('on all that the authorization server can do', async () => {
    assert.deepEqual(await read(`${serverWell}/mcp`), server)
    assert.equal(server.authorization_response_iss_parameter_supported, true)
    assert.equal(server.client_id_metadata_document_supported, true)
    assert.deepEqual(server.response_types_supported, ['code'])
    const device = 'urn:ietf:params:oauth:grant-type:device_code'
    assert.deepEqual(server.grant_types_supported, ['authorization_code', 'refresh_token', device])
    const openid = await read('/.well-known/openid-configuration')
    for (const field of Object.keys(server)) assert.deepEqual(openid[field], server[field], field)
  })

  test('on the protected resource', async () => {
    assert.equal(resource.resource, `${mcp}/mcp`)
    for (const path of [`${resourceWell}/mcp`, `${resourceWell}/agents/mcp`])
      assert.deepEqual(await read(path), resource, path)
    assert.equal(site_json.authentication.resource, resource.resource)
    assert.equal(site_json.endpoint, resource.resource)
    assert.equal(card.supportedInterfaces[0].url, resource.resource)
    assert.equal((await read('/mcp/server-card')).remotes[0].url, resource.resource)
    assert.equal((await read('/server.json')).remotes[0].url, resource.resource)
  })

  test('on where tokens come from', () => {
    const { oauth2 } = openapi.components.securitySchemes
    const a2a = card.securitySchemes.oauth.oauth2SecurityScheme
    for (const flow of [oauth2.flows.authorizationCode, a2a.flows.authorizationCode]) {
      assert.equal(flow.authorizationUrl, server.authorization_endpoint)
      assert.equal(flow.tokenUrl, server.token_endpoint)
      assert.equal(flow.refreshUrl, server.token_endpoint)
    }
    assert.equal(a2a.oauth2MetadataUrl, `${base}${serverWell}`)
    assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
    assert.equal(a2a.flows.authorizationCode.pkceRequired, true)
  })

  test('on the scopes: each that is named exists and can be asked for', () => {
    const known: string[] = [...scopes]
    const granted: string[] = server.scopes_supported
    assert.deepEqual(
      known.filter((scope) => !granted.includes(scope)),
      [],
    )
    const schemes = openapi.components.securitySchemes
    const named = [
      ...resource.scopes_supported,
      ...Object.keys(site_json.authentication.oauth.scopes),
      ...Object.keys(
        card.securitySchemes.oauth.oauth2SecurityScheme.flows.authorizationCode.scopes,
      ),
      ...Object.keys(schemes.oauth2.flows.authorizationCode.scopes),
    ]
    assert.ok(named.length > 20)
    for (const scope of named) assert.ok(known.includes(scope), scope)
  })
})

describe('the tools', () => {
  test('that a document names are there, and each is named', async () => {
    const { text } = await visit('POST', `${mcp}/mcp`, {
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const listed: { name: string; title: string; description: string }[] =
      JSON.parse(text).result.tools
    const names = listed.map(({ name }) => name)
    assert.ok(names.length >= 20)
    assert.deepEqual(
      site_json.tools.map(({ name, title, description }: (typeof listed)[number]) => {
        return { name, title, description }
      }),
      listed.map(({ name, title, description }) => ({ name, title, description })),
    )
    const tags = card.skills.flatMap(({ tags }: { tags: string[] }) => tags)
    for (const name of names) assert.ok(tags.includes(name), name)
    const entries = Object.values(openapi.paths).flatMap((path) => Object.values(Object(path)))
    const inOpenApi = entries.flatMap((entry) => Object(entry)['x-mcp-tools'] ?? [])
    assert.deepEqual(inOpenApi.toSorted(), names.toSorted())
    const { text: words } = await send('GET', '/llms.txt')
    for (const name of names) assert.match(words, new RegExp(`MCP tool .*\\b${name}\\b`))
  })

  test('need a token exactly where mcp.json says so', async () => {
    for (const tool of site_json.tools) {
      const { status } = await visit('POST', `${mcp}/mcp`, {
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: tool.name, arguments: {} },
        }),
      })
      assert.equal(status, tool.public ? 200 : 401, tool.name)
    }
  })
})

describe('resources and prompts', () => {
  test('of mcp.json are those that MCP lists, and llms.txt names them', async () => {
    const { text: words } = await send('GET', '/llms.txt')
    for (const kind of ['resources', 'prompts']) {
      const { text } = await visit('POST', `${mcp}/mcp`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: `${kind}/list` }),
      })
      const listed: Record<string, string>[] = JSON.parse(text).result[kind]
      assert.deepEqual(site_json[kind], listed)
      assert.ok(listed.length > 0)
      for (const { uri, name } of listed)
        assert.ok(words.includes(`- ${uri ?? name}`), `${kind} ${name}`)
    }
  })
})

describe('the revisions of MCP', () => {
  test('that the server card names are those that are spoken', async () => {
    const { supportedProtocolVersions: versions } = (await read('/mcp/server-card')).remotes[0]
    assert.ok(versions.length >= 6)
    for (const version of versions.slice(1)) {
      const { text } = await visit('POST', `${mcp}/mcp`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: version,
            capabilities: {},
            clientInfo: { name: 'reader', version: '1' },
          },
        }),
      })
      const { result } = JSON.parse(text)
      assert.equal(result.protocolVersion, version)
      assert.equal(result.serverInfo.title, site_json.title)
      assert.equal(result.serverInfo.version, site_json.version)
    }
  })

  test('of the newer era, too', async () => {
    const [newest] = site_json.remotes[0].supportedProtocolVersions
    const { text } = await visit('POST', `${mcp}/mcp`, {
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': newest,
        'mcp-method': 'server/discover',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'server/discover' },
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': newest,
            'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    assert.deepEqual(JSON.parse(text).result.supportedVersions, [newest])
  })
})

test('the operations that the texts name are those of the catalog', async () => {
  const { text } = await send('GET', '/llms-full.txt')
  const named = [...text.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(named.toSorted(), operations.map(({ name }) => name).toSorted())
})

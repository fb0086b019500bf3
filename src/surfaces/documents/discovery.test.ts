// Discovery documents: each is public, has its URLs from the settings, and agrees with the catalog.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import Fastify from 'fastify'
import { scopes } from '../../app.ts'
import { operations } from '../../catalog.ts'
import { readSettings } from '../../config/config.ts'
import { prompts } from '../mcp/prompts.ts'
import { toolsOf } from '../mcp/tools.ts'
import { addDiscovery } from './discovery.ts'

const roots = {
  PUBLIC_URL: 'https://registrar.example',
  MCP_URL: 'https://mcp.example/agents',
  SITE_URL: 'https://www.example/shop',
}
const url = await serve(roots)
const tools = toolsOf(operations)

async function serve(variables: Record<string, string>): Promise<string> {
  const server = Fastify()
  addDiscovery(server, { settings: readSettings(variables), operations })
  after(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

async function read(path: string, at = url) {
  const answer = await fetch(`${at}${path}`)
  const text = await answer.text()
  assert.equal(answer.status, 200, path)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*', path)
  const type = answer.headers.get('content-type') ?? ''
  return { type, text, body: type.includes('json') ? JSON.parse(text) : {} }
}

describe('the protected resource', () => {
  const well = '/.well-known/oauth-protected-resource'

  it('is described the same at every place where a client may look', async () => {
    for (const path of [
      well,
      `${well}/mcp`,
      `${well}/agents/mcp`,
      `/agents${well}`,
      `/agents${well}/mcp`,
    ])
      assert.deepEqual((await read(path)).body, {
        resource: 'https://mcp.example/agents/mcp',
        resource_name: 'agent-registrar',
        authorization_servers: ['https://registrar.example'],
        scopes_supported: tools.scopes,
        bearer_methods_supported: ['header'],
        resource_documentation: 'https://registrar.example/docs',
      })
  })
})

describe('the REST API as a protected resource', () => {
  it('is described where its 401 leads', async () => {
    const { body } = await read('/.well-known/oauth-protected-resource/v1')
    assert.equal(body.resource, 'https://registrar.example/v1')
    assert.deepEqual(body.authorization_servers, ['https://registrar.example'])
    assert.deepEqual(body.scopes_supported, scopes)
  })
})

describe('mcp.json', () => {
  it('has the endpoint, the transport and how to authenticate', async () => {
    for (const path of ['/.well-known/mcp.json', '/shop/.well-known/mcp.json']) {
      const { body } = await read(path)
      assert.equal(body.endpoint, 'https://mcp.example/agents/mcp')
      assert.equal(body.transport, 'streamable-http')
      const { oauth, api_key, resource, resource_metadata } = body.authentication
      assert.equal(resource, body.endpoint)
      assert.equal(
        resource_metadata,
        'https://mcp.example/.well-known/oauth-protected-resource/agents/mcp',
      )
      assert.deepEqual(oauth.authorization_servers, ['https://registrar.example'])
      assert.deepEqual(oauth.metadata, [
        'https://registrar.example/.well-known/oauth-authorization-server',
      ])
      assert.deepEqual(Object.keys(oauth.scopes), tools.scopes)
      assert.deepEqual(api_key, { header: 'Authorization', scheme: 'Bearer', prefix: 'ar_test_' })
    }
  })

  it('lists the tools as tools/list does, and which need a token', async () => {
    const { body } = await read('/.well-known/mcp.json')
    const listed = body.tools.map(({ name, title, description, annotations }: ListedTool) => {
      return { name, title, description, annotations }
    })
    assert.deepEqual(
      listed,
      tools.list.map(({ name, title, description, annotations }) => {
        return { name, title, description, annotations }
      }),
    )
    const of = (name: string) => body.tools.find((tool: ListedTool) => tool.name === name)
    assert.deepEqual(
      [of('check_domain_availability').public, of('get_balance').public],
      [true, false],
    )
    assert.equal(of('register_domain').scope, 'domains:purchase')
  })
})

type ListedTool = Record<'name' | 'title' | 'description' | 'annotations', unknown>

describe('the server card', () => {
  const header = {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string' },
      description: { type: 'string' },
      isRequired: { type: 'boolean' },
      isSecret: { type: 'boolean' },
      placeholder: { type: 'string' },
    },
  }
  const remote = {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'url'],
    properties: {
      type: { enum: ['streamable-http'] },
      url: { type: 'string', pattern: '^https?://[^\\s]+$' },
      headers: { type: 'array', items: header },
      supportedProtocolVersions: { type: 'array', items: { type: 'string', format: 'date' } },
    },
  }
  /** As much of both schemas as concerns a server that is only reached over HTTP. */
  const shape = (schema: string) => ({
    type: 'object',
    additionalProperties: false,
    required: ['$schema', 'name', 'version', 'description', 'remotes'],
    properties: {
      $schema: { const: `https://static.modelcontextprotocol.io/schemas/${schema}` },
      name: { type: 'string', maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
      version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
      title: { type: 'string', minLength: 1, maxLength: 100 },
      description: { type: 'string', minLength: 1, maxLength: 100 },
      websiteUrl: { type: 'string', format: 'uri' },
      remotes: { type: 'array', minItems: 1, items: remote },
    },
  })
  const ajv = new Ajv()
  addFormats.default(ajv)

  it('has the shape of SEP-2127 and its media type, below the endpoint', async () => {
    for (const path of ['/mcp/server-card', '/agents/mcp/server-card']) {
      const { body, type } = await read(path)
      assert.equal(type, 'application/mcp-server-card+json')
      const fits = ajv.validate(shape('v1/server-card.schema.json'), body)
      assert.ok(fits, ajv.errorsText())
      assert.equal(body.name, 'example.www/agent-registrar')
      assert.equal(body.remotes[0].url, 'https://mcp.example/agents/mcp')
      assert.ok(body.remotes[0].supportedProtocolVersions.includes('2026-07-28'))
    }
  })

  it('is found through the catalog of the site', async () => {
    for (const path of ['/.well-known/ai-catalog.json', '/shop/.well-known/ai-catalog.json']) {
      const { body, type } = await read(path)
      assert.equal(type, 'application/ai-catalog+json')
      assert.equal(body.specVersion, '1.0')
      assert.equal(body.host.identifier, 'www.example')
      assert.deepEqual(body.entries, [
        {
          identifier: 'urn:air:www.example:mcp:agent-registrar',
          type: 'application/mcp-server-card+json',
          url: 'https://mcp.example/agents/mcp/server-card',
        },
      ])
    }
  })

  it('has a sister for registries of MCP servers', async () => {
    const { body } = await read('/server.json')
    const fits = ajv.validate(shape('2025-12-11/server.schema.json'), body)
    assert.ok(fits, ajv.errorsText())
    assert.equal(body.name, 'example.www/agent-registrar')
    assert.equal('supportedProtocolVersions' in body.remotes[0], false)
  })

  it('has a name that fits, too, where the site has an address for a name', async () => {
    for (const site of ['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost']) {
      const own = await serve({ ...roots, SITE_URL: site })
      const { body } = await read('/server.json', own)
      assert.equal(body.name, 'localhost/agent-registrar', site)
    }
  })
})

describe('llms.txt', () => {
  it('lists every operation and the documents for language models', async () => {
    const { text, type } = await read('/llms.txt')
    assert.match(type, /^text\/plain/)
    assert.match(text, /^# agent-registrar\n\n> /)
    for (const { name, method, path } of operations)
      assert.ok(text.includes(`- ${name} (${method} ${path}; `), name)
    assert.match(text, /register_domain \(.*; scope domains:purchase; MCP tool register_domain\): /)
    assert.match(text, /check_domain_availability \(.*; no token; MCP tool /)
    assert.match(text, /change_password \(.*; session of the owner\): /)
    assert.match(text, /create_customer \(.*; operator key\): /)
    assert.match(text, /^- registrar:\/\/state-model: /m)
    for (const { name } of prompts) assert.match(text, new RegExp(`^- ${name} \\(`, 'm'))
    for (const link of [
      'https://registrar.example/openapi.json',
      'https://registrar.example/docs',
      'https://registrar.example/llms-full.txt',
      'https://mcp.example/agents/mcp',
      'https://www.example/shop/.well-known/mcp.json',
      'https://mcp.example/.well-known/oauth-protected-resource/agents/mcp',
      'https://registrar.example/.well-known/oauth-authorization-server',
    ])
      assert.ok(text.includes(`(${link})`), link)
  })

  it('names the pages on which an owner signs up, adds money and makes keys', async () => {
    const { text } = await read('/llms.txt')
    for (const page of ['sign-up', 'balance', 'contacts', 'api-keys'])
      assert.ok(text.includes(`https://registrar.example/dashboard/${page} `), page)
  })

  it('has a longer form with every field and refusal', async () => {
    const { text } = await read('/llms-full.txt')
    const [, entry = ''] = text.split('### register_domain\n')
    assert.match(entry, /- max_price \(body; string.*\)/)
    assert.match(entry, /- domain \(body; .*required\)/)
    assert.match(entry, /Refuses: .*insufficient_funds/)
    assert.ok(text.length < 450_000, `${text.length} characters`)
  })
})

describe('security.txt', () => {
  it('has a contact, its own place, and an end within a year (RFC 9116)', async () => {
    const { type, text } = await read('/.well-known/security.txt')
    assert.equal(type, 'text/plain; charset=utf-8')
    const fields = new Map(
      text
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    )
    assert.equal(fields.get('Contact'), 'mailto:support@agent-registrar.example')
    const ABUSE_CONTACT = 'abuse@registrar.example'
    const set = await read('/.well-known/security.txt', await serve({ ...roots, ABUSE_CONTACT }))
    assert.match(set.text, /^Contact: mailto:abuse@registrar\.example$/m)
    assert.equal(fields.get('Canonical'), 'https://registrar.example/.well-known/security.txt')
    const left_days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    assert.ok(left_days > 30 && left_days < 365, `${left_days}`)
  })
})

// The agent card as the readers of A2A take it: those of 1.0 and those of 0.3 understand it, and
// none finds a protocol there that we do not speak.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import Fastify from 'fastify'
import { operations } from '../../catalog.ts'
import { readSettings } from '../../config/config.ts'
import { toolsOf } from '../mcp/tools.ts'
import { readerOf } from './agent-card.ts'
import { addDiscovery } from './discovery.ts'

const settings = readSettings({
  PUBLIC_URL: 'https://registrar.example',
  MCP_URL: 'https://mcp.example/agents',
  SITE_URL: 'https://example',
})
const endpoint = 'https://mcp.example/agents/mcp'
const server = Fastify()
addDiscovery(server, { settings, operations })
const url = await server.listen({ host: '127.0.0.1', port: 0 })
after(() => server.close())

const card = await read()

async function read(headers: Record<string, string> = {}, file = 'agent-card.json') {
  const answer = await fetch(`${url}/.well-known/${file}`, { headers })
  assert.equal(answer.headers.get('vary'), 'A2A-Version, Accept-Encoding')
  return JSON.parse(await answer.text())
}

describe('the agent card', () => {
  it('has every field that A2A 1.0 requires', () => {
    for (const field of ['name', 'description', 'version']) assert.ok(card[field].length > 0, field)
    assert.deepEqual(card.capabilities, {
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    })
    assert.deepEqual(card.defaultInputModes, ['application/json'])
    assert.ok(card.defaultOutputModes.includes('application/json'))
    const docs = 'https://registrar.example/docs'
    assert.deepEqual(card.provider, { organization: 'agent-registrar', url: docs })
    assert.equal(card.documentationUrl, docs)
  })

  it('names MCP as its one interface, and no protocol of A2A anywhere', () => {
    const { supportedInterfaces, preferredTransport, additionalInterfaces } = card
    assert.deepEqual(supportedInterfaces, [
      { url: endpoint, protocolBinding: 'MCP', protocolVersion: '2025-11-25' },
    ])
    assert.equal(preferredTransport, 'MCP')
    assert.deepEqual(additionalInterfaces, [{ url: endpoint, transport: 'MCP' }])
    assert.doesNotMatch(JSON.stringify(card), /JSONRPC|GRPC|HTTP\+JSON/)
  })

  it('has a skill for each group of tools, and in them every tool once', () => {
    const tags = card.skills.flatMap((skill: { tags: string[] }) => skill.tags)
    for (const { name } of toolsOf(operations).list)
      assert.equal(tags.filter((tag: string) => tag === name).length, 1, name)
    for (const skill of card.skills) {
      assert.match(skill.id, /^[a-z]+(-[a-z]+)*$/)
      for (const field of ['name', 'description']) assert.ok(skill[field].length > 0, skill.id)
      for (const field of ['examples', 'inputModes', 'outputModes'])
        assert.ok(skill[field].length > 0, `${skill.id} ${field}`)
    }
  })

  it('says of tools that share an operation what each of them does', () => {
    const all = card.skills.map((skill: { description: string }) => skill.description).join(' ')
    assert.match(all, /update_nameservers: Replace the name servers of one of your domains/)
    assert.match(all, /set_auto_renew: Set whether one of your domains renews automatically/)
  })

  it('names with each scope the tools that need it, and nothing else', () => {
    const uses = card.securitySchemes.oauth.flows.authorizationCode.scopes
    const named = Object.values(uses).flatMap((use) => /\(([^)]+)\)$/.exec(String(use))?.[1] ?? '')
    const tools = toolsOf(operations).byName
    for (const name of named.flatMap((list) => list.split(', '))) assert.ok(tools.has(name), name)
  })

  it('shows examples that are calls of tools', () => {
    for (const example of card.skills.flatMap((skill: { examples: string[] }) => skill.examples)) {
      const [, tool = '', args = ''] = /^[^:]+: (\w+) (\{.*\})$/.exec(example) ?? []
      assert.ok(toolsOf(operations).byName.has(tool), example)
      assert.equal(typeof JSON.parse(args), 'object')
    }
  })

  it('is also where A2A 0.2 looks for it', async () => {
    assert.deepEqual(await read({}, 'agent.json'), card)
  })
})

describe('a reader of A2A 1.0', () => {
  it('understands how to authenticate', async () => {
    const read = await new DefaultAgentCardResolver().resolve(url)
    const oauth = read.securitySchemes.oauth?.scheme
    assert.equal(oauth?.$case, 'oauth2SecurityScheme')
    assert.equal(
      oauth.value.oauth2MetadataUrl,
      'https://registrar.example/.well-known/oauth-authorization-server',
    )
    const flow = oauth.value.flows?.flow
    assert.equal(flow?.$case, 'authorizationCode')
    assert.equal(flow.value.pkceRequired, true)
    assert.equal(flow.value.tokenUrl, 'https://registrar.example/oauth/token')
    assert.deepEqual(Object.keys(flow.value.scopes), [...toolsOf(operations).scopes])
    const key = read.securitySchemes.api_key?.scheme
    assert.equal(key?.$case, 'httpAuthSecurityScheme')
    assert.equal(key.value.scheme, 'Bearer')
    const names = read.securityRequirements.map(({ schemes }) => Object.keys(schemes))
    assert.deepEqual(names, [['oauth'], ['api_key']])
  })

  it('finds no transport that it speaks, instead of calling what is not there', async () => {
    const read = await new DefaultAgentCardResolver().resolve(url)
    await assert.rejects(new ClientFactory().createFromAgentCard(read), /No compatible transport/)
  })

  it('is known by the version that it sends', async () => {
    const own = await read({ 'a2a-version': '1.0' })
    assert.equal('url' in own, false)
    assert.deepEqual(Object.keys(own.securitySchemes.oauth), ['oauth2SecurityScheme'])
    assert.deepEqual(['1.0', ' 1.1', '2.0'].map(readerOf), ['1.0', '1.0', '1.0'])
    assert.deepEqual([undefined, '', '0.3', 'x'].map(readerOf), Array(4).fill('either'))
  })
})

describe('a reader of A2A 0.3', () => {
  it('understands the same card by its own fields', () => {
    const { supportedInterfaces: _new, securityRequirements: _too, ...old } = card
    const read = parseLegacyAgentCard(old)
    assert.deepEqual(
      read.supportedInterfaces.map(({ url, protocolBinding }) => [url, protocolBinding]),
      [
        [endpoint, 'MCP'],
        [endpoint, 'MCP'],
      ],
    )
    assert.equal(read.securitySchemes.oauth?.scheme?.$case, 'oauth2SecurityScheme')
    assert.equal(read.securitySchemes.api_key?.scheme?.$case, 'httpAuthSecurityScheme')
    assert.equal(read.skills.length, card.skills.length)
  })

  it('is refused too: it knows no transport of that name', async () => {
    const { supportedInterfaces: _new, securityRequirements: _too, ...old } = card
    const factory = new ClientFactory()
    const started = factory.createFromAgentCard(parseLegacyAgentCard(old))
    await assert.rejects(started, /No compatible transport/)
  })
})

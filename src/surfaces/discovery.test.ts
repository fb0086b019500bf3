// What a client reads before it knows anything: each document is public, and true to the catalog.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mcpHouse } from '../../test/support/mcp.ts'
import { dropThing, echo, listThings } from '../../test/support/small-rooms.ts'

const house = await mcpHouse([echo, listThings, dropThing])
const { send, url } = house
const well = '/.well-known/oauth-protected-resource'

it('describes the MCP resource at both places, without an authorization server', async () => {
  for (const path of [well, `${well}/mcp`]) {
    const answer = await send('GET', path, { headers: { origin: 'https://agent.example' } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      resource: `${url}/mcp`,
      resource_name: 'agent-registrar',
      scopes_supported: ['account:read', 'domains:read', 'domains:purchase'],
      bearer_methods_supported: ['header'],
      resource_documentation: `${url}/docs`,
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
    assert.ok(answer.headers.get('x-request-id'))
  }
})

it('answers HEAD, and OPTIONS of browsers, and no other method', async () => {
  const head = await send('HEAD', `${well}/mcp`)
  assert.deepEqual([head.status, head.text], [200, ''])
  const asked = await send('OPTIONS', `${well}/mcp`, {
    headers: { 'access-control-request-headers': 'mcp-protocol-version' },
  })
  assert.equal(asked.status, 204)
  assert.equal(asked.headers.get('access-control-allow-headers'), '*')
  assert.equal((await send('POST', `${well}/mcp`)).status, 405)
})

it('ignores the Host header', async () => {
  const answer = await send('GET', well, { headers: { host: 'evil.example' } })
  assert.doesNotMatch(answer.text, /evil/)
})

it('describes the MCP server and its tools for the site', async () => {
  const { body } = await send('GET', '/.well-known/mcp.json')
  assert.equal(body.endpoint, `${url}/mcp`)
  assert.equal(Object(body.authentication).resource_metadata, `${url}${well}`)
  const tools: { name: string; public: boolean; scope: string | null }[] = Object(body.tools)
  assert.deepEqual(
    tools.map((tool) => [tool.name, tool.public, tool.scope]),
    [
      ['echo', true, null],
      ['get_account', false, 'account:read'],
      ['list_things', false, 'domains:read'],
      ['drop_thing', false, 'domains:purchase'],
    ],
  )
})

it('tells language models every operation and where the documents are', async () => {
  const { text, headers } = await send('GET', '/llms.txt')
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(text, /^# agent-registrar\n\n> /)
  assert.ok(
    text.includes('- echo (POST /v1/echo; no token; MCP tool echo): Say the words again.'),
    text,
  )
  assert.ok(text.includes('- drop_thing (DELETE /v1/things/{id}; scope domains:purchase; MCP tool'))
  assert.ok(text.includes('; operators): '))
  for (const link of [`${url}/openapi.json`, `${url}/docs`, `${url}/mcp`, `${url}${well}`])
    assert.ok(text.includes(`(${link})`), link)
})

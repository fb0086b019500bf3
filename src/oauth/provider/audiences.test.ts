// Resource indicators, with the roots together and apart, and the audience of each token.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedService } from '../../../test/support/service.ts'
import {
  authorization,
  callTool,
  connect,
  decide,
  ownerOf,
  person,
  refresh,
  register,
} from '../flow.fixture.ts'
import { audiencesAt, resourceOf, serviceScopesIn, withCanonicalResources } from './audiences.ts'

const together = { base_url: 'http://127.0.0.1:8080', mcp_url: 'http://127.0.0.1:8080' }
const apart = {
  base_url: 'https://api.registrar.example',
  mcp_url: 'https://mcp.registrar.example',
}

test('the MCP endpoint is meant with and without a final slash, the REST API by its root or /v1', () => {
  for (const roots of [together, apart]) {
    const { base_url, mcp_url } = roots
    for (const one of [`${mcp_url}/mcp`, `${mcp_url}/mcp/`])
      assert.equal(resourceOf(roots, one), `${mcp_url}/mcp`)
    for (const one of [base_url, `${base_url}/`, base_url.toUpperCase()])
      assert.equal(resourceOf(roots, one), base_url)
    for (const one of [`${base_url}/v1`, `${base_url}/v1/`])
      assert.equal(resourceOf(roots, one), `${base_url}/v1`)
  }
})

test('the root of an MCP server of its own means its endpoint', () => {
  for (const one of [apart.mcp_url, `${apart.mcp_url}/`])
    assert.equal(resourceOf(apart, one), `${apart.mcp_url}/mcp`)
})

test('the origin of an MCP server below a path means its endpoint, where it is not REST', () => {
  const below = { base_url: 'https://registrar.example/api', mcp_url: 'https://mcp.example/agents' }
  assert.equal(resourceOf(below, 'https://mcp.example'), `${below.mcp_url}/mcp`)
  assert.equal(resourceOf(below, 'https://registrar.example'), undefined)
})

test('a token for the root is valid at MCP where the root is that of MCP, too', () => {
  const { base_url } = together
  assert.deepEqual(audiencesAt(together, 'mcp'), [`${base_url}/mcp`, base_url])
  assert.deepEqual(audiencesAt(together, 'rest'), [`${base_url}/v1`, base_url])
  assert.deepEqual(audiencesAt(apart, 'mcp'), [`${apart.mcp_url}/mcp`])
  assert.deepEqual(audiencesAt(apart, 'rest'), [`${apart.base_url}/v1`, apart.base_url])
  const below = { base_url, mcp_url: `${base_url}/agents` }
  assert.deepEqual(audiencesAt(below, 'mcp'), [`${base_url}/agents/mcp`, base_url])
})

test('any other resource is foreign', () => {
  const { base_url } = apart
  const foreign = [
    'https://elsewhere.example',
    `${base_url}.elsewhere.example`,
    `${base_url}@elsewhere.example`,
    'https://user@api.registrar.example',
    `${base_url}/v2`,
    `${base_url}/v1/account`,
    `${base_url}//`,
    `${base_url}?x=1`,
    `${base_url}#x`,
    `${base_url}:8443`,
    'http://api.registrar.example',
    'https://mcp.registrar.example/MCP',
    '/mcp',
    '',
  ]
  for (const one of foreign) assert.equal(resourceOf(apart, one), undefined, one)
})

test('parameters keep their order and values, but for the form of our resources', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'state'), fc.string())), (pairs) => {
      const params = new URLSearchParams([...pairs, ['resource', `${together.mcp_url}/mcp/`]])
      const plain = withCanonicalResources(together, params)
      assert.deepEqual([...plain], [...pairs, ['resource', `${together.mcp_url}/mcp`]])
    }),
  )
})

test('a token never carries what is not ours or was not consented to', () => {
  const scope = 'openid domains:write domains:read unknown:scope'
  assert.deepEqual(serviceScopesIn(scope, ['domains:read', 'openid']), ['domains:read'])
})

const registrar = await sharedService()
const query = ownerOf(registrar)

async function atRest(token: string): Promise<number> {
  return (await registrar.request('GET', '/v1/account', { token })).status
}

test('a token is valid only at its own resource; the default is MCP', async () => {
  const owner = await person(registrar, query)
  const forMcp = [{}, { resource: `${registrar.url}/mcp` }, { resource: `${registrar.url}/mcp/` }]
  for (const change of forMcp) {
    const { tokens } = await connect(registrar, owner, change)
    assert.equal((await callTool(registrar.url, tokens.access_token)).status, 200)
    assert.equal(await atRest(tokens.access_token), 401)
  }
  const { client, tokens } = await connect(registrar, owner, { resource: `${registrar.url}/v1/` })
  assert.equal(await atRest(tokens.access_token), 200)
  assert.equal((await callTool(registrar.url, tokens.access_token)).status, 401)
  const refreshed = await refresh(registrar, client, { refresh_token: tokens.refresh_token })
  assert.equal(await atRest(refreshed.body.access_token), 200)
  const moved = { resource: `${registrar.url}/mcp` }
  const elsewhere = await refresh(registrar, client, {
    refresh_token: refreshed.body.refresh_token,
    ...moved,
  })
  assert.equal(elsewhere.body.error, 'invalid_target')
})

test('a resource of a third party is invalid_target, returned to the client', async () => {
  const owner = await person(registrar, query)
  const client = await register(registrar)
  const asked = authorization(registrar, client, { resource: 'https://elsewhere.example/mcp' })
  const answer = await decide(owner, asked)
  assert.equal(answer.get('error'), 'invalid_target')
  assert.equal(answer.get('state'), asked.state)
})

test('neither a refresh token, nor an ID token, nor a code is an access token', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner, { scope: 'openid account:read' })
  const asked = authorization(registrar, await register(registrar))
  const code = (await decide(owner, asked)).get('code') ?? ''
  for (const one of [tokens.refresh_token, tokens.id_token ?? '', code]) {
    assert.ok(one.length > 20)
    assert.equal((await callTool(registrar.url, one)).status, 401)
    assert.equal(await atRest(one), 401)
  }
})

test('a token that is bound to a key is none without the proof', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner)
  await query(
    `update oauth_models set payload = payload || '{"jkt": "some thumbprint"}'
      where model = 'AccessToken' and account_id = $1`,
    [owner.id],
  )
  assert.equal((await callTool(registrar.url, tokens.access_token)).status, 401)
})

test('a token shown in the query is refused', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner, { resource: registrar.url })
  const path = `/v1/account?access_token=${tokens.access_token}`
  assert.equal((await registrar.request('GET', path)).status, 401)
})

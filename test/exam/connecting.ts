// From the base URL to an access token: discovery, registration, consent.
import assert from 'node:assert/strict'
import type { Examined } from './examined.ts'

const callback = 'http://127.0.0.1:43117/callback'

export async function find({ agent, transcript }: Examined, base_url: string): Promise<void> {
  transcript.part('Finding the service')
  const root = await agent.step(
    { does: 'asks the base URL', why: 'It is all that the agent knows.' },
    { url: base_url },
  )
  const llms = urlIn(root.headers.link ?? '', /<([^>]+)>; rel="service-doc"; type="text\/plain"/)
  const read = await agent.step(
    { does: 'reads llms.txt', why: 'The Link field calls it the documentation, as plain text.' },
    { url: llms },
  )
  const described = urlIn(read.text, /\[MCP server description\]\(([^)]+)\)/)
  const description = await agent.step(
    {
      does: 'reads the description of the MCP server',
      why: 'llms.txt names it: "the endpoint, how to authenticate, and its tools".',
      shows: ['endpoint', 'transport', 'authentication'],
    },
    { url: described },
  )
  agent.memory.endpoint = String(description.body.endpoint)
  await agent.post(
    {
      does: 'connects',
      why: 'MCP begins with initialize. The instructions of the answer are the guide of the agent.',
      shows: ['serverInfo', 'instructions'],
    },
    {
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'exam-agent', version: '1' },
      },
    },
    'initialize',
  )
  const listed = await agent.post(
    { does: 'lists the tools', why: 'Each has a schema of its fields. No token is needed.' },
    { method: 'tools/list' },
    'tools/list',
  )
  agent.keepTools(listed.body.result.tools)
}

export async function connect(examined: Examined): Promise<void> {
  const { agent, transcript } = examined
  transcript.part('Connecting')
  const refused = await agent.call(
    { does: 'reads its account', why: 'To learn whose account it works for, and its limits.' },
    'get_account',
  )
  assert.equal(refused.status, 401)
  const challenge = transcript.steps.at(-1)?.answer ?? ''
  const resource = await agent.step(
    {
      does: 'reads the metadata of the resource',
      why: 'The 401 names it in WWW-Authenticate (RFC 9728).',
    },
    { url: urlIn(challenge, /resource_metadata="([^"]+)"/) },
  )
  const [issuer] = resource.body.authorization_servers
  const server = await agent.step(
    {
      does: 'reads the metadata of the authorization server',
      why: 'RFC 8414 puts it below the issuer, and llms.txt has the URL.',
      shows: ['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint'],
    },
    { url: `${issuer}/.well-known/oauth-authorization-server` },
  )
  const { registration_endpoint, authorization_endpoint, token_endpoint } = server.body
  const client = {
    client_name: 'Exam agent',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
  }
  const registered = await agent.step(
    {
      does: 'registers as a client',
      why: 'Dynamic registration (RFC 7591).',
      shows: ['client_id'],
    },
    {
      url: registration_endpoint,
      outgoing: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(client),
      },
      shown: JSON.stringify(client),
    },
  )
  Object.assign(agent.memory, {
    client_id: registered.body.client_id,
    token_url: token_endpoint,
    authorize_url: authorization_endpoint,
    resource: resource.body.resource,
  })
  const why =
    'The page is the authorization_endpoint, with PKCE (RFC 7636) and the resource (RFC 8707).'
  await authorize(examined, { scopes: resource.body.scopes_supported, why })
  const account = await agent.call(
    { does: 'reads its account again', why: 'It has a token now.', shows: ['status', 'limits'] },
    'get_account',
  )
  assert.ok(account.ok)
}

/** Sends the owner to the consent page, and redeems the code of the redirect. */
export async function authorize(
  { agent, person }: Examined,
  { scopes, why }: { scopes: string[]; why: string },
): Promise<void> {
  const { client_id, resource } = agent.memory
  const url = agent.authorizeUrl({
    ...{ client_id, resource, redirect_uri: callback, response_type: 'code', state: 'exam' },
    scope: scopes.join(' '),
  })
  const redirect = await person.consent(url, { cap: '30.00', scopes, why })
  const plan = {
    does: 'redeems the code',
    why: "The redirect of the owner's browser has it.",
    shows: ['scope', 'expires_in'],
  }
  const code = redirect.searchParams.get('code') ?? ''
  await agent.tokens(plan, { grant_type: 'authorization_code', code, redirect_uri: callback })
}

function urlIn(text: string, pattern: RegExp): string {
  const url = pattern.exec(text)?.[1]
  assert.ok(url, `no URL in ${text.slice(0, 300)}`)
  return url
}

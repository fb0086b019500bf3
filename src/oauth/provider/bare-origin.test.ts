// Clients that ask for the origin of the server as their resource, before or after they have read
// its metadata: one authorization connects them, and no 401 has them ask once more.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exchange } from '../../../test/support/http.ts'
import { sharedService } from '../../../test/support/service.ts'
import {
  authorization,
  type Client,
  decide,
  ownerOf,
  type Person,
  person,
  redeem,
  refresh,
  register,
  type Tokens,
} from '../flow.fixture.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const { origin } = new URL(registrar.url)

type Answer = { status: number; challenge: string }
/** A request to one resource, as a client repeats it with each token that it gets. */
type Call = (token: string | null) => Promise<Answer>

async function answerTo(path: string, token: string | null, body?: object): Promise<Answer> {
  const { status, headers } = await exchange(`${origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status, challenge: headers.get('www-authenticate') ?? '' }
}

const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_account', arguments: {} },
}
const atMcp: Call = (token) => answerTo('/mcp', token, toolCall)
const atRest: Call = (token) => answerTo('/v1/account', token)

/** The resource that the metadata names, to which the challenge of a 401 leads. */
async function resourceNamedBy({ challenge }: Answer): Promise<string> {
  const [, url] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  assert.ok(url, challenge)
  const { resource }: { resource?: string } = Object(await (await fetch(url)).json())
  return String(resource)
}

/** Chooses the `resource` of an authorization after a 401. */
type Chooser = (refused: Answer) => Promise<string | null>
type Connected = {
  client: Client
  tokens: Pick<Tokens, 'access_token' | 'refresh_token'>
  authorizations: number
}

/** A client that authorizes again for as long as it is answered 401; three times at the most. */
async function connectLike(call: Call, choose: Chooser, owner: Person): Promise<Connected> {
  const client = await register(registrar)
  let answer = await call(null)
  for (let authorizations = 1; authorizations <= 3; authorizations += 1) {
    assert.equal(answer.status, 401)
    const resource = await choose(answer)
    const asked = authorization(registrar, client, { resource })
    const code = (await decide(owner, asked)).get('code') ?? ''
    const more: { resource?: string } = resource === null ? {} : { resource }
    const given = await redeem(registrar, client, { code, verifier: asked.verifier, ...more })
    assert.equal(given.status, 200, given.text)
    answer = await call(given.body.access_token)
    const { access_token, refresh_token } = given.body
    if (answer.status !== 401)
      return { client, tokens: { access_token, refresh_token }, authorizations }
  }
  throw new Error(`The client never gets in: ${answer.challenge}`)
}

const originAsIs: Chooser = async () => origin
const originWithSlash: Chooser = async () => `${origin}/`
/** Reads the metadata, and takes the origin of what it names. */
const originOfMetadata: Chooser = async (refused) => new URL(await resourceNamedBy(refused)).origin
const originOfMetadataWithSlash: Chooser = async (refused) =>
  new URL('/', await resourceNamedBy(refused)).href
const asTheMetadataSays: Chooser = resourceNamedBy

describe('a client of MCP that asks for the origin', () => {
  const choosers = { originAsIs, originWithSlash, originOfMetadata, originOfMetadataWithSlash }
  for (const [name, choose] of Object.entries(choosers))
    it(`is connected by one authorization, and by a refresh: ${name}`, async () => {
      const owner = await person(registrar, query)
      const { client, tokens, authorizations } = await connectLike(atMcp, choose, owner)
      assert.equal(authorizations, 1)
      assert.equal((await atMcp(tokens.access_token)).status, 200)
      assert.equal((await atRest(tokens.access_token)).status, 200, 'as it was before')
      const { refresh_token } = tokens
      const resource = name.endsWith('Slash') ? `${origin}/` : origin
      const fresh = await refresh(registrar, client, { refresh_token, resource })
      assert.equal(fresh.status, 200, fresh.text)
      assert.equal((await atMcp(fresh.body.access_token)).status, 200)
    })
})

describe('a client that asks for what the metadata of the 401 names', () => {
  for (const [name, call, other] of [
    ['MCP', atMcp, atRest],
    ['REST', atRest, atMcp],
  ] as const)
    it(`is connected by one authorization to ${name} alone`, async () => {
      const owner = await person(registrar, query)
      const { tokens, authorizations } = await connectLike(call, asTheMetadataSays, owner)
      assert.equal(authorizations, 1)
      const elsewhere = await other(tokens.access_token)
      assert.equal(elsewhere.status, 401)
      const wanted = await resourceNamedBy(elsewhere)
      assert.equal(wanted, name === 'MCP' ? `${origin}/v1` : `${origin}/mcp`)
    })
})

describe('a token that was issued for the origin before', () => {
  it('stays valid at REST, and is valid at MCP', async () => {
    const owner = await person(registrar, query)
    const { tokens } = await connectLike(atMcp, originAsIs, owner)
    const [row] = await query(
      `select payload ->> 'aud' as aud from oauth_models
        where model = 'AccessToken' and account_id = $1`,
      [owner.id],
    )
    assert.equal(row?.aud, origin, 'stored as earlier versions stored it')
    assert.equal((await atRest(tokens.access_token)).status, 200)
  })
})

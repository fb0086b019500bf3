// The official TypeScript clients, unmodified, with only the URL: version 2 in both eras of the
// protocol, and version 1.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  Client,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { OAuthDiscoveryState as OldState } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import * as old from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { newOwner } from '../support/owner.ts'
import { sharedService } from '../support/service.ts'
import { buy, connect, grantsOf, newProvider, type Program, refresh } from './connect.ts'

const registrar = await sharedService()
const url = new URL(`${registrar.service.settings.mcp_url}/mcp`)

type Wallet = { asked?: URL | undefined; state?: string; tokens?: OAuthTokens | undefined }

/** The part of a wallet that the journeys check. */
function memoryOf(wallet: Wallet): Pick<Program, 'asked' | 'tokens' | 'state'> {
  return {
    asked: () => {
      const { asked } = wallet
      wallet.asked = undefined
      return asked
    },
    tokens: () => wallet.tokens,
    state: () => wallet.state,
  }
}

function structured(result: object): Record<string, unknown> {
  const { isError, content, structuredContent } = Object(result)
  assert.ok(!isError, JSON.stringify(content))
  return structuredContent
}

async function newest(era: 'legacy' | 'auto'): Promise<Program> {
  const name = `sdk-2-${era}`
  const { wallet, provider } = newProvider<
    StoredOAuthClientInformation,
    StoredOAuthTokens,
    OAuthDiscoveryState
  >(name)
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: era } })
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
  await client.connect(transport)
  after(() => client.close())
  assert.ok((await client.listTools()).tools.length > 0, 'the list of tools needs no token')
  assert.equal(client.getNegotiatedProtocolVersion(), era === 'auto' ? '2026-07-28' : '2025-11-25')
  return {
    ...memoryOf(wallet),
    use: async (tool, args) => structured(await client.callTool({ name: tool, arguments: args })),
    finish: (callback) => transport.finishAuth(callback.searchParams),
  }
}

async function oldest(): Promise<Program> {
  const { wallet, provider } = newProvider<OAuthClientInformationMixed, OAuthTokens, OldState>(
    'sdk-1',
  )
  const client = new OldClient({ name: 'sdk-1', version: '1' })
  const transport = new old.StreamableHTTPClientTransport(url, { authProvider: provider })
  await client.connect(transport)
  after(() => client.close())
  assert.ok((await client.listTools()).tools.length > 0, 'the list of tools needs no token')
  return {
    ...memoryOf(wallet),
    use: async (tool, args) => structured(await client.callTool({ name: tool, arguments: args })),
    finish: async ({ searchParams }) => transport.finishAuth(searchParams.get('code') ?? ''),
  }
}

const programs = [
  ['version 2, 2025-11-25', 'sdk-2-legacy', () => newest('legacy')],
  ['version 2, 2026-07-28', 'sdk-2-auto', () => newest('auto')],
  ['version 1', 'sdk-1', oldest],
] as const

for (const [title, name, start] of programs)
  describe(title, () => {
    it('connects after a 401, buys a domain, and continues with a new token', async () => {
      const [program, owner] = await Promise.all([start(), newOwner(registrar)])
      const walk = { registrar, owner, program, domain: `${name}.com` }
      await connect(walk)
      await buy(walk)
      await refresh(walk)
      const [grant, ...others] = await grantsOf(registrar, owner)
      assert.deepEqual([grant?.client_name, others], [name, []])
    })

    it('gets no token when its owner denies consent', async () => {
      const [program, owner] = await Promise.all([start(), newOwner(registrar)])
      await assert.rejects(program.use('get_account', {}))
      const answer = await owner.decide(program.asked() ?? '', { decision: 'deny' })
      assert.equal(answer.searchParams.get('error'), 'access_denied')
      assert.equal(answer.searchParams.get('code'), null)
      assert.equal(answer.searchParams.get('iss'), registrar.url)
      await assert.rejects(program.finish(answer))
      assert.equal(program.tokens(), undefined)
      assert.deepEqual(await grantsOf(registrar, owner), [])
    })
  })

// Version 1 refreshes its token instead, which adds no scopes, and fails.
for (const [title, name, start] of programs.slice(0, 2))
  describe(title, () => {
    it('requests all missing scopes at once when its token is insufficient', async () => {
      const [program, owner] = await Promise.all([start(), newOwner(registrar)])
      const walk = { registrar, owner, program, domain: `more-${name}.com` }
      await connect(walk, ['account:read', 'domains:read'])
      const account = await program.use('get_account', {})
      assert.equal(account.id, owner.id)
      await assert.rejects(program.use('register_domain', { domain: walk.domain }))
      const asked = program.asked()
      const scopes = asked?.searchParams.get('scope')?.split(' ') ?? []
      for (const scope of ['account:read', 'domains:read', 'domains:purchase'])
        assert.ok(scopes.includes(scope), `${scope} is not among ${scopes}`)
      await program.finish(await owner.decide(asked ?? ''))
      await buy(walk)
    })
  })

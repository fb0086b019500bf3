// MCP calls per second with an API key and with an OAuth token, compared with a bare server of the
// SDK that has as many tools, in both eras of the protocol.
import { openBrowser } from '../test/support/browser.ts'
import { type Bench, runBench } from './support/bench.ts'
import { connect, loginOf, serverAt } from './support/connect-flow.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { type Hits, shoot } from './support/http-load.ts'
import { duel } from './support/paired-rounds.ts'
import {
  type Peer,
  type ServiceProcess,
  startPeer,
  startRegistries,
  startService,
} from './support/programs.ts'
import { say, sayMachine } from './support/report.ts'

const connections = 32
const revision = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The call, and a text that only a successful answer contains. */
type Ask = { method: string; params: Record<string, unknown>; says: string }
type Era = { headers: Record<string, string>; params: Record<string, unknown> }

const account: Ask = {
  method: 'tools/call',
  params: { name: 'get_account', arguments: {} },
  says: '"structuredContent":{"id":"cus_',
}
const list: Ask = { method: 'tools/list', params: {}, says: '"name":"register_domain"' }

const legacy: Era = { headers: { 'mcp-protocol-version': '2025-11-25' }, params: {} }

function modernOf({ method, params }: Ask): Era {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const headers = { 'mcp-protocol-version': revision, 'mcp-method': method, ...name }
  return { headers, params: { _meta } }
}

type Post = { headers: Record<string, string>; body: string }

function postOf({ method, params }: Ask, era: Era, key: string): Post {
  return {
    headers: {
      ...era.headers,
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...era.params } }),
  }
}

function callAt(url: string, post: Post) {
  return (seconds: number): Promise<Hits> =>
    shoot({ url, method: 'POST', connections, seconds, ...post })
}

/** Both servers must answer the call, because a refusal would otherwise count as a fast success. */
async function mustAnswer(url: string, { headers, body }: Post, says: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  if (!text.includes(says)) throw new Error(`${url}: ${text}`)
}

type Sides = { service: ServiceProcess; peer: Peer; postgres: number }
type Match = { ask: Ask; era: Era; key: string }

async function compare(bench: Bench, { service, peer, postgres }: Sides, { ask, era, key }: Match) {
  const ours = `${service.url}/mcp`
  const post = postOf(ask, era, key)
  await mustAnswer(ours, post, ask.says)
  await mustAnswer(peer.announced, post, ask.says)
  await duel(bench, {
    unit: ask === list ? 'lists/s' : 'calls/s',
    one: ask === list ? 'list' : 'call',
    aim: 1,
    service,
    product: { pids: { service: service.pid, postgres }, run: callAt(ours, post) },
    peer: { pids: { peer: peer.pid, postgres }, run: callAt(peer.announced, post) },
  })
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: registries.environment,
  })
  const [customer] = await makeCustomers(service.url, { count: 1, cents: 0 })
  if (!customer) throw new Error('No customer was made')
  const server = serverAt(service.url, await loginOf(db, customer), 'account:read domains:read')
  const { access_token } = await connect(server, openBrowser(service.url))
  const peer = await startPeer(bench, 'bare-mcp.ts', {
    DATABASE_URL: db.url,
    CUSTOMER_ID: customer.id,
  })
  const sides = { service, peer, postgres: db.pid }
  sayMachine(`tools/call of get_account and tools/list, ${connections} connections`, db.words)
  const keys = [
    ['an API key', customer.key, [account]],
    ['an OAuth token', access_token, [account, list]],
  ] as const
  let profile = bench.profile
  for (const [words, key, asks] of keys)
    for (const ask of asks)
      for (const era of [legacy, modernOf(ask)]) {
        say(`${ask.method} with ${words}, ${era.headers['mcp-protocol-version']}:`)
        await compare({ ...bench, profile }, sides, { ask, era, key })
        say()
        profile = false
      }
})

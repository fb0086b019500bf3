// MCP tools/call of get_account a second, beside a bare server of the SDK, in both eras of the
// protocol.
import { type Bench, runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { duel } from './support/duel.ts'
import { type Hits, shoot } from './support/load.ts'
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
const legacy = {
  headers: { 'mcp-protocol-version': '2025-11-25' },
  params: { name: 'get_account', arguments: {} },
}
const modern = {
  headers: {
    'mcp-protocol-version': revision,
    'mcp-method': 'tools/call',
    'mcp-name': 'get_account',
  },
  params: {
    ...legacy.params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}
type Era = { headers: Record<string, string>; params: object }

function callAt(url: string, { headers, params }: Era, key: string) {
  return (seconds: number): Promise<Hits> =>
    shoot({
      url,
      method: 'POST',
      connections,
      seconds,
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
}

/** Both must answer the account, else a refusal would count as a fast success. */
async function mustAnswer(url: string, { headers, params }: Era, key: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = await response.text()
  if (!text.includes('"structuredContent":{"id":"cus_')) throw new Error(`${url}: ${text}`)
}

type Sides = { service: ServiceProcess; peer: Peer; key: string; postgres: number }

async function compare(bench: Bench, era: Era, { service, peer, key, postgres }: Sides) {
  const ours = `${service.url}/mcp`
  await mustAnswer(ours, era, key)
  await mustAnswer(peer.said, era, key)
  await duel(bench, {
    unit: 'calls/s',
    one: 'call',
    aim: 1,
    service,
    product: { pids: { service: service.pid, postgres }, run: callAt(ours, era, key) },
    peer: { pids: { peer: peer.pid, postgres }, run: callAt(peer.said, era, key) },
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
  const peer = await startPeer(bench, 'bare-mcp.ts', {
    DATABASE_URL: db.url,
    CUSTOMER_ID: customer.id,
  })
  const sides = { service, peer, key: customer.key, postgres: db.pid }
  sayMachine(`tools/call of get_account, ${connections} connections`, db.words)
  say('2025-11-25 (ours answers JSON, the bare SDK an event stream):')
  await compare(bench, legacy, sides)
  say()
  say(`${revision} (both answer JSON):`)
  await compare({ ...bench, profile: false }, modern, sides)
})

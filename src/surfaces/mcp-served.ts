// What this service serves over MCP: the tools of the catalog, and the words that an agent reads
// first.
import { ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server'
import type { Served } from './mcp-engine.ts'

/** What an agent reads before its first call. */
export const instructions = [
  'agent-registrar sells domain names, paid from a prepaid balance.',
  'To buy a name safely: (1) check_domain_availability;',
  'go on only if "available" is true and "price" is there.',
  '(2) get_balance: "available" must cover the price; only the owner can add money.',
  '(3) register_domain with max_price (the price you saw) and an idempotency_key of your own;',
  'dry_run tries all but the effect.',
  '(4) If status is "pending", wait, and read get_domain',
  'until operation.state is succeeded or failed.',
  'If the answer was lost, read get_domain before anything else,',
  'or repeat the same call with the same idempotency_key. Never buy twice.',
  'A refused call names code, detail and next_action: do what next_action says;',
  'ask your owner when it says ask_owner or add_funds.',
].join(' ')

const listLife = { ttlMs: 300_000, cacheScope: 'public' } as const

export function servedOf(tools: Tool[]): Served {
  return {
    info: { name: 'agent-registrar', title: 'Agent Registrar', version: '0.1.0' },
    options: {
      capabilities: { tools: { listChanged: false } },
      instructions,
      cacheHints: { 'tools/list': listLife, 'server/discover': listLife },
    },
    streams: false,
    equip(server, exchange) {
      server.setRequestHandler('tools/list', () => ({ tools }))
      server.setRequestHandler('tools/call', async ({ params }) => {
        const result = await exchange.call(params.name, params.arguments)
        if (result) return result
        const words = `There is no tool "${params.name}"; tools/list names those there are`
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, words)
      })
    },
  }
}

// The service's own MCP endpoint, with the conformance suite's fixtures in place of the catalog: so
// the transport, the gate and the guard are those of production.
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { ServerDefinition } from '../../src/surfaces/mcp/transport.ts'
import { mcpTestServer } from '../support/mcp.ts'
import {
  contentTools,
  plainPrompts,
  readResource,
  resources,
  templates,
} from './fixture-contents.ts'
import { askingPrompt, askingTools, getAskingPrompt, stateCodec } from './fixture-rounds.ts'

const life = { ttlMs: 60_000, cacheScope: 'public' } as const

function absent(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what}`)
}

function addTools(server: Server): void {
  const tools = [...contentTools, ...askingTools]
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ tool }) => tool) }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const found = tools.find(({ tool }) => tool.name === params.name)
    if (!found) throw absent(`tool ${params.name}`)
    return found.run(ctx)
  })
}

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates }))
  server.setRequestHandler('resources/read', ({ params }) => {
    const found = readResource(params.uri)
    if (found) return found
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource', {
      uri: params.uri,
    })
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: Server): void {
  const prompts = [...plainPrompts.map(({ prompt }) => prompt), askingPrompt]
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    if (params.name === askingPrompt.name) return getAskingPrompt(ctx)
    const found = plainPrompts.find(({ prompt }) => prompt.name === params.name)
    if (!found) throw absent(`prompt ${params.name}`)
    return { messages: found.messages(params.arguments ?? {}) }
  })
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['test', 'testing'], total: 2, hasMore: false },
  }))
}

const served: ServerDefinition = {
  info: { name: 'fixtures', version: '1.0.0' },
  options: {
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: true },
      prompts: { listChanged: false },
      completions: {},
      logging: {},
    },
    cacheHints: {
      'server/discover': life,
      'tools/list': life,
      'prompts/list': life,
      'resources/list': life,
      'resources/templates/list': life,
      'resources/read': life,
    },
    requestState: { verify: stateCodec.verify },
  },
  streams: true,
  setHandlers(server) {
    addTools(server)
    addResources(server)
    addPrompts(server)
  },
}

/** Starts it on a free port; it ends after the file's tests. Returns the endpoint's URL. */
export async function startFixture(): Promise<string> {
  const { url } = await mcpTestServer([], {}, served)
  return `${url}/mcp`
}

// What this service serves over MCP: the tools of the catalog, resources, prompts, and the words
// that an agent reads first.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Operation } from '../../app.ts'
import { currencies } from '../../kit/money.ts'
import { buyingSteps, moneyRule, refusalRule } from '../documents/guide.ts'
import { completionsOf, promptOf, prompts, startingWith } from './prompts.ts'
import { resourcesOf } from './resources.ts'
import type { Served } from './transport.ts'

/** What an agent reads before its first call. */
export const instructions = [
  'agent-registrar sells domain names, paid from a prepaid balance. To buy a name safely:',
  ...buyingSteps.map((step, i) => `(${i + 1}) ${step}`),
  refusalRule,
  moneyRule,
  'get_state_model tells what each status of a domain allows. Resources have the price lists and ' +
    'documents, prompts the usual jobs.',
].join(' ')

const listLife = { ttlMs: 300_000, cacheScope: 'public' } as const
const textLife = { ttlMs: 60_000, cacheScope: 'public' } as const

const cacheHints = {
  'tools/list': listLife,
  'server/discover': listLife,
  'resources/list': listLife,
  'resources/templates/list': listLife,
  'resources/read': textLife,
  'prompts/list': listLife,
}

export function servedOf(tools: Tool[], operations: readonly Operation[]): Served {
  const resources = resourcesOf(operations)
  return {
    info: { name: 'agent-registrar', title: 'Agent Registrar', version: '0.1.0' },
    options: {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        prompts: { listChanged: false },
        completions: {},
      },
      instructions,
      cacheHints,
    },
    streams: false,
    unchanging: Object.keys(cacheHints).filter((method) => method !== 'resources/read'),
    equip(server, { call, run }) {
      server.setRequestHandler('tools/list', () => ({ tools }))
      server.setRequestHandler('tools/call', async ({ params }) => {
        const result = await call(params.name, params.arguments)
        if (result) return result
        throw refused(`There is no tool "${params.name}"; tools/list names those there are`)
      })
      server.setRequestHandler('resources/list', () => ({ resources: resources.list }))
      server.setRequestHandler('resources/templates/list', () => ({
        resourceTemplates: resources.templates,
      }))
      server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
        const result = await resources.read(uri, run)
        if (result) return result
        throw new ResourceNotFoundError(uri, `There is no resource ${uri}`)
      })
      servePrompts(server)
    },
  }
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments))
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const values =
      ref.type === 'ref/prompt'
        ? completionsOf(ref.name, argument.name, argument.value)
        : currenciesOf(ref.uri, argument)
    return { completion: { values, total: values.length, hasMore: false } }
  })
}

/** The one template has one variable. */
function currenciesOf(uri: string, { name, value }: { name: string; value: string }): string[] {
  if (uri === 'registrar://prices/{currency}' && name === 'currency')
    return startingWith(currencies, value)
  throw refused(`There is no template ${uri} with a variable "${name}"`)
}

function refused(words: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, words)
}

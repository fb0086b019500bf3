// Resources of the MCP server: the state model, the price lists and the documents. All clients see
// the same, so none needs a token.
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import type { Operation } from '../../app.ts'
import { declaredFaults } from '../../kit/fault.ts'
import { currencies } from '../../kit/money.ts'
import { buyingPage } from '../descriptions/guide.ts'
import { errorsPage, operationsPage } from '../descriptions/markdown.ts'
import type { ApiResponse } from '../pipeline/response.ts'
import type { Input } from '../pipeline/validate.ts'

/** Runs an operation as the caller of the request. */
type Run = (operation: Operation, args: Input) => Promise<ApiResponse>
type Resources = {
  list: Resource[]
  templates: ResourceTemplateType[]
  /** Reads a resource. Undefined for an unknown URI. */
  read: (uri: string, run: Run) => Promise<ReadResourceResult | undefined>
}

type Source = { resource: Resource; text: (run: Run) => Promise<string> }

const prices = 'registrar://prices/'
const template: ResourceTemplateType = {
  uriTemplate: `${prices}{currency}`,
  name: 'prices',
  title: 'Price list',
  description: `The prices of each TLD for a year, in one of ${currencies.join(', ')}.`,
  mimeType: 'application/json',
}

/** The resources that these operations can provide. */
export function resourcesOf(operations: readonly Operation[]): Resources {
  const named = (name: string) => operations.find((operation) => operation.name === name)
  const model = named('get_state_model')
  const list = named('list_tld_prices')
  const sources = [
    ...(model ? [modelFrom(model)] : []),
    ...(list ? currencies.map((currency) => pricesFrom(list, currency)) : []),
    ...documents(operations),
  ]
  const byUri = new Map(sources.map((source) => [source.resource.uri, source]))
  return {
    list: sources.map(({ resource }) => resource),
    templates: list ? [template] : [],
    async read(uri, run) {
      const source = byUri.get(uri)
      if (!source) return undefined
      const { mimeType = 'text/plain' } = source.resource
      return { contents: [{ uri, mimeType, text: await source.text(run) }] }
    },
  }
}

function modelFrom(model: Operation): Source {
  return {
    resource: {
      uri: 'registrar://state-model',
      name: 'state-model',
      title: 'State model',
      description: 'Each status of a domain: its meaning, allowed actions and transitions.',
      mimeType: 'application/json',
    },
    text: (run) => jsonOf(run, model, {}),
  }
}

function pricesFrom(list: Operation, currency: string): Source {
  return {
    resource: {
      uri: `${prices}${currency}`,
      name: `prices-${currency}`,
      title: `Price list in ${currency}`,
      description: `The prices of each TLD for a year, in ${currency}.`,
      mimeType: 'application/json',
    },
    text: (run) => jsonOf(run, list, { currency }),
  }
}

async function jsonOf(run: Run, operation: Operation, args: Input): Promise<string> {
  const { status, body } = await run(operation, args)
  if (status === 200) return JSON.stringify(body)
  const problem: { detail?: unknown } = Object(body)
  throw new ProtocolError(ProtocolErrorCode.InternalError, String(problem.detail), problem)
}

function documents(operations: readonly Operation[]): Source[] {
  const page = (name: string, title: string, write: () => string): Source => {
    let text: string | undefined
    return {
      resource: {
        uri: `registrar://docs/${name}.md`,
        name,
        title,
        description: `${title}, as a document.`,
        mimeType: 'text/markdown',
      },
      text: async () => {
        text ??= write()
        return text
      },
    }
  }
  return [
    page('buying', 'How to buy, renew and move names safely', buyingPage),
    page('errors', 'Every error and its next step', () => errorsPage(declaredFaults(), operations)),
    page('operations', 'Every operation of REST and MCP', () => operationsPage(operations)),
  ]
}

// Discovery documents for clients without prior knowledge, generated from the catalog
// and the settings.
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config/config.ts'
import { agentCard, readerOf } from './agent-card.ts'
import { llms, llmsFull } from './llms-txt.ts'
import {
  aiCatalog,
  mcpJson,
  protectedResource,
  protectedRest,
  serverCard,
  serverCardType,
  serverJson,
} from './mcp-metadata.ts'
import { addSecurityTxt } from './security-txt.ts'
import { publish, publishVaried } from './static-document.ts'
import { type DiscoveryParts, pathOf } from './urls.ts'

const json = 'application/json; charset=utf-8'
const text = 'text/plain; charset=utf-8'
const well = '/.well-known/oauth-protected-resource'

export function addDiscovery(server: FastifyInstance, parts: DiscoveryParts): void {
  const { settings } = parts
  const at = (urls: readonly string[], type: string, write: (parts: DiscoveryParts) => string) => {
    for (const url of new Set(urls)) publish(server, url, { type, write: () => write(parts) })
  }
  const onSite = (url: string) => [url, `${pathOf(settings.site_url)}${url}`]
  at(resourcePlaces(settings), json, protectedResource)
  at([`${well}/v1`, `${well}${pathOf(settings.base_url)}/v1`], json, protectedRest)
  at(onSite('/.well-known/mcp.json'), json, mcpJson)
  at(onSite('/.well-known/ai-catalog.json'), 'application/ai-catalog+json', aiCatalog)
  at(onSite('/server.json'), json, serverJson)
  at(
    ['/mcp/server-card', `${pathOf(settings.mcp_url)}/mcp/server-card`],
    serverCardType,
    serverCard,
  )
  at(onSite('/llms.txt'), text, llms)
  at(['/llms-full.txt', `${pathOf(settings.base_url)}/llms-full.txt`], text, llmsFull)
  addAgentCard(server, parts)
  addSecurityTxt(server, parts)
}

/**
 * RFC 9728 section 3.1 puts the resource's path behind the well-known part. The interface's own
 * places are at the root of the resource and at "/mcp" below it.
 */
function resourcePlaces({ mcp_url }: Settings): string[] {
  const root = pathOf(mcp_url)
  return [well, `${well}/mcp`, `${well}${root}/mcp`, `${root}${well}`, `${root}${well}/mcp`]
}

/** Adds the agent card. A2A 0.2 had it at the second place. */
function addAgentCard(server: FastifyInstance, parts: DiscoveryParts): void {
  for (const file of ['agent-card.json', 'agent.json'])
    publishVaried(server, `/.well-known/${file}`, {
      type: json,
      headers: { Vary: 'A2A-Version' },
      variantOf: (headers) => readerOf(headers['a2a-version']?.toString()),
      write: (reader) => agentCard(parts, reader),
    })
}

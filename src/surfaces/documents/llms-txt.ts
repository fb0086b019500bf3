// llms.txt (https://llmstxt.org) describes the service on one page. llms-full.txt adds every field.
import type { Operation } from '../../app.ts'
import { fieldLines, type Line, linesOf } from '../descriptions/fields.ts'
import { buyingSteps, moneyRule, refusalRule } from '../descriptions/guide.ts'
import {
  byArea,
  faultsOf,
  plain,
  requestFields,
  tokenOf,
  toolNames,
} from '../descriptions/operation-docs.ts'
import { prompts } from '../mcp/prompts.ts'
import { resourcesOf } from '../mcp/resources.ts'
import { protocolVersions } from './mcp-metadata.ts'
import { type DiscoveryParts, type Places, placesOf } from './urls.ts'

/** The text of llms.txt: a title, a summary, the operations in text, then lists of links. */
export function llms(parts: DiscoveryParts): string {
  const places = placesOf(parts.settings)
  const areas = byArea(parts.operations)
  const lines = areas.flatMap(([area, own]) => ['', `${area}:`, '', ...own.map(lineOf)])
  return `${beginning(parts, places)}
What it does (method and path; the name is also the audit action):
${lines.join('\n')}
${mcpLists(parts)}
${links(places)}`
}

/** The text of llms-full.txt: the same with every field, answer and refusal of every operation. */
export function llmsFull(parts: DiscoveryParts): string {
  const places = placesOf(parts.settings)
  const entries = byArea(parts.operations).flatMap(([area, own]) => [
    `## ${area}`,
    '',
    ...own.flatMap(entryOf),
  ])
  return `${beginning(parts, places)}
${entries.join('\n')}
${mcpLists(parts)}
${links(places)}`
}

function beginning({ settings }: DiscoveryParts, places: Places): string {
  const { environment } = settings
  const simulated = environment === 'sandbox' ? ': money and registries are simulated' : ''
  return `# agent-registrar

> A domain-name registrar for software agents and their owners: check names and prices, buy from a
> prepaid balance, read back what is held. REST API and MCP server have the same operations.

This is the ${environment} environment${simulated}.
${moneyRule}
${refusalRule}

Buying safely (steps are named as the MCP tools):

${buyingSteps.map((step, i) => `${i + 1}. ${step}`).join('\n')}

To connect over MCP, give a client nothing but the URL ${places.endpoint}: it finds the
authorization server in the 401, registers itself, and sends its user to a page to log in and to
choose what it may do (OAuth 2.1 with PKCE; dynamic registration or a client-id metadata document).
Protocol revisions:
${protocolVersions.join(', ')}. Public tools and every list work without a token.
Over REST, or where no person can log in, send "Authorization: Bearer <API key>".
Send your owner to these pages, in a browser:
${places.dashboard}/sign-up creates an account${environment === 'sandbox' ? mailNote(places) : ''},
${places.dashboard}/balance shows and tops up the balance,
${places.dashboard}/contacts has the contacts, and ${places.dashboard}/api-keys creates API keys.
A token is valid at the resource that it was requested for: ${places.endpoint} or ${places.rest}.
${x402Note(settings, places)}`
}

function mailNote({ dashboard }: Places): string {
  return ` (the code from the mail is at ${dashboard}/mailbox)`
}

/** The note on x402, where that is configured. */
function x402Note(settings: DiscoveryParts['settings'], { issuer }: Places): string {
  if (settings.x402_gas_key === null && settings.x402_facilitator_url === null) return ''
  return `With a wallet and the scope billing:write you can top up on your own (x402, version 2):
POST ${issuer}/v1/customers/{customer_id}/billing/x402/top-ups with {"amount_cents": 2500}
answers 402 with PAYMENT-REQUIRED; any x402 client signs it and sends it again.
`
}

/** The lists of MCP resources and prompts. */
function mcpLists({ operations }: DiscoveryParts): string {
  const { list, templates } = resourcesOf(operations)
  const readable = [
    ...list.map(({ uri, description }) => [uri, description]),
    ...templates.map(({ uriTemplate, description }) => [uriTemplate, description]),
  ]
  return `
MCP resources:

${readable.map(([uri, words]) => `- ${uri}: ${words}`).join('\n')}

MCP prompts:

${prompts.map(({ name, title, description }) => `- ${name} (${title}): ${description}`).join('\n')}`
}

function links(places: Places): string {
  const { docs, endpoint, issuer, issuer_metadata, mcp_json, openapi, resource_metadata } = places
  return `
## Documents

- [OpenAPI](${openapi}): every route, field, limit and error of the REST API
- [Documentation](${docs}): the same for people
- [In full](${issuer}/llms-full.txt): this page with every field and error of every operation

## MCP

- [MCP endpoint](${endpoint}): POST; Streamable HTTP, no sessions; listing tools needs no token
- [MCP server description](${mcp_json}): the endpoint, how to authenticate, and its tools
- [Protected resource metadata](${resource_metadata}): the available scopes
- [Authorization server metadata](${issuer_metadata}): where to register, authorize and get tokens
`
}

function lineOf(operation: Operation): string {
  const { name, does, method, path } = operation
  const tools = toolNames(operation).join(', ')
  const token = operation.who.about === 'anyone' ? 'no token' : tokenOf(operation)
  const words = [`${method} ${path}`, token, ...(tools ? [`MCP tool ${tools}`] : [])]
  return `- ${name} (${words.join('; ')}): ${does}`
}

function entryOf(operation: Operation): string[] {
  const { name, method, path, does, more, status = 200 } = operation
  const tools = toolNames(operation).join(', ')
  const fields = requestFields(operation).flatMap((field) =>
    linesOf(field.name, field.schema, field.required).map((line) => fieldOf(line, field.location)),
  )
  const output = plain(operation.gives)
  const answer = output.items ? linesOf('', output, true).slice(1) : fieldLines(output)
  const refusals = faultsOf(operation).map(({ code }) => code)
  return [
    `### ${name}`,
    '',
    `${method} ${path}`,
    '',
    `${does}${more === undefined ? '' : ` ${more}`}`,
    '',
    `Token: ${tokenOf(operation)}.${tools === '' ? '' : ` MCP tool: ${tools}.`}`,
    ...section('Takes:', fields),
    ...section(
      `Answers ${status}${status === 204 ? ' without a body' : ''}:`,
      status === 204 ? [] : answer.map((line) => fieldOf(line)),
    ),
    '',
    `Refuses: ${refusals.join(', ')}; 422 with every invalid field.`,
    '',
  ]
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', title, '', ...lines]
}

function fieldOf({ path, type, required, description }: Line, location?: string): string {
  const words = [
    ...(location ? [location] : []),
    type,
    ...(location && required ? ['required'] : []),
  ]
  return `- ${path} (${words.join('; ')})${description === '' ? '' : `: ${description}`}`
}

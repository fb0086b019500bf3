// The documents for people, at /docs and /docs/errors: plain HTML without scripts, made of the
// catalog like everything else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '../../app.ts'
import type { Settings } from '../../config.ts'
import { type FaultType, kinds } from '../../kit/fault.ts'
import { type Html, html } from '../../kit/html.ts'
import { htmlDocument } from '../../pages/html-document.ts'
import { staticAsset } from '../../pages/static-asset.ts'
import { fieldLines, type Line, linesOf } from './fields.ts'
import { buyingSteps } from './guide.ts'
import {
  bodyExampleOf,
  byArea,
  byStatus,
  faultsOf,
  plain,
  requestFields,
  tokenOf,
  toolNames,
} from './operation-docs.ts'

const docsStyle = staticAsset(
  'docs',
  'css',
  readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8'),
)

type Roots = Pick<Settings, 'base_url' | 'mcp_url' | 'environment'>

function page(title: string, body: Html): string {
  const description = 'Reference of the Agent Registrar: REST, MCP and OAuth.'
  return htmlDocument({ title, description, styles: [docsStyle], body })
}

/** /docs: how to begin, and every operation under an anchor of its name. */
export function docsPage(operations: readonly Operation[], roots: Roots): string {
  const areas = byArea(operations)
  return page(
    'Agent Registrar',
    html`<h1>Agent Registrar</h1>
${beginning(roots)}
<h2>Operations</h2>
<nav>${areas.map(
      ([area, own]) =>
        html`<h4>${area}</h4><ul>${own.map(
          ({ name, does }) => html`<li><a href="#${name}">${name}</a>: ${does}</li>`,
        )}</ul>`,
    )}</nav>
${areas.map(([area, own]) => html`<h2>${area}</h2>${own.map((one) => entryOf(one, roots))}`)}`,
  )
}

function beginning({ base_url, mcp_url, environment }: Roots): Html {
  return html`<p>A domain-name registrar for software agents and the people who own them: check
names and prices, buy from a prepaid balance, read back what is held.${
    environment === 'sandbox' ? ' This is the sandbox: money and registries are simulated.' : ''
  }</p>
<ul>
<li>REST: <code>${base_url}/v1</code>, described by <a href="/openapi.json">/openapi.json</a></li>
<li>MCP: <code>${mcp_url}/mcp</code>, Streamable HTTP; listing the tools needs no token</li>
<li>For language models: <a href="/llms.txt">/llms.txt</a>, in full
<a href="/llms-full.txt">/llms-full.txt</a></li>
<li>Every refusal: <a href="/docs/errors">/docs/errors</a></li>
</ul>
<h2>To connect</h2>
<p>An MCP client needs the URL <code>${mcp_url}/mcp</code> and nothing else: it discovers
the authorization server, registers, and sends its user to a page to log in and to choose what
it may do. A program of your own reads
<a href="/.well-known/oauth-authorization-server">the metadata</a> (OAuth 2.1, PKCE with S256) and
asks for the resource <code>${mcp_url}/mcp</code> or, for REST, <code>${base_url}</code>: a token is
valid only there. Where no person can log in, send an API key: its scopes are chosen when it
is created, and it is valid for both.</p>
<h2>To begin</h2>
<p>Send <code>Authorization: Bearer &lt;token or API key&gt;</code> where a token is needed. Bodies
are JSON; an unknown field is refused, not ignored. Money is a decimal string such as
<code>"12.34"</code>.</p>
<h2>Buying safely</h2>
<ol>${buyingSteps.map((step) => html`<li>${step}</li>`)}</ol>
<p>Over REST the idempotency_key is the header <code>Idempotency-Key</code>.</p>
<h2>When it says no</h2>
<p>A refusal is <code>application/problem+json</code> with a <code>code</code> that never
changes its meaning, <code>retryable</code>, and <code>next_action</code>. A request that does not
fit is 422 with every field that is wrong. <code>X-Request-Id</code> names the request to
support.</p>`
}

function entryOf(operation: Operation, { base_url }: Roots): Html {
  const { name, method, path, does, more, status } = operation
  const tools = toolNames(operation)
  const input = requestFields(operation).flatMap(({ name, travel, required, schema }) =>
    linesOf(name, schema, required).map((line) => ({ ...line, travel })),
  )
  const output = plain(operation.gives)
  return html`<h3 id="${name}">${name}</h3>
<p><code>${method} ${path}</code></p>
<p>${does}${more === undefined ? '' : ` ${more}`}</p>
<p>Token: ${tokenOf(operation)}.${
    tools.length === 0 ? null : html` MCP tool: ${tools.map((tool) => html`<code>${tool}</code> `)}`
  }</p>
<pre>${sampleOf(operation, base_url)}</pre>
${input.length === 0 ? null : html`<h4>Takes</h4>${table(input)}`}
<h4>Answers ${status ?? 200}</h4>
${
  status === 204
    ? html`<p>No body.</p>`
    : table(output.items ? linesOf('', output, true).slice(1) : fieldLines(output))
}
${refusals(operation)}`
}

type Row = Line & { travel?: string }

function table(lines: Row[]): Html {
  if (lines.length === 0) return html`<p>An object.</p>`
  const travels = lines.some(({ travel }) => travel !== undefined)
  return html`<div class="wide"><table>
<tr><th>Field</th>${travels ? html`<th>In</th>` : null}<th>Type</th><th></th></tr>
${lines.map(
  ({ path, type, required, description, travel }) => html`<tr><td><code>${path}</code>${
    required && travels ? ' (required)' : ''
  }</td>${travels ? html`<td>${travel ?? ''}</td>` : null}<td>${type}</td>
<td>${description}</td></tr>
`,
)}</table></div>`
}

/** A command line that shows where a call goes: an example, else with blanks to be filled in. */
function sampleOf(operation: Operation, baseUrl: string): string {
  const example = bodyExampleOf(operation)
  const body = requestFields(operation).filter(({ travel, required }) => {
    return travel === 'body' && required
  })
  const blanks = body.map(({ name, schema }) => `"${name}": ${schema.items ? '[...]' : '...'}`)
  const token = operation.who.about === 'anyone' ? '' : " \\\n  -H 'Authorization: Bearer TOKEN'"
  const sent = example ? JSON.stringify(example) : `{${blanks.join(', ')}}`
  const json =
    body.length === 0 && !example
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${sent}'`
  return `curl -X ${operation.method} '${baseUrl}${operation.path}'${token}${json}`
}

function refusals(operation: Operation): Html {
  const codes = byStatus(faultsOf(operation)).map(
    ([status, faults]) =>
      html`<li>${status}: ${faults.map(
        ({ code }) => html`<a href="/docs/errors#${code}">${code}</a> `,
      )}</li>`,
  )
  return html`<h4>Refuses</h4><ul>${codes}<li>422: a field that is wrong</li></ul>`
}

/** /docs/errors: every fault under an anchor of its code. */
export function errorsDocsPage(
  faults: readonly FaultType[],
  operations: readonly Operation[],
): string {
  const sections = faults.map((fault) => {
    const { code, kind, sentence, hint, next, retryable } = fault
    const users = operations.filter((operation) => faultsOf(operation).includes(fault))
    return html`<h2 id="${code}">${code}</h2>
<p><strong>${kinds[kind].status} ${kinds[kind].title}.</strong> ${sentence}</p>
<p>Next action: <code>${next}</code>. ${hint}</p>
<p>${retryable ? 'The same request may work later.' : 'The same request will not work later.'}</p>
${users.length === 0 ? null : html`<p>Operations: ${usersOf(users, operations)}</p>`}`
  })
  return page(
    'Errors of the Agent Registrar',
    html`<p><a href="/docs">Agent Registrar</a></p>
<h1>Errors</h1>
<nav><ul>${faults.map(({ code }) => html`<li><a href="#${code}">${code}</a></li>`)}</ul></nav>
${sections}`,
  )
}

function usersOf(users: Operation[], all: readonly Operation[]): Html {
  if (users.length === all.length) return html`all`
  return html`${users.map(({ name }) => html`<a href="/docs#${name}">${name}</a> `)}`
}

// The first guides: from an account to the first purchase, and connecting an agent.
import { askedForScopes } from '../../../capabilities/api-keys/index.ts'
import { type Html, html } from '../../../kit/html.ts'
import { buyingSteps } from '../../descriptions/guide.ts'
import { importOf, mcpCall } from './code-samples.ts'
import { samples } from './operation-samples.ts'
import { codeBlock, notRun, type SiteParts, section } from './site-page.ts'

export function startPage(parts: SiteParts): Html {
  const { settings } = parts
  const isSandbox = settings.environment === 'sandbox'
  return html`${
    isSandbox
      ? html`<p class="note">This is the sandbox: money, mails and registries are simulated.
Nothing here costs anything.</p>`
      : null
  }${section('account', 'Create an account', accountWords(isSandbox))}${section(
    'api-key',
    'Create an API key',
    html`<p>The sign-up has shown one, and it can buy: it has the scopes of a key that is
created without choosing any, all but ${without}. Have you lost it, or should a program get fewer
or other scopes? Create a key on the page <a href="/dashboard/api-keys">API keys</a>; the preset
"Buy" is enough for this page. A key is shown once. Put it into a variable for the examples:</p>
${codeBlock('Shell', `export API_KEY=ar_${isSandbox ? 'test' : 'live'}_...`)}
<p>An agent that speaks MCP needs no key: <a href="/docs/connect">connect it</a> with OAuth. The
MCP examples below show what its client sends; with the key they run as they are.</p>`,
  )}${section('contact', 'Add a contact', contactWords(parts))}${section(
    'first-purchase',
    'Buy the first domain',
    html`<p>Check the name and its price:</p>
${samples(parts, 'check_domain_availability')}
<p>Buy it with a limit on the price and an idempotency key, so that a lost response is harmless:</p>
${samples(parts, 'register_domain')}
<p>Then read it back. While its status is <code>pending</code>, the registry has not answered yet:
the money is held
and the service completes the order automatically.</p>
${samples(parts, 'get_domain')}`,
  )}${section(
    'buying-safely',
    'Buy safely',
    html`<p>The steps for an agent, named as its MCP tools:</p>
<ol>${buyingSteps.map((step) => html`<li>${step}</li>`)}</ol>`,
  )}${section('documents', 'Documents for programs', documentWords)}`
}

const without = askedForScopes.map((scope, i) => html`${i === 0 ? '' : ', '}<code>${scope}</code>`)

function contactWords(parts: SiteParts): Html {
  const { base_url } = parts.settings
  return html`<p>Every domain has a registrant: the person or company that holds it. Add the contact
on the page <a href="/dashboard/contacts">Contacts</a>, or here, with your own data. If it is
the default registrant, purchases need not name it.</p>
${codeBlock(
  'Shell',
  `export CUSTOMER_ID=$(curl -s '${base_url}/v1/account' \\
  -H "Authorization: Bearer $API_KEY" | grep -o 'cus_[a-z0-9]*' | head -n 1)`,
)}
${samples(parts, 'create_contact')}
<p>Without a contact a purchase is 409
<a href="/docs/errors#registrant_required"><code>registrant_required</code></a>.</p>`
}

function accountWords(isSandbox: boolean): Html {
  const up = html`<p><a href="/dashboard/sign-up">Sign up</a> with your email address, and enter
the code from the mail.`
  if (!isSandbox)
    return html`${up} Then <a href="/dashboard/balance">add money</a> to your balance.</p>`
  return html`${up} In the sandbox the <a href="/dashboard/mailbox">mailbox</a> shows that mail.
Then add
simulated money on the page <a href="/dashboard/balance">Balance</a>.</p>
<p>Shorter: the first start of the service prints the API key of a customer with 100.00 USD and a
contact; with it, continue to <a href="#first-purchase">the purchase</a>.</p>`
}

const documentWords = html`<ul>
<li><a href="/openapi.json"><code>/openapi.json</code></a>: every route, field, limit and error
(OpenAPI 3.1)</li>
<li><a href="/llms.txt"><code>/llms.txt</code></a> for language models, and
<a href="/llms-full.txt"><code>/llms-full.txt</code></a> with every field</li>
<li><a href="/.well-known/oauth-authorization-server">
<code>/.well-known/oauth-authorization-server</code></a>: OAuth metadata</li>
<li><a href="/.well-known/mcp.json"><code>/.well-known/mcp.json</code></a>: the MCP server and its
tools</li>
</ul>`

export function connectPage({ settings: { base_url, mcp_url } }: SiteParts): Html {
  const endpoint = `${mcp_url}/mcp`
  const addServer = `claude mcp add --transport http registrar ${endpoint}`
  const mcpServers = { registrar: { type: 'http', url: endpoint } }
  return html`${section(
    'mcp-oauth',
    'MCP with OAuth',
    html`<p>An MCP client needs this URL and nothing else:</p>${codeBlock('MCP endpoint', endpoint)}
<p>It finds the authorization server, registers itself, and opens a page where you log in and
choose what it may do.
Disconnect it at any time under <a href="/dashboard/connected-apps">Connected apps</a>. The
dashboard has the
<a href="/dashboard/connect">set-up of the usual clients</a>; two of them:</p>
${codeBlock(`Claude Code, ${notRun}`, addServer)}
${codeBlock(
  `A configuration file with "mcpServers", ${notRun}`,
  JSON.stringify({ mcpServers }, null, 2),
)}`,
  )}${section(
    'mcp-key',
    'MCP with an API key',
    html`<p>Where no person can log in, send an API key as a header. Its scopes decide which tools
work.</p>
${codeBlock(
  `Claude Code, ${notRun}`,
  `${addServer} \\\n  --header "Authorization: Bearer $API_KEY"`,
)}
${codeBlock('Without a client library', mcpCall(mcp_url, { method: 'tools/list' }, 'API_KEY'))}`,
  )}${section(
    'rest',
    'REST',
    html`<p>The REST API is at <code>${base_url}/v1</code>. Send <code>Authorization:
Bearer</code> with an API key or
an access token. Bodies are JSON; an unknown field is refused, not ignored.</p>
<p>The TypeScript client in the folder <code>sdk/</code> of the source has a typed function for
each operation. A program in the folder of the source imports it by its path; for any other,
<a href="/docs/frameworks#sdk">make the package</a>.
<code>npx node</code> is the Node that <code>npm ci</code> installed; one of your own needs to be
24 or newer, which runs TypeScript.</p>
${codeBlock(
  'TypeScript',
  `${importOf(['client', 'listDomains'])}

client.setConfig({ baseUrl: '${base_url}', auth: process.env.API_KEY ?? '' })
const { data, error } = await listDomains()
console.log(data ?? error)`,
)}`,
  )}${section(
    'own-client',
    'An OAuth client of your own',
    html`<p>Read <a href="/.well-known/oauth-authorization-server">the metadata</a>: OAuth 2.1,
authorization code with
PKCE (S256), dynamic registration or a client-id metadata document. Ask for the resource
<code>${endpoint}</code>, or
for <code>${base_url}/v1</code> to call the REST API: a token is valid at that resource alone.</p>`,
  )}`
}

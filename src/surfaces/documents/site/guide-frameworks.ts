// Recipes for the usual agent frameworks. Tests run each block of code but those whose caption says
// that they are not run.
import { type Html, html } from '../../../kit/html.ts'
import { mcpCall } from './code-samples.ts'
import { codeBlock, notRun, type SiteParts, section } from './site-page.ts'

const check = { name: 'check_domain_availability', arguments: { domains: ['my-agent.com'] } }

export function frameworksPage({ settings: { base_url, mcp_url } }: SiteParts): Html {
  const endpoint = `${mcp_url}/mcp`
  return html`<p>Each recipe connects with an API key, calls one tool without a model, and ends.
Set the key first; where a person can log in, <a href="/docs/connect">connect with OAuth</a>, and
leave the header out.</p>
${codeBlock('Shell', 'export API_KEY=ar_...')}
${section('curl', 'curl', curlWords(base_url, mcp_url))}${section(
  'sdk',
  'TypeScript SDK',
  sdkWords(base_url),
)}${section(
  'claude',
  'Claude Code and Claude Desktop',
  claudeWords(endpoint),
)}${section('openai', 'OpenAI Agents SDK', openAiWords(endpoint))}${section(
  'langchain',
  'LangChain and LangGraph',
  langChainWords(endpoint),
)}${section('vercel', 'Vercel AI SDK', vercelWords(endpoint))}${section(
  'rules',
  'The prompt',
  html`<p>Little: the server sends its instructions with the connection, each tool describes its
fields, and each refusal names the next step. Useful in a prompt of your own are the limits of the
owner: which names, at which highest price, and whether to ask before each purchase. Limits that
must hold are not for the prompt: set them
<a href="/docs/owners#limits">at the key or the app</a>.</p>
<p>The <a href="/docs/errors">errors</a> have every code. A whole run with refusals, an approval
and ten faults is in <code>docs/agent-exam.md</code> of the source.</p>`,
)}`
}

function curlWords(base_url: string, mcp_url: string): Html {
  const rest = `curl -s '${base_url}/v1/domains/check' \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"domains": ["my-agent.com"]}'`
  return html`<p>The same question over REST and over MCP:</p>
${codeBlock('Shell, REST', rest)}
${codeBlock('Shell, MCP', mcpCall(mcp_url, { method: 'tools/call', params: check }, 'API_KEY'))}`
}

function sdkWords(base_url: string): Html {
  return html`<p><code>agent-registrar-sdk</code> calls the REST API: typed, without a dependency,
for Node and browsers. A purchase keeps its <code>Idempotency-Key</code> over every attempt, and a
refusal is thrown as a class with <code>nextAction</code>. The package is in <code>sdk/</code> of
the source: <code>npm pack</code> there, and install the archive.</p>
${codeBlock(
  'sdk.mjs',
  `import { createRegistrarClient, paginate, RegistrarError } from 'agent-registrar-sdk'

const registrar = createRegistrarClient({
  baseUrl: '${base_url}',
  apiKey: process.env.API_KEY,
})
try {
  const body = { domain: 'my-agent.com', max_price: '15.00' }
  const bought = await registrar.registerDomain({ body })
  const { state } = await registrar.waitForOperation(bought, { timeout: 60_000 })
  console.log(state)
} catch (error) {
  if (!(error instanceof RegistrarError)) throw error
  console.log(error.code, error.nextAction)
}
for await (const { domain } of paginate(registrar.listDomains)) console.log(domain)`,
)}`
}

function claudeWords(endpoint: string): Html {
  const headers = { Authorization: `Bearer \${API_KEY}` }
  const mcpServers = { registrar: { type: 'http', url: endpoint, headers } }
  return html`<p>Claude Code, with the key of this shell; without the header it opens the page where
you log in:</p>
${codeBlock(
  `Shell, ${notRun}`,
  `claude mcp add --transport http registrar ${endpoint} \\
  --header "Authorization: Bearer $API_KEY"`,
)}
${codeBlock(`.mcp.json of a project, ${notRun}`, JSON.stringify({ mcpServers }, null, 2))}
<p>Claude Desktop: <b>Settings</b>, <b>Connectors</b>, <b>Add custom connector</b>, and the URL
<code>${endpoint}</code>. It logs you in by OAuth, and needs a service that the Internet
reaches.</p>`
}

function openAiWords(endpoint: string): Html {
  return html`<p><code>npm install @openai/agents</code></p>
${codeBlock(
  'openai-agents.mjs',
  `import { Agent, MCPServerStreamableHttp } from '@openai/agents'

const registrar = new MCPServerStreamableHttp({
  name: 'registrar',
  url: '${endpoint}',
  requestInit: { headers: { Authorization: 'Bearer ' + process.env.API_KEY } },
})
await registrar.connect()
const agent = new Agent({
  name: 'Buyer of domains',
  instructions: 'Ask before you buy. At most 15.00 USD for a name.',
  mcpServers: [registrar],
})

const domains = ['my-agent.com']
const [answer] = await registrar.callTool('check_domain_availability', { domains })
console.log(agent.name, answer.text)
await registrar.close()`,
)}
${codeBlock(
  `With a model, before close(), ${notRun}`,
  `import { run } from '@openai/agents'

const result = await run(agent, 'Find an available .com name for a bakery, and its price.')
console.log(result.finalOutput)`,
)}`
}

function langChainWords(endpoint: string): Html {
  return html`<p><code>npm install @langchain/mcp-adapters @langchain/core
@langchain/langgraph</code>
</p>
${codeBlock(
  'langchain.mjs',
  `import { MultiServerMCPClient } from '@langchain/mcp-adapters'

const client = new MultiServerMCPClient({
  registrar: {
    transport: 'http',
    url: '${endpoint}',
    headers: { Authorization: 'Bearer ' + process.env.API_KEY },
  },
})
const tools = await client.getTools()

const check = tools.find(({ name }) => name === 'check_domain_availability')
const answer = await check.invoke({ domains: ['my-agent.com'] })
console.log(JSON.stringify(answer))
await client.close()`,
)}
${codeBlock(
  `With a model, before close(), ${notRun}`,
  `import { createReactAgent } from '@langchain/langgraph/prebuilt'

const agent = createReactAgent({ llm, tools })
await agent.invoke({ messages: [{ role: 'user', content: 'Is my-agent.com available?' }] })`,
)}`
}

function vercelWords(endpoint: string): Html {
  return html`<p><code>npm install ai @ai-sdk/mcp</code></p>
${codeBlock(
  'vercel-ai.mjs',
  `import { createMCPClient } from '@ai-sdk/mcp'

const client = await createMCPClient({
  transport: {
    type: 'http',
    url: '${endpoint}',
    headers: { Authorization: 'Bearer ' + process.env.API_KEY },
  },
})
const tools = await client.tools()

const call = { toolCallId: 'first', messages: [] }
const check = tools.check_domain_availability
const answer = await check.execute({ domains: ['my-agent.com'] }, call)
console.log(JSON.stringify(answer))
await client.close()`,
)}
${codeBlock(
  `With a model, before close(), ${notRun}`,
  `import { generateText, stepCountIs } from 'ai'

const { text } = await generateText({
  model,
  tools,
  stopWhen: stepCountIs(10),
  prompt: 'Is my-agent.com available, and what does it cost?',
})`,
)}`
}

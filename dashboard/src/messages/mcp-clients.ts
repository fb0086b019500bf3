// Set-up of the usual MCP clients, as data. Vendors change it often: `checked_on` is the day on
// which a set-up was last looked up, at the vendor (Cursor's link, VS Code, Gemini CLI, LangChain,
// ChatGPT) or at third parties (the others). None of the clients was run.
type Snippet = { label: string; code: string }

export type McpClient = {
  id: string
  name: string
  checked_on: string
  /** Whether the client calls from the vendor's servers, and so needs a public HTTPS address. */
  isRemote?: boolean
  steps: readonly string[]
  snippets: (endpoint: string) => readonly Snippet[]
  /**
   * The set-up with an API key in place of the log-in in the browser, for clients that can send a
   * header.
   */
  withKey?: (endpoint: string) => Snippet
  /** A link that opens the client's own dialog. */
  link?: (endpoint: string) => { label: string; href: string }
}

const checked_on = '2026-11-21'
const key = 'YOUR_API_KEY'
const json = (value: unknown) => JSON.stringify(value, null, 2)
const logIn = 'Approve access: the client opens this service in your browser.'

export const mcpClients: readonly McpClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    checked_on,
    steps: [
      'Run the command in a terminal.',
      'Type /mcp in Claude Code and choose registrar.',
      logIn,
    ],
    snippets: (endpoint) => [
      { label: 'Terminal', code: `claude mcp add --transport http registrar ${endpoint}` },
      {
        label: 'Or for a project: .mcp.json',
        code: json({ mcpServers: { registrar: { type: 'http', url: endpoint } } }),
      },
    ],
    withKey: (endpoint) => ({
      label: 'Terminal',
      code:
        `claude mcp add --transport http registrar ${endpoint} \\\n` +
        `  --header "Authorization: Bearer ${key}"`,
    }),
  },
  {
    id: 'claude',
    name: 'Claude',
    checked_on,
    isRemote: true,
    steps: [
      'Open Settings, then Connectors, in Claude Desktop or at claude.ai.',
      'Choose “Add custom connector” and paste the address.',
      logIn,
    ],
    snippets: (endpoint) => [
      { label: 'Address of the connector', code: endpoint },
      {
        label: 'Or, for a service on your machine: claude_desktop_config.json',
        code: json({
          mcpServers: { registrar: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } },
        }),
      },
    ],
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    checked_on,
    isRemote: true,
    steps: [
      'Open Settings, then Apps & Connectors, then Advanced, and switch on Developer mode.',
      'Choose “Create” and paste the address. Tools that make changes depend on your plan.',
      logIn,
    ],
    snippets: (endpoint) => [{ label: 'Address of the connector', code: endpoint }],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    checked_on,
    steps: ['Use the button, or add this to the file.', logIn],
    link: (endpoint) => ({
      label: 'Add to Cursor',
      href:
        'cursor://anysphere.cursor-deeplink/mcp/install?name=registrar&config=' +
        encodeURIComponent(btoa(JSON.stringify({ url: endpoint }))),
    }),
    snippets: (endpoint) => [
      { label: '~/.cursor/mcp.json', code: json({ mcpServers: { registrar: { url: endpoint } } }) },
    ],
    withKey: (endpoint) => ({
      label: '~/.cursor/mcp.json',
      code: json({
        mcpServers: {
          registrar: { url: endpoint, headers: { Authorization: `Bearer ${key}` } },
        },
      }),
    }),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    checked_on,
    steps: ['Use the button, or add this to the file in your project.', logIn],
    link: (endpoint) => ({
      label: 'Add to VS Code',
      href: `vscode:mcp/install?${encodeURIComponent(
        JSON.stringify({ name: 'registrar', type: 'http', url: endpoint }),
      )}`,
    }),
    snippets: (endpoint) => [
      {
        label: '.vscode/mcp.json',
        code: json({ servers: { registrar: { type: 'http', url: endpoint } } }),
      },
    ],
    withKey: (endpoint) => ({
      label: '.vscode/mcp.json',
      code: json({
        servers: {
          registrar: { type: 'http', url: endpoint, headers: { Authorization: `Bearer ${key}` } },
        },
      }),
    }),
  },
  {
    id: 'codex',
    name: 'Codex',
    checked_on,
    steps: ['Run both commands in a terminal.', logIn],
    snippets: (endpoint) => [
      {
        label: 'Terminal',
        code: `codex mcp add registrar --url ${endpoint}\ncodex mcp login registrar`,
      },
      {
        label: 'Or ~/.codex/config.toml',
        code: `[mcp_servers.registrar]\nurl = "${endpoint}"`,
      },
    ],
    withKey: (endpoint) => ({
      label: 'Terminal',
      code:
        `export REGISTRAR_API_KEY=${key}\n` +
        `codex mcp add registrar --url ${endpoint} \\\n` +
        '  --bearer-token-env-var REGISTRAR_API_KEY',
    }),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    checked_on,
    steps: ['Run the command in a terminal.', 'Type /mcp auth registrar in Gemini CLI.', logIn],
    snippets: (endpoint) => [
      { label: 'Terminal', code: `gemini mcp add --transport http registrar ${endpoint}` },
      {
        label: 'Or ~/.gemini/settings.json',
        code: json({ mcpServers: { registrar: { httpUrl: endpoint } } }),
      },
    ],
  },
  {
    id: 'devin',
    name: 'Devin Desktop',
    checked_on,
    steps: ['Run the command in a terminal. Devin Desktop is the successor to Windsurf.', logIn],
    snippets: (endpoint) => [
      { label: 'Terminal', code: `devin mcp add registrar ${endpoint}` },
      {
        label: 'Windsurf: ~/.codeium/windsurf/mcp_config.json',
        code: json({ mcpServers: { registrar: { serverUrl: endpoint } } }),
      },
    ],
  },
  {
    id: 'langchain',
    name: 'LangChain',
    checked_on,
    steps: ['Install langchain[mcp] 1.4 or newer, and use the adapter.'],
    snippets: (endpoint) => [
      {
        label: 'Python',
        code:
          'from langchain.mcp import MCPAdapter\n\n' +
          `async with MCPAdapter("${endpoint}") as adapter:\n` +
          '    tools = await adapter.list_tools()',
      },
    ],
  },
  {
    id: 'other',
    name: 'Other',
    checked_on,
    steps: [
      'Any client with Streamable HTTP works. It discovers the log-in automatically (OAuth 2.1).',
      'Without a log-in, it sends an API key in the Authorization header.',
    ],
    snippets: (endpoint) => [{ label: 'Address', code: endpoint }],
    withKey: (endpoint) => ({
      label: 'curl',
      code:
        `curl ${endpoint} \\\n` +
        `  -H "Authorization: Bearer ${key}" \\\n` +
        "  -H 'Content-Type: application/json' \\\n" +
        "  -H 'Accept: application/json, text/event-stream' \\\n" +
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    }),
  },
]

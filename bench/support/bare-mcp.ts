// A program, the peer of `mcp`: the SDK on node:http as its guide shows it, with as many tools as
// ours.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { customerOf } from '../../src/capabilities/account/customer.ts'
import { customerOfId } from '../../src/capabilities/account/customers.sql.ts'
import { operations } from '../../src/catalog.ts'
import { openDatabase } from '../../src/db/database.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'

const { DATABASE_URL: url = '', CUSTOMER_ID: id = '' } = process.env
const db = await openDatabase({ url, app_role: 'agent_registrar_app' })

const schemaOf = (schema: object) =>
  fromJsonSchema<Record<string, unknown>>(JSON.parse(JSON.stringify(schema)))

// Schemas are compiled once; a server is created for each request, as the SDK requires.
const tools = toolsOf(operations).list.map(
  ({ name, title, description, annotations, ...tool }) => ({
    name,
    config: {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(annotations === undefined ? {} : { annotations }),
      inputSchema: schemaOf(tool.inputSchema),
      ...(tool.outputSchema ? { outputSchema: schemaOf(tool.outputSchema) } : {}),
    },
  }),
)

async function call() {
  const account = { ...customerOf(await db.one(customerOfId, { id })), limits: null }
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(account) }],
    structuredContent: account,
  }
}

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  for (const { name, config } of tools) server.registerTool(name, config, call)
  return server
})

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const parsedBody: unknown = JSON.parse(Buffer.concat(chunks).toString())
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string') headers.set(name, value)
  const request = new Request(`http://${incoming.headers.host}/mcp`, { method: 'POST', headers })
  const response = await handler.fetch(request, { parsedBody })
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body)
}

const server = createServer((incoming, outgoing) => void serve(incoming, outgoing))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
})

// An agent that has only an MCP URL and a key: the official client, unmodified.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { watchedFetch } from '../support/http.ts'

type Agent = Client & {
  /** A tool's structured answer; fails when the tool does. */
  use: (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>
}

/** The era: the client's default, or the protocol's version without a handshake. */
type Era = 'usual' | '2026-07-28'

/** Connects the client, which is closed after the file's tests. */
export async function connectAgent(mcpUrl: string, key: string, era: Era = 'usual') {
  const options = era === 'usual' ? {} : { versionNegotiation: { mode: { pin: era } } }
  const client = new Client({ name: 'journey-agent', version: '1.0.0' }, options)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = { requestInit, fetch: watchedFetch }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), transport))
  after(() => client.close())
  const use: Agent['use'] = async (name, args) => {
    const result = await client.callTool({ name, arguments: args })
    assert.ok(!result.isError, JSON.stringify(result.content))
    return Object(result.structuredContent)
  }
  const agent: Agent = Object.assign(client, { use })
  return agent
}

// The discovery documents of a running service, as an outsider reads them: by name, under
// roots that may differ from the address of the service.
import { request } from 'node:http'
import type { TestService } from '../../support/service.ts'

type Got = { status: number; headers: Record<string, string>; text: string }
type Asked = { headers?: Record<string, string>; body?: string }
type Outside = {
  /** Sends one request to the address of the service, with any Host header. */
  send: (method: string, path: string, asked?: Asked) => Promise<Got>
  /** The same for a URL under one of the roots. */
  visit: (method: string, url: string, asked?: Asked) => Promise<Got>
}

export const resourceWell = '/.well-known/oauth-protected-resource'
export const serverWell = '/.well-known/oauth-authorization-server'

/** Every document that the site publishes at the root, and its media type. */
export const documents: Record<string, string> = {
  '/.well-known/agent-card.json': 'application/json',
  '/.well-known/agent.json': 'application/json',
  [resourceWell]: 'application/json',
  [`${resourceWell}/mcp`]: 'application/json',
  [serverWell]: 'application/json',
  [`${serverWell}/mcp`]: 'application/json',
  '/.well-known/openid-configuration': 'application/json',
  '/.well-known/mcp.json': 'application/json',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/server.json': 'application/json',
  '/openapi.json': 'application/json',
  '/llms.txt': 'text/plain',
  '/llms-full.txt': 'text/plain',
}

export function outsideOf({ service }: TestService): Outside {
  const { base_url, mcp_url, site_url } = service.settings
  const roots = [base_url, mcp_url, site_url].map((root) => new URL(root).origin)

  function send(method: string, path: string, { headers = {}, body }: Asked = {}): Promise<Got> {
    const options = { host: '127.0.0.1', port: service.settings.port, path, method, headers }
    return new Promise((resolve, reject) => {
      const sent = request(options, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const fields = Object.entries(answer.headers).map(([name, value]) => [name, `${value}`])
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(fields),
            text: Buffer.concat(chunks).toString(),
          })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  return {
    send,
    visit(method, url, asked = {}) {
      const { origin, host, pathname, search } = new URL(url)
      if (!roots.includes(origin)) throw new Error(`${url} is under none of our roots`)
      return send(method, `${pathname}${search}`, {
        ...asked,
        headers: { host, ...asked.headers },
      })
    },
  }
}

/** Every text of a document that is a URL, with its path in the document. */
export function urlsIn(value: unknown, way = ''): [way: string, url: string][] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [[way, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => urlsIn(inner, `${way}.${key}`))
}
